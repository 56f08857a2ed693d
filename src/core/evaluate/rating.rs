//! Ratings of several players on one scale, from games between them.

use crate::stats::Z_95;

/// A player's strength on the Elo scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating; the mean over all players is 0, and a difference of 400 points means
    /// odds of ten to one.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// Points of the Elo scale per unit of log-odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Bradley–Terry ratings (Bradley & Terry 1952): the chance that i beats j is e^rᵢ / (e^rᵢ + e^rⱼ), and the
/// ratings maximize the likelihood of the scores. `scores[i][j]` is the number of points that i took from j, with half
/// a point each for a draw; `worth[i][j]`, in (0, 1], is how many independent games one of their games is worth.
///
/// For any two players that met, 1 / (n − 1) of a drawn independent game is added, one game in total for a player who
/// met all others, so that even one who won every game has a finite rating. A pair has the weight of all its games, and
/// the added draw is scaled up with them where they are copies. Copies widen the intervals, which are a normal
/// approximation: from the curvature of the likelihood at its maximum and the variance of the equivalent number of
/// independent games (a sandwich estimate, Huber 1967). With many draws they are wider than they need to be.
///
/// `None` if the games do not connect all players, so that parts cannot be compared. Panics
/// if a matrix is not square, or if the two differ in size.
pub fn bradley_terry(scores: &[Vec<f64>], worth: &[Vec<f64>]) -> Option<Vec<Rating>> {
    let count = scores.len();
    if !is_connected(scores) {
        return None;
    }
    let mut points = vec![vec![0.0; count]; count];
    // The ratio of the games of a pair, with its part of the draw, to what they are worth.
    let mut inflation = points.clone();
    let draw = 1.0 / count.saturating_sub(1).max(1) as f64;
    for i in 0..count {
        assert_eq!(
            [scores[i].len(), worth[i].len()],
            [count; 2],
            "everyone has a score against everyone"
        );
        for j in 0..count {
            let games = scores[i][j] + scores[j][i];
            if i != j && games > 0.0 {
                inflation[i][j] = (games + draw) / (games * worth[i][j] + draw);
                points[i][j] = inflation[i][j] * (scores[i][j] * worth[i][j] + draw / 2.0);
            }
        }
    }
    // Newton's method, with short steps far from the maximum, where the curvature is a poor guide.
    let mut logs = vec![0.0; count];
    for _ in 0..MOST_STEPS {
        let slope = |i: usize| -> f64 {
            let of_pair = |j: usize| points[i][j] - games(&points, i, j) * chance(&logs, i, j);
            (0..count).filter(|&j| j != i).map(of_pair).sum()
        };
        let slopes: Vec<f64> = (0..count).map(slope).collect();
        let inverse = invert(information(&points, &logs));
        let along = |row: &Vec<f64>| -> f64 { row.iter().zip(&slopes).map(|(a, b)| a * b).sum() };
        let steps: Vec<f64> = inverse.iter().map(along).collect();
        let longest = steps
            .iter()
            .fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let share = 1.0 / longest.max(1.0);
        logs.iter_mut()
            .zip(&steps)
            .for_each(|(log, step)| *log += share * step);
        if longest < 1e-10 {
            break;
        }
    }
    let mean = logs.iter().sum::<f64>() / count.max(1) as f64;
    let errors = standard_errors(&points, &logs, &inflation);
    let ratings = logs.iter().zip(errors).map(|(log, error)| {
        let elo = SCALE * (log - mean);
        Rating {
            elo,
            low: elo - SCALE * Z_95 * error,
            high: elo + SCALE * Z_95 * error,
        }
    });
    Some(ratings.collect())
}

/// Whether a chain of games connects the first player with every other one.
fn is_connected(scores: &[Vec<f64>]) -> bool {
    let mut reached = vec![false; scores.len()];
    let mut waiting: Vec<usize> = (0..scores.len()).take(1).collect();
    while let Some(i) = waiting.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            waiting.extend((0..scores.len()).filter(|&j| scores[i][j] + scores[j][i] > 0.0));
        }
    }
    !reached.contains(&false)
}

/// The most steps of Newton's method, enough as each may change the odds by a factor of e; all of them are quick.
const MOST_STEPS: usize = 200;

/// The number of games that the pair of i and j counts as.
fn games(points: &[Vec<f64>], i: usize, j: usize) -> f64 {
    points[i][j] + points[j][i]
}

/// The chance that i beats j.
fn chance(logs: &[f64], i: usize, j: usize) -> f64 {
    1.0 / (1.0 + libm::exp(logs[j] - logs[i]))
}

/// The information in the games of i and j about the difference of their log-strengths.
fn information_of_pair(points: &[Vec<f64>], logs: &[f64], i: usize, j: usize) -> f64 {
    games(points, i, j) * chance(logs, i, j) * chance(logs, j, i)
}

/// The information matrix of the log-strengths, with a constant added, as it is singular in the mean's direction.
fn information(points: &[Vec<f64>], logs: &[f64]) -> Vec<Vec<f64>> {
    let count = logs.len();
    let mut matrix = vec![vec![1.0 / count as f64; count]; count];
    for (i, row) in matrix.iter_mut().enumerate() {
        for j in (0..count).filter(|&j| j != i) {
            let information = information_of_pair(points, logs, i, j);
            row[i] += information;
            row[j] -= information;
        }
    }
    matrix
}

/// Standard errors of the log-strengths around their mean: the roots of the diagonal of I⁺ V I⁺, where I is the
/// information matrix and V the variance of the score, which is 0 in the direction of the mean.
fn standard_errors(points: &[Vec<f64>], logs: &[f64], inflation: &[Vec<f64>]) -> Vec<f64> {
    let inverse = invert(information(points, logs));
    let variance = |row: &Vec<f64>| -> f64 {
        let pairs = (0..logs.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let of_pair = |(a, b): (usize, usize)| {
            let information = information_of_pair(points, logs, a, b);
            information * inflation[a][b] * (row[a] - row[b]).powi(2)
        };
        pairs.map(of_pair).sum()
    };
    inverse.iter().map(|row| variance(row).sqrt()).collect()
}

/// The inverse of a positive definite matrix, by Gauss–Jordan elimination.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for pivot in 0..count {
        let scale = matrix[pivot][pivot];
        for column in 0..count {
            matrix[pivot][column] /= scale;
            inverse[pivot][column] /= scale;
        }
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..count {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    inverse
}
