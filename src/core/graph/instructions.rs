/// The processor instructions that sweeps are compiled for.
///
/// Only unsafe code can choose instructions at run time, and the library has none. A program that embeds it may: its
/// `run` does the work in a function that is compiled for more instructions. Results are identical to the bit.
pub trait Instructions {
    /// Does the work.
    fn run(work: &mut impl Work);
}

/// A sweep, which is compiled for the instructions of the function that calls it.
pub trait Work {
    /// Does the sweep; always inlined.
    fn go(&mut self);
}

/// The instructions that every processor has for which the library is compiled.
pub struct Baseline;

impl Instructions for Baseline {
    #[inline(always)]
    fn run(work: &mut impl Work) {
        work.go();
    }
}
