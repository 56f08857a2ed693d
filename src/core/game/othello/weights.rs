//! Weights of squares, as used by simple players.

/// Weights of the squares of a quarter of the board, starting at a corner; the other
/// quarters mirror it. A smaller board uses the part next to the corner.
pub type Weights = [[i32; 4]; 4];

/// The weights of the article that the players `greedy` and `weighted` come from.
pub const ARTICLE: Weights = [
    [30, -12, 0, -1],
    [-12, -15, -3, -3],
    [0, -3, 0, -1],
    [-1, -3, -1, -1],
];

/// The weights that the literature on learning to play Othello calls the
/// standard heuristic, in hundredths (Yoshioka, Ishii & Ito 1999; Lucas & Runarsson 2006).
pub const STANDARD: Weights = [
    [100, -25, 10, 5],
    [-25, -25, 1, 1],
    [10, 1, 5, 2],
    [5, 1, 2, 1],
];

/// The sum of the weights of `own` squares minus that of `other` squares.
pub fn sum<const N: usize>(weights: &Weights, own: u64, other: u64) -> i32 {
    let mut sum = 0;
    for (row, weights) in weights.iter().enumerate().take(N / 2) {
        for (column, weight) in weights.iter().enumerate().take(N / 2) {
            let squares = mirrored::<N>(row, column);
            let difference =
                (own & squares).count_ones() as i32 - (other & squares).count_ones() as i32;
            sum += weight * difference;
        }
    }
    sum
}

/// A square of the top left quarter and its images in the other quarters.
const fn mirrored<const N: usize>(row: usize, column: usize) -> u64 {
    let columns = 1 << column | 1 << (N - 1 - column);
    columns << (row * N) | columns << ((N - 1 - row) * N)
}
