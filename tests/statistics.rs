//! Intervals and tests against known numbers: those of SciPy 1.17, statsmodels 0.14 and lifelines 0.30 for
//! the same input, and numbers counted here in a slow, obvious way.

use playlab::compare::{Comparison, Question};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::stats::{
    Bets, KaplanMeier, Pooled, Variances, Waited, divide, expanded_levels, fewest, holm,
    interquartile_mean, least_p, log_rank, mann_whitney, mean, mean_intervals, newcombe,
    newcombe_paired, normal_cdf, normal_quantile, sign_flip, student_cdf, student_quantile,
    variance, wilson,
};
use playlab::store::{RunDirectory, read_run};
use playlab::train::{Metric, MetricsRow, Recorded, TrainingRow};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::place::Place;

#[track_caller]
fn near(found: f64, expected: f64, error: f64) {
    assert!(
        (found - expected).abs() <= error,
        "{found} is not {expected}"
    );
}

fn rng(index: u64) -> LabRng {
    stream(7, Purpose::Permutation, 1, index)
}

#[test]
fn the_normal_distribution_and_students_have_scipys_numbers() {
    near(normal_cdf(-1.3), 0.09680048458561036, 1e-15);
    near(normal_cdf(-6.0) / 9.865876450376946e-10, 1.0, 1e-12);
    near(normal_quantile(0.9), 1.2815515655446004, 1e-13);
    let of_student = [
        (1, 0.6944001122142147, 12.706204736174694),
        (2, 0.7218034876835673, 4.302652729749462),
        (3, 0.7328365008476182, 3.1824463052837078),
        (4, 0.7387499172032749, 2.7764451051977934),
        (7, 0.7467412239022, 2.364624251592784),
        (10, 0.7500562149135578, 2.228138851986274),
        (29, 0.7552474256927582, 2.045229642132703),
    ];
    for (degrees, at, quantile) in of_student {
        near(student_cdf(0.7, degrees), at, 1e-12);
        near(student_cdf(-0.7, degrees), 1.0 - at, 1e-12);
        near(student_quantile(0.975, degrees), quantile, 1e-9);
    }
}

#[test]
fn the_interquartile_mean_is_scipys_trimmed_mean() {
    let values = [0.1, 0.9, 0.5, 0.7, 0.3, 0.2, 1.0, 0.6, 0.4, 0.8];
    near(interquartile_mean(&values), 0.55, 1e-15);
    // A quarter of five is one.
    near(interquartile_mean(&[5.0, 1.0, 2.0, 8.0, 9.0]), 5.0, 1e-15);
    assert_eq!(interquartile_mean(&[3.0, 1.0, 2.0]), 2.0);
    assert!(interquartile_mean(&[]).is_nan());
    near(variance(&[1.0, 2.0, 4.0]), 7.0 / 3.0, 1e-15);
}

#[test]
fn ranks_are_tested_exactly_or_as_scipy_does() {
    let found = mann_whitney(
        &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        &[4.5, 6.5, 8.0, 9.0, 10.0],
    );
    assert!(found.exact);
    near(found.p, 0.030303030303030304, 1e-15);
    // With ties: 14 of the 126 ways to divide the ranks are as far from the middle.
    let (a, b) = ([0.91, 0.95, 0.91, 0.97, 0.90], [0.93, 0.97, 0.97, 0.99]);
    near(mann_whitney(&a, &b).p, 14.0 / 126.0, 1e-15);
    assert_eq!(mann_whitney(&a, &b), mann_whitney(&b, &a));
    let many: Vec<f64> = (0..50_000).map(f64::from).collect();
    let found = mann_whitney(&many, &many);
    assert!(!found.exact && found.p == 1.0, "{found:?}");
    near(Pooled::new(&a, &b).above(), 0.85, 1e-15);
    // Many ties, by the normal distribution.
    let a: Vec<f64> = (0..60).map(|i| f64::from(i % 11)).collect();
    let b: Vec<f64> = (0..70).map(|i| f64::from(i * i % 13 + 1)).collect();
    let found = mann_whitney(&a, &b);
    assert!(!found.exact);
    near(found.p, 0.004477570538629032, 1e-12);
    near(Pooled::new(&b, &a).above(), 1494.0 / 4200.0, 1e-15);
    // Of two values: Fisher's exact test, and by hand 2 · C(30, 5) / C(60, 5) for the first.
    let share = |of_first: usize, all: usize| -> Vec<f64> {
        (0..all).map(|i| f64::from(i < of_first)).collect()
    };
    for (a, b, p) in [
        ((30, 30), (25, 30), 2.0 * 142_506.0 / 5_461_512.0),
        ((30, 30), (26, 30), 0.112_399_643_175_735_95),
        ((100, 100), (96, 100), 0.121_240_721_373_364_28),
    ] {
        let found = mann_whitney(&share(a.0, a.1), &share(b.0, b.1));
        assert!(found.exact);
        near(found.p, p, 1e-12);
    }
    // All values are the same.
    assert_eq!(mann_whitney(&[1.0; 30], &[1.0; 40]).p, 1.0);
    assert_eq!(mann_whitney(&[1.0; 3], &[1.0; 4]).p, 1.0);
    // Values that differ only by rounding are equal.
    assert_eq!(mann_whitney(&[0.3; 4], &[0.1 + 0.2; 4]).p, 1.0);
}

