//! The normal distribution and Student's t-distribution.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// The probability of at most `x` under the standard normal distribution.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The quantile of the standard normal distribution at this probability. Panics unless the probability is between 0 and
/// 1 (exclusive).
pub fn normal_quantile(probability: f64) -> f64 {
    solve(probability, normal_cdf)
}

/// The probability of at most `t` under Student's distribution with this many degrees of freedom
/// (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4). Panics without a degree of freedom.
pub fn student_cdf(t: f64, degrees: u64) -> f64 {
    assert!(degrees > 0, "there is at least one degree of freedom");
    let angle = libm::atan(t / (degrees as f64).sqrt());
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let odd = degrees % 2;
    let mut term = if odd == 1 { cosine } else { 1.0 };
    let mut sum = 0.0;
    for i in 0..(degrees - odd) / 2 {
        sum += term;
        let step = (2 * i + 1 + odd) as f64;
        term *= cosine * cosine * step / (step + 1.0);
    }
    let between = match odd {
        1 => FRAC_2_PI * (angle + sine * sum),
        _ => sine * sum,
    };
    0.5 + 0.5 * between
}

/// The quantile of Student's distribution at this probability. Panics without a degree of freedom,
/// or unless the probability is between 0 and 1 (exclusive).
pub fn student_quantile(probability: f64, degrees: u64) -> f64 {
    solve(probability, |t| student_cdf(t, degrees))
}

/// Finds where a distribution around 0 reaches this probability, by bisection.
fn solve(probability: f64, cdf: impl Fn(f64) -> f64) -> f64 {
    assert!(
        probability > 0.0 && probability < 1.0,
        "a quantile's probability is between 0 and 1"
    );
    let mut end = 1.0;
    while end < 1e300 && (cdf(end) < probability || cdf(-end) > probability) {
        end *= 2.0;
    }
    let (mut low, mut high) = (-end, end);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        match cdf(middle) < probability {
            true => low = middle,
            false => high = middle,
        }
    }
}
