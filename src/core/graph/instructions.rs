/// Which instructions of the processor sweeps are compiled for.
///
/// Only unsafe code can choose them when a program runs, and the library has none. A program that embeds
/// it may: its `run` does the work in a function that is compiled for more. Results are the same to the
/// bit.
pub trait Instructions {
    /// Does the work.
    fn run(work: &mut impl Work);
}

/// A sweep, compiled for the instructions of the function that calls it.
pub trait Work {
    /// Does it; always inlined.
    fn go(&mut self);
}

/// The instructions of every processor for which the library is compiled.
pub struct Baseline;

impl Instructions for Baseline {
    #[inline(always)]
    fn run(work: &mut impl Work) {
        work.go();
    }
}
