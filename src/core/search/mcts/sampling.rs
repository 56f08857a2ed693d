//! Beta and Dirichlet variates, computed with functions that agree to the last digit on
//! every platform.

use rand::RngExt;

use crate::rng::LabRng;

/// A gamma variate of this shape, at least 1, and scale 1 (Marsaglia & Tsang 2000).
fn gamma(shape: f64, rng: &mut LabRng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        let uniform: f64 = 1.0 - rng.random::<f64>();
        if libm::log(uniform) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// A standard normal variate (the polar method of Marsaglia & Bray 1964).
fn normal(rng: &mut LabRng) -> f64 {
    loop {
        let x = 2.0 * rng.random::<f64>() - 1.0;
        let y = 2.0 * rng.random::<f64>() - 1.0;
        let s = x * x + y * y;
        if s > 0.0 && s < 1.0 {
            return x * (-2.0 * libm::log(s) / s).sqrt();
        }
    }
}

/// A beta variate; both parameters must be at least 1.
pub fn beta(a: f64, b: f64, rng: &mut LabRng) -> f64 {
    let x = gamma(a, rng);
    x / (x + gamma(b, rng))
}

/// A symmetric Dirichlet variate with parameter `alpha`, above 0: `out.len()`
/// numbers that add up to 1.
pub fn dirichlet(alpha: f64, out: &mut [f64], rng: &mut LabRng) {
    // In logarithms: with a tiny α the variates themselves would all be 0.
    for share in out.iter_mut() {
        let uniform: f64 = 1.0 - rng.random::<f64>();
        *share = libm::log(gamma(alpha + 1.0, rng)) + libm::log(uniform) / alpha;
    }
    let highest = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for share in out.iter_mut() {
        *share = libm::exp(*share - highest);
    }
    let sum: f64 = out.iter().sum();
    for share in out {
        *share /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn variates_have_the_moments_of_their_distributions() {
        let mut rng = stream(1, Purpose::Search, 0, 0);
        let n = 100_000;
        for (a, b) in [(1.0, 1.0), (1.5, 2.5), (30.0, 12.0)] {
            let draws: Vec<f64> = (0..n).map(|_| beta(a, b, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
            let (sum, expected) = (a + b, a / (a + b));
            let expected_variance = a * b / (sum * sum * (sum + 1.0));
            // Five standard errors of the mean.
            let error = 5.0 * (expected_variance / f64::from(n)).sqrt();
            assert!((mean - expected).abs() < error, "{a} {b}: {mean}");
            assert!((variance / expected_variance - 1.0).abs() < 0.05, "{a} {b}");
        }
    }

    #[test]
    fn dirichlet_shares_have_the_variance_of_their_distribution() {
        let mut rng = stream(1, Purpose::Search, 0, 0);
        for alpha in [0.001, 0.3, 10.0] {
            let n = 20_000;
            let (mut squares, mut shares) = (0.0, [0.0; 4]);
            for _ in 0..n {
                dirichlet(alpha, &mut shares, &mut rng);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                squares += (shares[1] - 0.25) * (shares[1] - 0.25);
            }
            let expected = 0.25 * 0.75 / (4.0 * alpha + 1.0);
            let found = squares / f64::from(n);
            assert!((found / expected - 1.0).abs() < 0.05, "{alpha}: {found}");
        }
    }
}
