//! Strength on one scale, from games of everyone against everyone.

use crate::stats::Z_95;

/// A player's strength on the Elo scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating; the mean over all players is 0, and 400 points are odds of ten
    /// to one.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// Points of the Elo scale per unit of log-odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Bradley–Terry ratings (Bradley & Terry 1952): the chance that i beats j is
/// e^rᵢ / (e^rᵢ + e^rⱼ), and the ratings are those that make the scores most
/// likely. `scores[i][j]` is the number of points that i took from j, a draw being
/// half a point to both; `worth[i][j]`, in (0, 1], is how many independent games one of
/// theirs is worth.
///
/// Every player counts as having drawn one more independent game, an equal part of it with
/// each of the others that it met, so that one who won every game has a finite rating. A pair has
/// the weight of all its games, and that draw the weight that their worth leaves it. What
/// games are worth widens the intervals, which are a normal approximation: from the curvature of the
/// likelihood at its maximum and the variance that so many independent games would have (a
/// sandwich estimate, Huber 1967). With many draws they are wider than need be.
///
/// `None` if the games do not connect all players: then nothing compares the parts.
/// Panics if a matrix is not square, or not of the other's size.
pub fn bradley_terry(scores: &[Vec<f64>], worth: &[Vec<f64>]) -> Option<Vec<Rating>> {
    let count = scores.len();
    if !is_connected(scores) {
        return None;
    }
    let mut points = vec![vec![0.0; count]; count];
    // By how much the games of a pair, with its part of the draw, outnumber what they are worth.
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
    // Minorisation-maximisation (Hunter 2004).
    let mut strengths = vec![1.0; count];
    for _ in 0..100_000 {
        let mut change: f64 = 0.0;
        for i in 0..count {
            let won: f64 = points[i].iter().sum();
            let expected: f64 = (0..count)
                .map(|j| (points[i][j] + points[j][i]) / (strengths[i] + strengths[j]))
                .sum();
            if expected > 0.0 {
                let next = won / expected;
                change = change.max((next / strengths[i] - 1.0).abs());
                strengths[i] = next;
            }
        }
        if change < 1e-12 {
            break;
        }
    }
    let logs: Vec<f64> = strengths.iter().copied().map(libm::log).collect();
    let mean = logs.iter().sum::<f64>() / count.max(1) as f64;
    let errors = standard_errors(&points, &strengths, &inflation);
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

/// Whether there is a way of games from the first player to every other one.
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

/// Standard errors of the log-strengths around their mean: the roots of the diagonal of I⁺ V I⁺, where I is the information
/// matrix and V the variance of its score. The pseudo-inverse is found by inverting I with the mean's direction
/// filled in, in which V is 0.
fn standard_errors(points: &[Vec<f64>], strengths: &[f64], inflation: &[Vec<f64>]) -> Vec<f64> {
    let count = strengths.len();
    let information = |i: usize, j: usize| {
        let chance = strengths[i] / (strengths[i] + strengths[j]);
        (points[i][j] + points[j][i]) * chance * (1.0 - chance)
    };
    let mut matrix = vec![vec![1.0 / count as f64; count]; count];
    for (i, row) in matrix.iter_mut().enumerate() {
        for j in (0..count).filter(|&j| j != i) {
            row[i] += information(i, j);
            row[j] -= information(i, j);
        }
    }
    let inverse = invert(matrix);
    let variance = |row: &Vec<f64>| -> f64 {
        let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
        let of_pair = |(a, b): (usize, usize)| {
            information(a, b) * inflation[a][b] * (row[a] - row[b]).powi(2)
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
