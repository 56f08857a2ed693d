//! A test of two samples by the ranks of their values.

use std::f64::consts::FRAC_1_SQRT_2;

use super::bootstrap::Pooled;
use super::{TOLERANCE, Tested};

/// All ways to divide the ranks are counted where the smaller sample times all values is at most this: that takes
/// about twice its square additions.
const MOST_COUNTED: u64 = 1_414;

/// Tests whether the values of one sample tend to be larger than the other's, by the sum of their ranks,
/// equal values having the mean of theirs (Mann & Whitney 1947). Small samples are compared with all ways
/// to divide these very ranks, others with the normal distribution, the variance less by the ties and half
/// a step nearer (Lehmann 1975, chapter 1). A sample without a value tells nothing: p is 1.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Tested {
    let pooled = Pooled::new(a, b);
    let ([ca, cb], all) = (pooled.counts(), (a.len() + b.len()) as u64);
    let (n, m) = (a.len() as u64, b.len() as u64);
    // Twice the rank of every value, so that they are whole.
    let mut below = 0;
    let ranked: Vec<(u64, u64, u64)> = (ca.iter().zip(&cb))
        .map(|(&in_a, &in_b)| {
            let (in_a, in_b) = (u64::from(in_a), u64::from(in_b));
            let tied = in_a + in_b;
            let rank = 2 * below + tied + 1;
            below += tied;
            (rank, in_a, tied)
        })
        .collect();
    let sum: u64 = ranked.iter().map(|&(rank, in_a, _)| rank * in_a).sum();
    let (few, sum_of_few) = match n <= m {
        true => (n, sum),
        false => (m, all * (all + 1) - sum),
    };
    let centre = few * (all + 1);
    if few == 0 {
        return Tested::exact(1.0);
    }
    if is_exact(few, all) {
        let ranks = ranked
            .iter()
            .flat_map(|&(rank, _, tied)| std::iter::repeat_n(rank, tied as usize));
        let ways = ways_by_sum(ranks, few as usize, all);
        let far = sum_of_few.abs_diff(centre);
        let as_far = ways.iter().enumerate();
        let as_far = as_far.filter(|(sum, _)| (*sum as u64).abs_diff(centre) >= far);
        let share = as_far.map(|(_, ways)| ways).sum::<f64>() / ways.iter().sum::<f64>();
        return Tested::exact(share.min(1.0));
    }
    let (n, m, all) = (n as f64, m as f64, all as f64);
    let ties = ranked.iter().map(|&(_, _, tied)| {
        let tied = tied as f64;
        tied * (tied * tied - 1.0)
    });
    let less = ties.sum::<f64>() / (all * (all - 1.0));
    let variance = n * m / 12.0 * (all + 1.0 - less);
    let distance = (sum_of_few.abs_diff(centre) as f64 / 2.0 - 0.5).max(0.0);
    let p = match variance > 0.0 {
        true => libm::erfc(distance / variance.sqrt() * FRAC_1_SQRT_2),
        false => 1.0,
    };
    Tested { p, exact: false }
}

/// Whether ranks are compared with all ways to divide them.
fn is_exact(few: u64, all: u64) -> bool {
    few * all <= MOST_COUNTED
}

/// The greatest p of at most `level` that the test of this many different values can come to, and how many
/// pairs of a value of either sample then have the lower one in the sample that tends to be higher. `None`
/// if there is none, or p is not exact.
pub(super) fn attained([n, m]: [usize; 2], level: f64) -> Option<(f64, usize)> {
    let (few, all) = (n.min(m), n + m);
    if few == 0 || !is_exact(few as u64, all as u64) {
        return None;
    }
    let ranks = (1..=all as u64).map(|rank| 2 * rank);
    let ways = ways_by_sum(ranks, few, all as u64);
    let total = ways.iter().sum::<f64>();
    let from_least = ways.iter().skip(few * (few + 1)).step_by(2);
    let ps = from_least.scan(0.0, |sum, ways| {
        *sum += 2.0 * ways / total;
        Some(*sum)
    });
    let small = ps.take_while(|p| *p <= level + TOLERANCE);
    small.enumerate().last().map(|(pairs, p)| (p, pairs))
}

/// In how many ways this many of the ranks come to each sum.
fn ways_by_sum(ranks: impl Iterator<Item = u64>, few: usize, all: u64) -> Vec<f64> {
    let most = few * 2 * all as usize;
    let mut ways = vec![vec![0.0; most + 1]; few + 1];
    ways[0][0] = 1.0;
    for (taken, rank) in ranks.enumerate() {
        for count in (1..=few.min(taken + 1)).rev() {
            let (with_fewer, with) = ways.split_at_mut(count);
            let from = &with_fewer[count - 1];
            let to = with[0].iter_mut().skip(rank as usize);
            to.zip(from).for_each(|(to, from)| *to += from);
        }
    }
    ways.swap_remove(few)
}
