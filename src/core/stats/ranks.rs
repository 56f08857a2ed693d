//! A test of two samples by the ranks of their values.

use std::f64::consts::FRAC_1_SQRT_2;
use std::iter::repeat_n;

use super::Tested;
use super::bootstrap::Pooled;

/// All ways to divide the ranks are counted if that takes at most this many additions.
const MOST_COUNTED: usize = 5_000_000;

/// Tests whether the values of one sample tend to be larger than the other's, by the sum of their ranks; equal values
/// share their mean rank (Mann & Whitney 1947). Small samples, and samples with few values that differ from the
/// commonest one, are compared with all ways to divide these very ranks; others with the normal distribution, corrected
/// for ties and continuity (Lehmann 1975, chapter 1). With an empty sample, p is 1.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Tested {
    let pooled = Pooled::new(a, b);
    let ([ca, cb], all) = (pooled.counts(), (a.len() + b.len()) as u64);
    let (n, m) = (a.len() as u64, b.len() as u64);
    let (mut below, mut sum) = (0, 0);
    let ranked: Vec<Ranked> = (ca.iter().zip(&cb))
        .map(|(&in_a, &in_b)| {
            let tied = u64::from(in_a) + u64::from(in_b);
            let rank = 2 * below + tied + 1;
            below += tied;
            sum += rank * u64::from(in_a);
            Ranked { rank, tied }
        })
        .collect();
    let (few, sum_of_few) = match n <= m {
        true => (n, sum),
        false => (m, all * (all + 1) - sum),
    };
    if few == 0 {
        return Tested::exact(1.0);
    }
    let centre = few * (all + 1);
    let far = sum_of_few.abs_diff(centre);
    if let Some(p) = counted(&ranked, few, |sum| sum.abs_diff(centre) >= far) {
        return Tested::exact(p);
    }
    let (n, m, all) = (n as f64, m as f64, all as f64);
    let ties = ranked.iter().map(|&Ranked { tied, .. }| {
        let tied = tied as f64;
        tied * (tied * tied - 1.0)
    });
    let less = ties.sum::<f64>() / (all * (all - 1.0));
    let variance = n * m / 12.0 * (all + 1.0 - less);
    let distance = (far as f64 / 2.0 - 0.5).max(0.0);
    let p = libm::erfc(distance / variance.sqrt() * FRAC_1_SQRT_2);
    Tested { p, exact: false }
}

/// A distinct value of the pooled samples.
struct Ranked {
    /// Twice its rank, a whole number.
    rank: u64,
    /// How often it occurs.
    tied: u64,
}

/// The share of the ways to take `few` of all values whose sum of (doubled) ranks satisfies `is_one`; `None` if
/// counting would take too long.
fn counted(ranked: &[Ranked], few: u64, is_one: impl Fn(u64) -> bool) -> Option<f64> {
    let usual = ranked.iter().max_by_key(|value| value.tied)?;
    let others = || ranked.iter().filter(|value| value.rank != usual.rank);
    let away = others().map(|value| value.rank.abs_diff(usual.rank));
    let step = away.fold(0, gcd).max(1) as i64;
    // Distances from the commonest value, which then adds nothing to a sum.
    let offset = |value: &Ranked| (value.rank as i64 - usual.rank as i64) / step;
    let offsets = others().flat_map(|value| repeat_n(offset(value), value.tied as usize));
    let offsets: Vec<i64> = offsets.collect();
    let most = offsets.len().min(few as usize);
    let least = most as i64 * offsets.iter().copied().min().unwrap_or(0).min(0);
    let greatest = most as i64 * offsets.iter().copied().max().unwrap_or(0).max(0);
    let sums = (greatest - least) as usize + 1;
    let additions = offsets.len().saturating_mul(most).saturating_mul(sums);
    if additions > MOST_COUNTED {
        return None;
    }
    // In how many ways a number of the other values add up to each sum.
    let mut ways = vec![vec![0.0; sums]; most + 1];
    ways[0][-least as usize] = 1.0;
    for (before, offset) in offsets.into_iter().enumerate() {
        let shift = offset.unsigned_abs() as usize;
        let (skipped, left_out) = if offset < 0 { (0, shift) } else { (shift, 0) };
        for count in (1..=most.min(before + 1)).rev() {
            let (with_fewer, with) = ways.split_at_mut(count);
            let from = with_fewer[count - 1].iter().skip(left_out);
            let to = with[0].iter_mut().skip(skipped);
            to.zip(from).for_each(|(to, from)| *to += from);
        }
    }
    // The rest are copies of the commonest value: `chosen` counts the ways, relative to those with the fewest others.
    let fewest = few.saturating_sub(usual.tied);
    let (mut chosen, mut found, mut all) = (1.0, 0.0, 0.0);
    for (count, ways) in (0..=most as u64).zip(&ways).skip(fewest as usize) {
        for (sum, ways) in (least..).zip(ways) {
            let sum = few as i64 * usual.rank as i64 + sum * step;
            all += ways * chosen;
            if is_one(sum as u64) {
                found += ways * chosen;
            }
        }
        chosen *= (few - count) as f64 / (usual.tied + count + 1 - few) as f64;
    }
    Some((found / all).min(1.0))
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
