use super::Scalar;

/// Statistics of the updates of one side's moves in an epoch.
#[derive(Clone, Copy)]
pub(super) struct EpochStats {
    pub updates: u64,
    pub abs_td_error_sum: f64,
    step_size_sum: f64,
    /// The smallest and the largest step size.
    step_sizes: [f64; 2],
}

impl Default for EpochStats {
    fn default() -> EpochStats {
        EpochStats {
            updates: 0,
            abs_td_error_sum: 0.0,
            step_size_sum: 0.0,
            step_sizes: [f64::INFINITY, f64::NEG_INFINITY],
        }
    }
}

impl EpochStats {
    /// Counts an update.
    #[inline(always)]
    pub fn count(&mut self, step_size: f64, error: f64) {
        self.updates += 1;
        self.abs_td_error_sum += error.abs();
        self.step_size_sum += step_size;
        let [least, most] = &mut self.step_sizes;
        // Unlike `min` and `max`, each is one instruction: no step size is NaN.
        *least = if step_size < *least {
            step_size
        } else {
            *least
        };
        *most = if step_size > *most { step_size } else { *most };
    }

    /// The mean absolute TD error; none without an update.
    pub fn mean_abs_td_error(self) -> Scalar {
        Scalar::Number(self.mean(self.abs_td_error_sum))
    }

    /// The mean step size; none without an update. Rounded, it is kept within the range of the step sizes: the mean of
    /// a constant is the constant.
    pub fn mean_step_size(self) -> Scalar {
        let [least, most] = self.step_sizes;
        let mean = self.mean(self.step_size_sum);
        Scalar::Number(mean.map(|mean| mean.max(least).min(most)))
    }

    fn mean(self, sum: f64) -> Option<f64> {
        (self.updates > 0).then(|| sum / self.updates as f64)
    }
}
