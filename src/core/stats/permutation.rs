//! Permutation tests: the observation among all rearrangements that would be as likely without a difference.

use rand::Rng;

use super::{TOLERANCE, Tested, mean};
use crate::rng::{LabRng, below};

/// The most differences for which all signs are tried, and the most ways to divide values that are all tried.
const MOST_EXACT: usize = 20;
const MOST_WAYS: f64 = (1 << MOST_EXACT) as f64;
/// How many rearrangements as far from 0 as the observed one end the sampling, and the most that are drawn.
const ENOUGH: u64 = 1000;
const MOST_SAMPLED: u64 = 99_999;

/// Tests whether paired differences are as often below 0 as above it, by their sum: if it makes no difference which of
/// a pair is which, all signs are equally probable (Fisher 1935). Differences of 0 have no effect. For more than 20
/// others, signs are drawn from `rng`, until 1,000 sums are as far from 0 as the observed one (Besag & Clifford 1991),
/// at most 99,999 times, the observed one counting as one (Phipson & Smyth 2010).
pub fn sign_flip(differences: &[f64], rng: &mut LabRng) -> Tested {
    let sizes = differences.iter().map(|difference| difference.abs());
    let sizes: Vec<f64> = sizes.filter(|&size| size > TOLERANCE).collect();
    let all: f64 = sizes.iter().sum();
    // Sums of the same terms in another order differ only by rounding.
    let rounding = 1e-12 * all + TOLERANCE * differences.len() as f64;
    let observed = differences.iter().sum::<f64>().abs() - rounding;
    let blocks: Vec<[f64; 256]> = sizes.chunks(8).map(signed_sums).collect();
    let sum = |signs: &mut dyn FnMut(usize) -> usize| -> f64 {
        let terms = blocks.iter().enumerate();
        terms.map(|(i, block)| block[signs(i)]).sum()
    };
    if sizes.len() <= MOST_EXACT {
        let signs = 1u64 << sizes.len();
        let as_far = (0..signs)
            .filter(|signs| sum(&mut |i| (signs >> (8 * i)) as usize & 255).abs() >= observed);
        return Tested::exact(as_far.count() as f64 / signs as f64);
    }
    let p = share_of_sample(|| {
        let mut bits = 0;
        let mut signs = |i: usize| {
            bits = if i.is_multiple_of(8) {
                rng.next_u64()
            } else {
                bits >> 8
            };
            (bits & 255) as usize
        };
        sum(&mut signs).abs() >= observed
    });
    Tested { p, exact: false }
}

/// The sums of up to eight terms with each choice of signs, one bit per term.
fn signed_sums(terms: &[f64]) -> [f64; 256] {
    std::array::from_fn(|signs| {
        let signed = terms.iter().enumerate();
        signed
            .map(|(i, &term)| if signs >> i & 1 == 1 { term } else { -term })
            .sum()
    })
}

/// Tests whether the values of two samples are equally large, by the sum of one of them: if it makes no difference
/// which value is in which sample, all ways to divide them are equally probable (Pitman 1937). All are tried if there
/// are at most about a million; otherwise some are drawn, as [`sign_flip`] draws signs. With an empty sample, p is 1.
pub fn divide(a: &[f64], b: &[f64], rng: &mut LabRng) -> Tested {
    let mut all = [a, b].concat();
    let centre = mean(&all);
    all.iter_mut().for_each(|value| *value -= centre);
    let few = a.len().min(b.len());
    // The values are centred, so the other sample's sum is as far from 0.
    let observed = all[..a.len()].iter().sum::<f64>().abs();
    let observed = observed - 1e-12 * all.iter().map(|value| value.abs()).sum::<f64>() - TOLERANCE;
    let is_far = |sum: f64| sum.abs() >= observed;
    let ways = (1..=few).fold(1.0, |ways, i| {
        ways * (all.len() - few + i) as f64 / i as f64
    });
    if ways <= MOST_WAYS {
        return Tested::exact(divisions(&all, few, 0.0, &is_far) as f64 / ways.round());
    }
    let p = share_of_sample(|| {
        for i in 0..few {
            let left = (all.len() - i) as u32;
            all.swap(i, i + below(left, rng) as usize);
        }
        is_far(all[..few].iter().sum())
    });
    Tested { p, exact: false }
}

/// The number of ways to take `take` more of the values whose sum counts. The recursion is as deep as `take`, however
/// many values there are.
fn divisions(values: &[f64], take: usize, sum: f64, counts: &impl Fn(f64) -> bool) -> u64 {
    let Some(left) = take.checked_sub(1) else {
        return u64::from(counts(sum));
    };
    let firsts = values[..values.len() - left].iter().enumerate();
    firsts
        .map(|(i, first)| divisions(&values[i + 1..], left, sum + first, counts))
        .sum()
}

/// The share of random rearrangements whose result is as far as the observed one. They are drawn until 1,000 are, at
/// most 99,999 times; the observed one then counts as one of them.
fn share_of_sample(mut is_as_far: impl FnMut() -> bool) -> f64 {
    let (mut as_far, mut drawn) = (0, 0);
    while as_far < ENOUGH && drawn < MOST_SAMPLED {
        as_far += u64::from(is_as_far());
        drawn += 1;
    }
    match as_far < ENOUGH {
        true => (as_far + 1) as f64 / (drawn + 1) as f64,
        false => as_far as f64 / drawn as f64,
    }
}
