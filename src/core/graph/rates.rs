use crate::game::Value;

/// The probabilities of the three results for one side, or their shares of games; they add
/// up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// The rate of wins by that side.
    pub win: f64,
    /// The rate of draws.
    pub draw: f64,
    /// The rate of losses by that side.
    pub loss: f64,
}

impl Rates {
    /// The rates if this result is certain.
    #[inline]
    pub fn certain(value: Value) -> Rates {
        let mut rates = Rates::default();
        rates.add(value, 1.0);
        rates
    }

    /// Adds probability to one of the results.
    #[inline]
    pub fn add(&mut self, value: Value, probability: f64) {
        match value {
            Value::Win => self.win += probability,
            Value::Draw => self.draw += probability,
            Value::Loss => self.loss += probability,
        }
    }

    /// Adds the rates of an event that happens with probability `factor`.
    pub(crate) fn add_scaled(&mut self, other: Rates, factor: f64) {
        self.win += factor * other.win;
        self.draw += factor * other.draw;
        self.loss += factor * other.loss;
    }

    /// The rates, each limited to 1, which rounding may exceed.
    pub(crate) fn clamped(self) -> Rates {
        Rates {
            win: self.win.min(1.0),
            draw: self.draw.min(1.0),
            loss: self.loss.min(1.0),
        }
    }

    /// The expected score: 1 for a win, ½ for a draw, 0 for a loss.
    pub fn score(&self) -> f64 {
        self.win + 0.5 * self.draw
    }
}
