//! Intervals for proportions from the score test: they stay within 0 and 1, and have a width even if all or none of the
//! trials succeeded.

/// The 97.5 % quantile of the normal distribution, for 95 % intervals.
pub const Z_95: f64 = 1.959963984540054;

/// The 95 % score interval for a probability after `successes` in `trials` (Wilson 1927),
/// as (low, high); (0, 1) without a trial.
pub fn wilson(successes: u64, trials: u64) -> (f64, f64) {
    wilson_mean(successes as f64 / trials as f64, trials as f64)
}

/// The 95 % score interval for the mean of `n` results in [0, 1]; for results other than 0
/// and 1 it is wider than need be. (0, 1) without a result.
pub fn wilson_mean(mean: f64, n: f64) -> (f64, f64) {
    if n == 0.0 {
        return (0.0, 1.0);
    }
    let z2 = Z_95 * Z_95;
    let centre = mean + z2 / (2.0 * n);
    let spread = Z_95 * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    let (low, high) = ((centre - spread) / scale, (centre + spread) / scale);
    match mean {
        0.0 => (0.0, high),
        1.0 => (low, 1.0),
        _ => (low, high),
    }
}

/// The 95 % interval of how much greater the probability of a success is in B than in A, from the score
/// intervals of both (Newcombe 1998, "Interval estimation for the difference between independent proportions", method
/// 10). Each sample needs at least one trial.
pub fn newcombe(a: &[bool], b: &[bool]) -> (f64, f64) {
    hybrid([a, b], 0.0)
}

/// As [`newcombe`], but for two samples of the same size whose trials with the same index are pairs (Newcombe 1998,
/// "Improved confidence intervals for the difference between binomial proportions based on paired data", method 10).
pub fn newcombe_paired(a: &[bool], b: &[bool]) -> (f64, f64) {
    let count = |of: (bool, bool)| {
        let pairs = a.iter().zip(b);
        pairs.filter(|&(&a, &b)| (a, b) == of).count() as f64
    };
    let [both, of_a, of_b, none] =
        [(true, true), (true, false), (false, true), (false, false)].map(count);
    let margins = (both + of_a) * (of_b + none) * (both + of_b) * (of_a + none);
    let agree = both * none - of_a * of_b;
    // The continuity correction applies only where agreement would narrow the interval.
    let agree = match agree > 0.0 {
        true => (agree - a.len() as f64 / 2.0).max(0.0),
        false => agree,
    };
    let correlation = match margins > 0.0 {
        true => agree / margins.sqrt(),
        false => 0.0,
    };
    hybrid([a, b], correlation)
}

fn hybrid(samples: [&[bool]; 2], correlation: f64) -> (f64, f64) {
    let [(p, p_low, p_high), (q, q_low, q_high)] = samples.map(|all| {
        let successes = all.iter().filter(|success| **success).count() as u64;
        let (low, high) = wilson(successes, all.len() as u64);
        (successes as f64 / all.len() as f64, low, high)
    });
    let far = |x: f64, y: f64| (x * x + y * y - 2.0 * correlation * x * y).max(0.0).sqrt();
    let difference = q - p;
    (
        difference - far(q - q_low, p_high - p),
        difference + far(q_high - q, p - p_low),
    )
}
