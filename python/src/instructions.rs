//! The vector instructions that the processor has.

use playlab::graph::{Baseline, Instructions, Work};

/// The best instructions that sweeps can use, chosen when the program runs.
pub struct Best;

impl Instructions for Best {
    fn run(work: &mut impl Work) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            unsafe { run_with_avx2(work) };
            return;
        }
        Baseline::run(work);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2(work: &mut impl Work) {
    work.go();
}
