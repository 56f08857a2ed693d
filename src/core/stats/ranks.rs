//! A test of two samples by the ranks of their values.

use std::f64::consts::FRAC_1_SQRT_2;

use super::Tested;
use super::bootstrap::Pooled;

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
    if few * all <= MOST_COUNTED {
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
