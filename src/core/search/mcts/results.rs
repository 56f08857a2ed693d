use super::sampling::beta;
use crate::game::Value;
use crate::rng::LabRng;

/// Results of simulations, for one of the sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// The number of simulations.
    pub visits: u32,
    /// How many were won.
    pub wins: u32,
    /// How many were drawn.
    pub draws: u32,
}

impl Results {
    /// Counts one more simulation.
    #[inline]
    pub(super) fn add(&mut self, value: Value) {
        self.visits += 1;
        match value {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => {}
        }
    }

    /// The sum of the results, with 1 for a win.
    #[inline]
    pub(super) fn sum(self, draw_value: f64) -> f64 {
        f64::from(self.wins) + draw_value * f64::from(self.draws)
    }

    /// The term of UCB1-tuned beside the mean: √(ln N / n · min(¼, v + √2 √(ln N / n)))
    /// with the variance v of the results, given `spread`, √(ln N / n).
    pub(super) fn tuned(self, draw_value: f64, spread: f64) -> f64 {
        let samples = f64::from(self.visits.max(1));
        let (wins, draws) = (f64::from(self.wins), f64::from(self.draws));
        let mean = (wins + draw_value * draws) / samples;
        let variance = (wins + draw_value * draw_value * draws) / samples - mean * mean;
        // Rounding can make a variance of 0 negative.
        let bound = (variance + std::f64::consts::SQRT_2 * spread).clamp(0.0, 0.25);
        spread * bound.sqrt()
    }

    /// A sample from Thompson sampling's posterior distribution of the mean.
    pub(super) fn sample(self, draw_value: f64, rng: &mut LabRng) -> f64 {
        let sum = self.sum(draw_value);
        beta(1.0 + sum, 1.0 + f64::from(self.visits) - sum, rng)
    }
}