#[test]
fn signs_are_all_tried_or_drawn() {
    let differences = [0.3, -0.1, 0.2, 0.4, 0.0, 0.25, -0.05, 0.2];
    let found = sign_flip(&differences, &mut rng(0));
    assert_eq!((found.p, found.exact), (0.0625, true));
    assert_eq!(sign_flip(&[0.0; 9], &mut rng(0)).p, 1.0);
    assert_eq!(sign_flip(&[0.5; 6], &mut rng(0)).p, 2.0 / 64.0);
    // 0.11894504725933075 of the 2³⁰ sums are as far; 1,000 sums are drawn.
    let many: Vec<f64> = (0..30).map(|i| f64::from(i * 7 % 31 - 12) / 31.0).collect();
    let drawn = sign_flip(&many, &mut rng(1));
    assert!(!drawn.exact);
    near(drawn.p, 0.118945, 0.012);
    assert_eq!(drawn, sign_flip(&many, &mut rng(1)));
    // None of 99,999 is as far: p is never 0.
    assert_eq!(sign_flip(&[1.0; 50], &mut rng(2)).p, 1e-5);
}

#[test]
fn holm_adjusts_as_statsmodels_does() {
    let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.5]);
    for (found, expected) in adjusted.iter().zip([0.04, 0.09, 0.09, 0.025, 0.5]) {
        near(*found, expected, 1e-15);
    }
    assert_eq!(holm(&[0.7, 0.6]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

/// Weeks in remission of 42 children with leukaemia (Freireich et al. 1963), first those with a drug; the
/// number is negative where they were still in remission.
const DRUG: [i64; 21] = [
    6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35,
];
const PLACEBO: [i64; 21] = [
    1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23,
];

fn waited(weeks: &[i64]) -> Vec<Waited> {
    let one = |&weeks: &i64| Waited {
        time: weeks.unsigned_abs(),
        happened: weeks > 0,
    };
    weeks.iter().map(one).collect()
}

#[test]
fn waiting_times_have_the_numbers_of_lifelines() {
    let drug = KaplanMeier::new(&waited(&DRUG));
    assert_eq!(drug.median(), Some(23));
    assert_eq!(drug.median_interval(), (Some(13), None));
    let expected = [
        (6, 0.857143, 0.619718, 0.951552),
        (7, 0.806723, 0.563147, 0.922809),
        (10, 0.752941, 0.503200, 0.889362),
        (13, 0.690196, 0.431610, 0.849066),
        (16, 0.627451, 0.367511, 0.804912),
        (22, 0.537815, 0.267779, 0.746791),
        (23, 0.448179, 0.188052, 0.680143),
    ];
    assert_eq!(drug.steps.len(), expected.len());
    for (step, (time, left, low, high)) in drug.steps.iter().zip(expected) {
        assert_eq!(step.time, time);
        near(step.left, left, 1e-6);
        let ends = step.ends.unwrap();
        near(ends.0, low, 1e-6);
        near(ends.1, high, 1e-6);
    }
    let placebo = KaplanMeier::new(&waited(&PLACEBO));
    assert_eq!(placebo.median(), Some(8));
    assert_eq!(placebo.median_interval(), (Some(4), Some(11)));
    // For a share of 0 the method gives no interval.
    let last = placebo.steps[placebo.steps.len() - 1];
    assert_eq!((last.left, last.ends), (0.0, None));
    assert_eq!(
        KaplanMeier::new(&waited(&[5])).median_interval(),
        (None, None)
    );
    let five = KaplanMeier::new(&waited(&[1, 2, 3, 4, 5]));
    assert_eq!(five.median_interval(), (Some(1), None));
    // Nobody got there.
    assert_eq!(KaplanMeier::new(&waited(&[-5; 4])).median(), None);
}

/// The events of A beyond those expected at every time, from the definition (Mantel 1966).
fn more_than_expected(a: &[Waited], b: &[Waited]) -> f64 {
    let mut times: Vec<u64> = a.iter().chain(b).map(|one| one.time).collect();
    times.sort_unstable();
    times.dedup();
    let at = |time: u64| {
        let at_risk = |all: &[Waited]| all.iter().filter(|one| one.time >= time).count() as f64;
        let happened = |one: &&Waited| one.happened && one.time == time;
        let happened = |all: &[Waited]| all.iter().filter(happened).count() as f64;
        let share = at_risk(a) / (at_risk(a) + at_risk(b));
        happened(a) - (happened(a) + happened(b)) * share
    };
    times.into_iter().map(at).sum()
}

#[test]
fn waiting_times_are_compared_with_all_their_rearrangements() {
    let (a, b) = (waited(&[3, 5, -9, 4]), waited(&[2, 2, 3, -6, 7]));
    let observed = more_than_expected(&a, &b);
    let all = [a.clone(), b.clone()].concat();
    let (mut as_far, mut ways) = (0, 0);
    for chosen in (0u32..1 << all.len()).filter(|chosen| chosen.count_ones() == 4) {
        let of = |is_in: bool| -> Vec<Waited> {
            let numbered = all.iter().enumerate();
            let found = numbered.filter(|(i, _)| (chosen >> i & 1 == 1) == is_in);
            found.map(|one| *one.1).collect()
        };
        ways += 1;
        let more = more_than_expected(&of(true), &of(false));
        as_far += u64::from(more.abs() >= observed.abs() - 1e-9);
    }
    let found = log_rank(&a, &b, false, &mut rng(0));
    assert_eq!(ways, 126);
    near(found.tested.p, as_far as f64 / 126.0, 1e-12);
    assert!(found.tested.exact);
    near(found.excess, -observed, 1e-12);
    // The same seeds: in each pair, either member could have been the first.
    let b = waited(&[4, 6, -9, 2]);
    let observed = more_than_expected(&a, &b);
    let swapped = |swaps: u32| -> f64 {
        let one = |i: usize| {
            if swaps >> i & 1 == 1 {
                (b[i], a[i])
            } else {
                (a[i], b[i])
            }
        };
        let (x, y): (Vec<Waited>, Vec<Waited>) = (0..4).map(one).unzip();
        more_than_expected(&x, &y)
    };
    let as_far = (0..16).filter(|&swaps| swapped(swaps).abs() >= observed.abs() - 1e-9);
    let found = log_rank(&a, &b, true, &mut rng(0));
    near(found.tested.p, as_far.count() as f64 / 16.0, 1e-12);
    // Too many to try all: lifelines has 4.2e-5, from the normal distribution.
    let found = log_rank(&waited(&DRUG), &waited(&PLACEBO), false, &mut rng(0));
    assert!(!found.tested.exact && found.excess > 0.0);
    assert!((1e-5..2e-4).contains(&found.tested.p), "{}", found.tested.p);
    // Nobody got there, or there is nobody.
    let never = waited(&[-5; 4]);
    assert_eq!(log_rank(&never, &never, false, &mut rng(0)).tested.p, 1.0);
    assert_eq!(log_rank(&never, &never, true, &mut rng(0)).tested.p, 1.0);
    assert_eq!(log_rank(&never, &[], false, &mut rng(0)).tested.p, 1.0);
}

#[test]
fn sums_are_compared_with_all_ways_to_divide_or_some() {
    // Of the ten ways to take two of 1, 2, 3, 4, 10, two are as far: 4 + 10, and none below; 3 + 10 is nearer.
    let found = divide(&[4.0, 10.0], &[1.0, 2.0, 3.0], &mut rng(0));
    assert_eq!((found.p, found.exact), (0.1, true));
    assert_eq!(divide(&[0.5; 3], &[0.5; 9], &mut rng(0)).p, 1.0);
    assert_eq!(divide(&[], &[1.0, 2.0], &mut rng(0)).p, 1.0);
    // For ranks it is the rank test.
    let (a, b): (Vec<f64>, Vec<f64>) = (
        (0..15).map(|i| f64::from(2 * i)).collect(),
        (0..12).map(|i| f64::from(2 * i + 5)).collect(),
    );
    let rank = |value: &f64| {
        let below = a.iter().chain(&b).filter(|other| *other < value).count();
        below as f64
    };
    let ranks = [&a, &b].map(|all| all.iter().map(rank).collect::<Vec<f64>>());
    let found = divide(&ranks[0], &ranks[1], &mut rng(0));
    assert!(!found.exact);
    near(found.p, mann_whitney(&a, &b).p, 0.02);
    // One against very many: the greatest, or the least, is as far.
    let many: Vec<f64> = (0..900_000).map(f64::from).collect();
    let found = divide(&[900_000.0], &many, &mut rng(0));
    assert_eq!((found.p, found.exact), (2.0 / 900_001.0, true));
}

#[test]
fn differences_of_shares_are_as_published() {
    let shares = |yes: usize, of: usize| -> Vec<bool> { (0..of).map(|i| i < yes).collect() };
    let near_both = |(low, high): (f64, f64), expected: (f64, f64)| {
        near(low, expected.0, 1e-4);
        near(high, expected.1, 1e-4);
    };
    // Newcombe (1998), Statistics in Medicine 17:873, table II, method 10.
    near_both(newcombe(&shares(48, 80), &shares(56, 70)), (0.0524, 0.3339));
    near_both(newcombe(&shares(3, 10), &shares(9, 10)), (0.1705, 0.8090));
    near_both(newcombe(&shares(0, 29), &shares(5, 56)), (-0.0381, 0.1926));
    near_both(newcombe(&shares(0, 10), &shares(10, 10)), (0.6075, 1.0));
    // None of ten in both: the width of the interval is not 0.
    let (low, high) = newcombe(&shares(0, 10), &shares(0, 10));
    near_both((low, high), (-0.2775, 0.2775));
    // The same in pairs that are not correlated, as constants cannot be.
    assert_eq!(newcombe_paired(&shares(0, 10), &shares(0, 10)), (low, high));
    // Newcombe (1998), Statistics in Medicine 17:2635, table III, method 10: of 50 pairs 36 agree on yes, 2 have
    // it in the first alone and 12 in the second.
    let of_first: Vec<bool> = (0..50).map(|i| i < 38).collect();
    let of_second: Vec<bool> = (0..50).map(|i| !(36..38).contains(&i)).collect();
    near_both(newcombe_paired(&of_first, &of_second), (0.0569, 0.3404));
}

#[test]
fn resamples_have_the_numbers_that_the_normal_distribution_promises() {
    let mut rng = rng(0);
    let draw = |rng: &mut LabRng, centre: f64| -> Vec<f64> {
        let normal = |_| {
            let value: f64 = StandardNormal.sample(&mut *rng);
            centre + value
        };
        (0..400).map(normal).collect()
    };
    let (a, b) = (draw(&mut rng, 0.0), draw(&mut rng, 0.2));
    let found = Pooled::new(&a, &b).resample(false, &mut rng).unwrap();
    let centre = mean(&b) - mean(&a);
    let error = 1.96 * ((variance(&a) + variance(&b)) / 400.0).sqrt();
    near(found.difference.0, centre - error, 0.1 * error);
    near(found.difference.1, centre + error, 0.1 * error);
    // Each pair with itself differs by nothing, whatever is drawn.
    let itself = Pooled::new(&a, &a).resample(true, &mut rng).unwrap();
    assert_eq!(itself.difference, (0.0, 0.0));
    assert_eq!(itself.above, (0.5, 0.5));
    let [of_mean, of_middle] = mean_intervals(&a).map(Option::unwrap);
    let error = 1.96 * (variance(&a) / 400.0).sqrt();
    near(of_mean.0, mean(&a) - error, 0.1 * error);
    near(of_mean.1, mean(&a) + error, 0.1 * error);
    // The middle half of normal values locates the centre nearly as well: its variance is 1.19 times as large.
    let (middle, error) = (interquartile_mean(&a), 1.19f64.sqrt() * error);
    near(of_middle.0, middle - error, 0.25 * error);
    near(of_middle.1, middle + error, 0.25 * error);
    // Equal values say nothing about how they vary.
    assert_eq!(mean_intervals(&[0.5; 10]), [None; 2]);
    assert_eq!(mean_intervals(&[0.5]), [None; 2]);
    assert!(Pooled::new(&[1.0], &a).resample(false, &mut rng).is_none());
    // From Hesterberg 2015, table of the expanded levels: 2.5 % become 0.9 % with ten values.
    near(expanded_levels(10).unwrap().0, 0.0086, 1e-4);
    near(expanded_levels(100_000).unwrap().1, 0.975, 1e-4);
}

#[test]
fn the_seeds_that_it_takes_are_as_in_statsmodels() {
    let paired = Variances::Paired(1.0);
    let separate = Variances::Separate(1.0, 1.0);
    for (difference, pairs, each) in [(0.3, 90, 176), (0.5, 34, 64)] {
        assert_eq!(paired.values_to_find(difference, 0.05), Some(pairs));
        assert_eq!(separate.values_to_find(difference, 0.05), Some(each));
    }
    assert_eq!(separate.values_to_find(0.5, 0.01), Some(96));
    assert_eq!(paired.values_to_find(0.0, 0.05), None);
    // Six pairs that all differ the same way give 2 / 2⁶; four seeds a run, entirely apart, give 2 / 70.
    assert_eq!((fewest(true, 0.05), fewest(false, 0.05)), (6, 4));
    assert_eq!(paired.values_to_find(1e6, 0.05), Some(6));
    // In runs of different sizes all seeds count: 2 / (12 over 2) is enough, 2 / (4 over 2) is not.
    near(least_p(false, [2, 10]), 2.0 / 66.0, 1e-15);
    near(least_p(false, [10, 2]), 2.0 / 66.0, 1e-15);
    near(least_p(false, [2, 2]), 2.0 / 6.0, 1e-15);
    near(least_p(true, [5, 5]), 2.0 / 32.0, 1e-15);
    assert_eq!(least_p(true, [0, 0]), 1.0);
}

#[test]
fn the_difference_that_seeds_can_find_needs_as_many_seeds() {
    for (variances, fewest) in [
        (Variances::Paired(0.3), 6),
        (Variances::Separate(0.2, 0.5), 4),
    ] {
        for values in [fewest, 10, 20, 100] {
            let found = variances.difference_to_find([values; 2], 0.05).unwrap();
            let needed = variances.values_to_find(found, 0.05);
            assert_eq!(needed, Some(values as u64), "{variances:?} {found}");
        }
        // With one seed less not even the largest difference is found.
        assert_eq!(variances.difference_to_find([fewest - 1; 2], 0.05), None);
    }
    // Samples whose variance is 0.
    assert_eq!(
        Variances::Paired(0.0).difference_to_find([20; 2], 0.05),
        None
    );
    let constant = Variances::Separate(0.0, 1.0);
    assert_eq!(constant.difference_to_find([20; 2], 0.05), None);
    // What rounding makes of equal values does not count as variance.
    let rounded = variance(&[0.1 + 0.2, 0.3, 0.3, 0.3]);
    assert!(rounded > 0.0);
    let paired = Variances::Paired(rounded);
    assert_eq!(paired.difference_to_find([20; 2], 0.05), None);
    assert_eq!(paired.values_to_find(1e-9, 0.05), Some(6));
    for variances in [
        Variances::Separate(rounded, 1.0),
        Variances::Separate(1.0, rounded),
    ] {
        assert_eq!(variances.difference_to_find([20; 2], 0.05), None);
    }
}

/// The share of many comparisons of samples of one kind that call a difference.
fn called(count: u64, test: impl Fn(&mut LabRng) -> f64) -> f64 {
    called_at(0.05, count, test)
}

/// The same, where p has to be at most `level`.
fn called_at(level: f64, count: u64, test: impl Fn(&mut LabRng) -> f64) -> f64 {
    let calls = (0..count).filter(|&i| test(&mut rng(i)) <= level);
    calls.count() as f64 / count as f64
}

/// Results with many ties, as seeds have: half of them perfect, some nearly so.
fn result(rng: &mut LabRng) -> f64 {
    match rng.random_range(0..4) {
        0 | 1 => 1.0,
        2 => 0.95,
        _ => rng.random_range(0.8..1.0),
    }
}

#[test]
fn equal_configs_are_called_different_as_often_as_promised() {
    let some =
        |count: usize, rng: &mut LabRng| -> Vec<f64> { (0..count).map(|_| result(rng)).collect() };
    for (n, m) in [(10, 10), (8, 30), (60, 60)] {
        let share = called(5000, |rng| {
            let (a, b) = (some(n, rng), some(m, rng));
            mann_whitney(&a, &b).p
        });
        assert!((0.03..=0.07).contains(&share), "{n} and {m}: {share}");
    }
    for n in [12, 40] {
        let share = called(1000, |rng| {
            // The seed has a part in both.
            let pair = |rng: &mut LabRng| {
                let common = result(rng);
                common * (result(rng) - result(rng))
            };
            let differences: Vec<f64> = (0..n).map(|_| pair(rng)).collect();
            sign_flip(&differences, rng).p
        });
        assert!((0.03..=0.07).contains(&share), "{n} pairs: {share}");
    }
    // Waiting times, a third of them cut off. With few seeds p can take few values, and calls fewer differences.
    for (n, m, least) in [
        (3, 3, 0.0),
        (2, 10, 0.02),
        (3, 10, 0.03),
        (5, 5, 0.03),
        (10, 10, 0.035),
    ] {
        let share = called(2000, |rng| {
            let times = |count: usize, rng: &mut LabRng| -> Vec<Waited> {
                let one = |_| match rng.random_range(1..60) {
                    time @ ..40 => Waited {
                        time,
                        happened: true,
                    },
                    _ => Waited {
                        time: 40,
                        happened: false,
                    },
                };
                (0..count).map(one).collect()
            };
            let (a, b) = (times(n, rng), times(m, rng));
            log_rank(&a, &b, false, rng).tested.p
        });
        assert!(
            (least..=0.06).contains(&share),
            "waiting, {n} and {m}: {share}"
        );
    }
    let share = called(2000, |rng| {
        // The seed has a part in both.
        let times = (0..10).map(|_| {
            let common = rng.random_range(1..40);
            [rng.random_range(0..20), rng.random_range(0..20)].map(|own| Waited {
                time: (common + own).min(45),
                happened: common + own < 45,
            })
        });
        let (a, b): (Vec<Waited>, Vec<Waited>) = times.map(|[a, b]| (a, b)).unzip();
        log_rank(&a, &b, true, rng).tested.p
    });
    assert!((0.035..=0.06).contains(&share), "waiting, pairs: {share}");
}

#[test]
fn a_difference_is_found_about_four_times_in_five_except_by_the_fewest_seeds() {
    let normal = |rng: &mut LabRng| -> f64 { StandardNormal.sample(rng) };
    for (pairs, level, least) in [
        (6, 0.05, 0.565),
        (7, 0.05, 0.715),
        (10, 0.05, 0.745),
        (10, 0.05 / 7.0, 0.665),
        (24, 0.05, 0.765),
    ] {
        let found = Variances::Paired(1.0).difference_to_find([pairs; 2], level);
        let difference = found.unwrap();
        let share = called_at(level, 2000, |rng| {
            let differences: Vec<f64> = (0..pairs).map(|_| difference + normal(rng)).collect();
            sign_flip(&differences, rng).p
        });
        let place = format!("{pairs} pairs at {level}");
        assert!((least..=0.825).contains(&share), "{place}: {share}");
    }
    for (size, level, least) in [
        (4, 0.05, 0.565),
        (5, 0.05, 0.635),
        (6, 0.05, 0.69),
        (10, 0.05, 0.715),
        (6, 0.05 / 7.0, 0.605),
        (25, 0.05, 0.74),
        (45, 0.05, 0.74),
    ] {
        let found = Variances::Separate(1.0, 1.0).difference_to_find([size; 2], level);
        let difference = found.unwrap();
        let share = called_at(level, 2000, |rng| {
            let some = |centre: f64, rng: &mut LabRng| -> Vec<f64> {
                (0..size).map(|_| centre + normal(rng)).collect()
            };
            let (a, b) = (some(0.0, rng), some(difference, rng));
            mann_whitney(&a, &b).p
        });
        let place = format!("{size} and {size} at {level}");
        assert!((least..=0.825).contains(&share), "{place}: {share}");
    }
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say_also_of_few_seeds() {
    let covered = (0..1000).filter(|&i| {
        let mut rng = rng(i);
        let values: Vec<f64> = (0..10).map(|_| StandardNormal.sample(&mut rng)).collect();
        let (low, high) = mean_intervals(&values)[0].unwrap();
        low <= 0.0 && 0.0 <= high
    });
    let share = covered.count() as f64 / 1000.0;
    assert!((0.93..=0.97).contains(&share), "{share}");
    // Shares of ten seeds, one in twenty and one in two; the probabilities are those of the binomial
    // distribution.
    for (probability, seeds) in [(0.05, 10), (0.5, 10), (0.9, 5)] {
        let covered: f64 = (0..=seeds)
            .filter(|&yes| {
                let (low, high) = wilson(yes, seeds);
                low <= probability && probability <= high
            })
            .map(|yes| {
                let ways: f64 = (0..yes)
                    .map(|i| (seeds - i) as f64 / (i + 1) as f64)
                    .product();
                let no = (seeds - yes) as i32;
                ways * f64::powi(probability, yes as i32) * f64::powi(1.0 - probability, no)
            })
            .sum();
        assert!(covered > 0.91, "{probability}: {covered}");
    }
    // And differences of two such shares, paired or not.
    for paired in [false, true] {
        let covered = (0..2000).filter(|&i| {
            let mut rng = rng(i);
            let mut a = Vec::new();
            let mut b = Vec::new();
            for _ in 0..10 {
                let common = rng.random_bool(0.5);
                let mut draw = |probability: f64| match paired && common {
                    true => rng.random_bool(0.5),
                    false => rng.random_bool(probability),
                };
                a.push(draw(0.9));
                b.push(draw(0.7));
            }
            let (low, high) = match paired {
                true => newcombe_paired(&a, &b),
                false => newcombe(&a, &b),
            };
            let truth = if paired { -0.1 } else { -0.2 };
            low <= truth && truth <= high
        });
        let share = covered.count() as f64 / 2000.0;
        assert!(share > 0.93, "{paired}: {share}");
    }
}

#[test]
fn bets_equal_the_mixture_in_closed_form() {
    // For wins and losses alone the mean of the bets is 2ⁿ⁺¹ B(w + 1, l + 1) / 2, from ∫ p^w (1 − p)^l dp.
    let mut bets = Bets::new(2);
    for i in 0..20 {
        bets.add(usize::from(i < 15));
    }
    // 15! 5! / 21! · 2²⁰
    let beta: f64 = (1..=5)
        .map(|i| f64::from(i) / f64::from(15 + i))
        .product::<f64>()
        / 21.0;
    near(bets.log_capital(0.5), (beta * 2f64.powi(20)).ln(), 1e-3);
    assert_eq!((bets.results(), bets.mean()), (20, 0.75));
    assert!(!bets.refutes(0.5, 0.95));
    let (low, high) = bets.interval(0.95);
    assert!(low < 0.5 && 0.9 < high && high < 1.0, "{low} {high}");
    // The mean is not refuted, and a half just barely is.
    let mut drawn = Bets::new(5);
    for (result, count) in [0, 14, 25_785].into_iter().enumerate() {
        (0..count).for_each(|_| drawn.add(result));
    }
    let (low, high) = drawn.interval(0.95);
    near(low, 0.49972, 2e-5);
    near(high, 0.49999, 2e-5);
    assert!(low <= drawn.mean() && drawn.mean() <= high && high < 0.5);
    assert!(drawn.refutes(0.5, 0.95));
    // Results of a half say nothing against a half.
    let mut even = Bets::new(3);
    (0..1000).for_each(|_| even.add(1));
    assert!(even.log_capital(0.5).abs() < 1e-9);
}

#[test]
fn the_interval_of_bets_holds_the_mean_and_leaves_out_what_is_refuted() {
    for i in 0..200 {
        let mut rng = rng(i);
        let mut bets = Bets::new(5);
        let most = rng.random_range(0..5);
        for _ in 0..rng.random_range(1..200) {
            bets.add(if rng.random_bool(0.7) {
                most
            } else {
                rng.random_range(0..5)
            });
        }
        let (low, high) = bets.interval(0.95);
        let mean = bets.mean();
        assert!(low <= mean && mean <= high, "{low} {mean} {high}");
        assert_eq!(
            bets.refutes(0.5, 0.95),
            !(low..=high).contains(&0.5),
            "{low} {high}"
        );
    }
}

#[test]
fn a_match_between_equals_is_called_at_most_as_often_as_promised_however_often_one_looks() {
    // Half of the games are drawn; the match is checked after every game.
    let wrong = (0..1000).filter(|&i| {
        let mut rng = rng(i);
        let mut bets = Bets::new(3);
        (0..400).any(|_| {
            bets.add([0, 1, 1, 2][rng.random_range(0..4)]);
            bets.refutes(0.5, 0.95)
        })
    });
    let share = wrong.count() as f64 / 1000.0;
    assert!(share <= 0.05, "{share}");
    // A stronger one is found.
    let found = (0..100).filter(|&i| {
        let mut rng = rng(i);
        let mut bets = Bets::new(3);
        (0..400).any(|_| {
            bets.add([0, 1, 2, 2][rng.random_range(0..4)]);
            bets.refutes(0.5, 0.95)
        })
    });
    assert!(found.count() > 95);
}

/// Ten seeds of a run as a run of their own, numbered from 1 if they should be paired.
fn ten_seeds(all: &Recorded, first: u64, are_paired: bool) -> Recorded {
    let number = |seed: u64| if are_paired { seed - first + 1 } else { seed };
    let metrics = &all.metrics[all.metrics.partition_point(|row| row.seed < first)..];
    let training = &all.training[all.training.partition_point(|row| row.seed < first)..];
    let metrics = metrics.iter().take_while(|row| row.seed < first + 10);
    let training = training.iter().take_while(|row| row.seed < first + 10);
    Recorded {
        name: format!("from-{first}"),
        config: all.config.clone(),
        metrics: metrics
            .map(|row| MetricsRow {
                seed: number(row.seed),
                ..row.clone()
            })
            .collect(),
        training: training
            .map(|row| TrainingRow {
                seed: number(row.seed),
                ..row.clone()
            })
            .collect(),
        finished: true,
    }
}

/// Prints how often `lab compare` calls equal configs different, ten seeds each.
#[test]
#[ignore = "trains 20,000 seeds"]
fn equal_trainings_are_called_different_as_often_as_promised() {
    let place = Place::new();
    place.write("small.toml", crate::place::SMALL);
    let sets = ["epochs=1", "episodes_per_epoch=400", "seeds=20000"];
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    let train = ["train", "small.toml", "--out", "all"];
    place.ok(&train.into_iter().chain(sets).collect::<Vec<_>>());
    let all = read_run(&RunDirectory::open(&place.path("all")).unwrap()).unwrap();
    for (metric, are_paired) in [
        (Metric::WinRate, false),
        (Metric::WinRate, true),
        (Metric::OptimalMoveRate, false),
        (Metric::OptimalMoveRate, true),
    ] {
        let question = Question {
            metrics: vec![metric],
            ..Question::default()
        };
        let calls = (0..1000).filter(|pair| {
            let runs = [1, 11].map(|first| {
                let first = 20 * pair + first;
                ten_seeds(&all, first, are_paired)
            });
            let found = Comparison::of(&runs, &question, 2).unwrap();
            let pair = &found.subjects[0].pairs[0];
            assert_eq!(pair.paired, are_paired);
            pair.p.unwrap() <= 0.05
        });
        let share = calls.count() as f64 / 1000.0;
        let how = if are_paired { "paired" } else { "apart" };
        println!("{}, {how}: {share}", metric.name());
        assert!((0.03..=0.07).contains(&share), "{metric:?}, {how}: {share}");
    }
}
