//! The correction for several tests at once.

use super::ascending;

/// The p-values of several tests, adjusted so that with all of those at most 0.05 called differences the
/// probability of one false call or more is at most 0.05, however the tests hang together (Holm 1979).
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; ps.len()];
    let mut largest = 0.0f64;
    for (rank, i) in ascending(ps).into_iter().enumerate() {
        largest = largest.max(ps[i] * (ps.len() - rank) as f64).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}
