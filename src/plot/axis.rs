//! The placement of things on an axis.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::figure::Axis;
use crate::text::{number, thousands};

/// An axis with a certain length.
pub(super) struct Scale {
    /// The places of its ends.
    ends: (f64, f64),
    /// The smallest value, if the axis is logarithmic.
    least: Option<f64>,
    labels: Vec<(f64, String)>,
}

/// The fewest pixels between ticks without labels.
const BETWEEN_TICKS: i32 = 8;

/// How many pixels closer to each other labels of given ticks may be than those of round ones.
const MOST_CLOSER: i32 = 6;

impl Scale {
    /// An axis over this many pixels, on which a label takes up `room` pixels; it extends beyond
    /// both ends by the share `margin` of its length. Errors: a sentence if it has no length.
    pub(super) fn new(
        axis: &Axis,
        pixels: i32,
        room: &dyn Fn(&str) -> i32,
        margin: f64,
    ) -> Result<Scale, String> {
        let mut scale = Scale {
            ends: (0.0, 1.0),
            least: axis.log.then_some(axis.low),
            labels: Vec::new(),
        };
        let (low, high) = (scale.place(axis.low), scale.place(axis.high));
        if !(low.is_finite() && high.is_finite() && low < high) {
            let Axis {
                label, low, high, ..
            } = axis;
            let [low, high] = [*low, *high].map(number);
            return Err(format!("there is no axis of {label} from {low} to {high}"));
        }
        scale.ends = (low, high);
        let to_pixels = |places: f64| (places / (high - low) * f64::from(pixels)) as i32;
        scale.labels = if axis.ticks.is_empty() {
            let magnitude = power_of_ten(libm::log10(high - low).floor() as i32 - 2);
            let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
            let labels = steps.into_iter().find_map(|step| {
                let step = step * magnitude;
                let labels = round_labels(low, high, step);
                let fits = |label: &(f64, String)| room(&label.1) <= to_pixels(step);
                labels.iter().all(fits).then_some(labels)
            });
            labels.unwrap_or_default()
        } else {
            scale.given_labels(axis, room, &to_pixels)
        };
        let margin = (high - low) * margin;
        scale.ends = (low - margin, high + margin);
        Ok(scale)
    }

    /// The ticks of an axis and their labels. Those without room for a label have none; the ends and powers of ten get
    /// theirs first.
    fn given_labels(
        &self,
        axis: &Axis,
        room: &dyn Fn(&str) -> i32,
        to_pixels: &dyn Fn(f64) -> i32,
    ) -> Vec<(f64, String)> {
        let texts: Vec<String> = axis.ticks.iter().map(|&tick| number(tick)).collect();
        let last = texts.len() - 1;
        let rank = |i: usize| match (i == 0 || i == last, axis.log && is_power(axis.ticks[i])) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        let between = |one: usize, other: usize| {
            let distance = self.place(axis.ticks[one]) - self.place(axis.ticks[other]);
            to_pixels(distance.abs())
        };
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&i| rank(i));
        let chosen = |from: &[usize], is_apart: &dyn Fn(usize, usize) -> bool| {
            let mut chosen: Vec<usize> = Vec::new();
            for &i in from {
                if chosen.iter().all(|&other| is_apart(i, other)) {
                    chosen.push(i);
                }
            }
            chosen
        };
        let mut ticked = chosen(&order, &|i, other| between(i, other) >= BETWEEN_TICKS);
        let labelled = chosen(&ticked, &|i, other| {
            let widths = room(&texts[i]) + room(&texts[other]);
            between(i, other) + MOST_CLOSER >= widths / 2
        });
        ticked.sort_unstable();
        let label = |i: usize| match labelled.contains(&i) {
            true => texts[i].clone(),
            false => String::new(),
        };
        let ticked = ticked.into_iter();
        ticked.map(|i| (axis.ticks[i], label(i))).collect()
    }

    /// The values that have a tick, with their labels, which are empty where there is no room.
    pub(super) fn labels(&self) -> &[(f64, String)] {
        &self.labels
    }

    /// The place of a value: equal distances between places look equal.
    fn place(&self, value: f64) -> f64 {
        self.least
            .map_or(value, |least| libm::log10(value.max(least)))
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, &value: &f64, (from, to): (i32, i32)) -> i32 {
        let (low, high) = self.ends;
        let share = (self.place(value) - low) / (high - low);
        from + (share * f64::from(to - from)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => Vec::new(),
            false => self.labels.iter().map(|label| label.0).collect(),
        }
    }

    /// Its ends, as values for [`Self::map`].
    fn range(&self) -> Range<f64> {
        let (low, high) = self.ends;
        match self.least {
            Some(_) => libm::pow(10.0, low)..libm::pow(10.0, high),
            None => low..high,
        }
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        let label = self.labels.iter().find(|label| label.0 == *value);
        label.map(|label| label.1.clone()).unwrap_or_default()
    }
}

