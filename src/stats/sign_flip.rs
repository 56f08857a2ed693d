use rand::Rng;

use super::{TOLERANCE, Tested};
use crate::rng::LabRng;

/// Up to so many differences all signs are tried.
const MOST_EXACT: usize = 20;
/// A sample of signs ends with so many sums as far from 0 as the observed one, or with so many signs.
const ENOUGH: u64 = 1000;
const MOST_SAMPLED: u64 = 99_999;

/// Tests whether paired differences are as often below 0 as above it, by their sum: if it makes no
/// difference which of a pair is which, all signs are as probable (Fisher 1935). Differences of 0 change
/// nothing. Of more than 20 others the signs are drawn from `rng`, until 1,000 sums are as far from 0 as
/// the observed one (Besag & Clifford 1991), at most 99,999 times, the observed one counting as one
/// (Phipson & Smyth 2010).
pub fn sign_flip(differences: &[f64], rng: &mut LabRng) -> Tested {
    let sizes = differences.iter().map(|difference| difference.abs());
    let sizes: Vec<f64> = sizes.filter(|&size| size > TOLERANCE).collect();
    let all: f64 = sizes.iter().sum();
    // Sums of the same terms in another order are the same, but for rounding.
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
        return Tested {
            p: as_far.count() as f64 / signs as f64,
            exact: true,
        };
    }
    let (mut as_far, mut drawn) = (0, 0);
    while as_far < ENOUGH && drawn < MOST_SAMPLED {
        let mut bits = 0;
        let mut signs = |i: usize| {
            bits = if i.is_multiple_of(8) {
                rng.next_u64()
            } else {
                bits >> 8
            };
            (bits & 255) as usize
        };
        as_far += u64::from(sum(&mut signs).abs() >= observed);
        drawn += 1;
    }
    Tested {
        p: match as_far < ENOUGH {
            true => (as_far + 1) as f64 / (drawn + 1) as f64,
            false => as_far as f64 / drawn as f64,
        },
        exact: false,
    }
}

/// The sum of up to eight terms with each choice of signs, a bit for each.
fn signed_sums(terms: &[f64]) -> [f64; 256] {
    std::array::from_fn(|signs| {
        let signed = terms.iter().enumerate();
        signed
            .map(|(i, &term)| if signs >> i & 1 == 1 { term } else { -term })
            .sum()
    })
}