fn is_power(value: f64) -> bool {
    value > 0.0 && libm::log10(value).fract() == 0.0
}

/// The number nearest to this power of ten, on any machine; on some, `libm::pow` is off by a digit.
pub fn power_of_ten(exponent: i32) -> f64 {
    let text = format!("1e{exponent}");
    text.parse().expect("a number")
}

/// The multiples of a step between two values.
fn round_labels(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    let decimals = (-libm::log10(step) - 1e-9).ceil().max(0.0) as usize;
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    let label = |n: i64| {
        let value = n as f64 * step;
        let sign = if value < 0.0 { "-" } else { "" };
        let text = match value.abs() {
            // Removes digits that come from rounding in the multiples.
            huge if huge >= 1e15 => number(format!("{value:.12e}").parse().unwrap_or(value)),
            large if large >= 1000.0 => sign.to_owned() + &thousands(large.round() as u64),
            _ => format!("{value:.decimals$}"),
        };
        (value, text)
    };
    (first..=last).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis, pixels: i32) -> Vec<String> {
        let scale = Scale::new(axis, pixels, &|text| 10 * text.len() as i32, 0.0).unwrap();
        scale.labels.into_iter().map(|label| label.1).collect()
    }

    #[test]
    fn ticks_are_round_and_have_room() {
        let axis = Axis::new("", 0.0, 5000.0);
        assert_eq!(texts(&axis, 150), ["0", "2,000", "4,000"]);
        let all = ["0", "1,000", "2,000", "3,000", "4,000", "5,000"];
        assert_eq!(texts(&axis, 300), all);
        let axis = Axis::new("", -2000.0, 1000.0);
        assert_eq!(texts(&axis, 300), ["-2,000", "-1,000", "0", "1,000"]);
        let axis = Axis::new("", 0.9, 1.0);
        assert_eq!(texts(&axis, 100), ["0.90", "0.95", "1.00"]);
        let axis = Axis::new("", 0.0, 1e90);
        assert_eq!(texts(&axis, 150), ["0", "5e89", "1e90"]);
    }

    #[test]
    fn powers_of_ten_are_exact_and_have_whole_logarithms() {
        assert_eq!([-5, 0, 3].map(power_of_ten), [1e-5, 1.0, 1e3]);
        for exponent in -20..=20 {
            let power = power_of_ten(exponent);
            assert_eq!(libm::log10(power), f64::from(exponent), "{power}");
        }
    }

    #[test]
    fn a_logarithmic_axis_has_equal_ratios_and_what_is_0_at_its_end() {
        let axis = Axis {
            ticks: vec![0.0, 0.01, 0.1, 1.0],
            log: true,
            ..Axis::new("", 0.001, 1.0)
        };
        let scale = Scale::new(&axis, 300, &|_| 40, 0.0).unwrap();
        let pixels = axis.ticks.iter().map(|tick| scale.map(tick, (0, 300)));
        assert_eq!(pixels.collect::<Vec<_>>(), [0, 100, 200, 300]);
        assert_eq!(texts(&axis, 300), ["0", "0.01", "0.1", "1"]);
        // A tick without room for a label has none.
        assert_eq!(texts(&axis, 60), ["0", "0.01", "", "1"]);
        // Ends and powers of ten come first.
        let axis = Axis {
            ticks: vec![0.5, 0.9, 1.0, 2.0, 9.0, 10.0, 20.0],
            log: true,
            ..Axis::new("", 0.5, 20.0)
        };
        assert_eq!(texts(&axis, 120), ["0.5", "1", "2", "10", "20"]);
        // Ticks that are too close to one another are merged.
        assert_eq!(texts(&axis, 60), ["0.5", "", "2", "", "20"]);
        let scale = Scale::new(&axis, 60, &|text| 10 * text.len() as i32, 0.0).unwrap();
        let ticks: Vec<f64> = scale.labels.iter().map(|label| label.0).collect();
        assert_eq!(ticks, [0.5, 1.0, 2.0, 10.0, 20.0]);
    }
}
