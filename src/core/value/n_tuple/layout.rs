//! How the weights of a tuple are numbered.

use super::columns::Column;

/// How the weights of a tuple are numbered: by what stands on its squares in each column, the first
/// column counting fastest.
#[derive(Debug)]
pub struct Layout {
    parts: Vec<Part>,
}

/// The squares of a tuple in one column.
#[derive(Debug)]
struct Part {
    column: usize,
    /// Their places in the tuple, and their heights in the column.
    places: Vec<(usize, usize)>,
    /// What can stand there: digits by place, the first one counting fastest.
    states: Vec<Vec<u32>>,
    /// The distance between the weights' numbers of one of them and the next.
    step: u32,
}

impl Part {
    /// What these digits of its squares add to a weight's number.
    fn number(&self, digits: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let mut states = self.states.iter();
        let at = states.position(|state| digits.clone().eq(state.iter().copied()))?;
        Some(at as u32 * self.step)
    }
}

impl Layout {
    /// The layout of a tuple of squares with this number of states.
    pub fn new(columns: &[Column], tuple: &[usize], states: u32) -> Layout {
        let mut parts: Vec<Part> = Vec::new();
        for (place, &square) in tuple.iter().enumerate() {
            let found = columns.iter().enumerate().find_map(|(number, column)| {
                let height = column.squares.iter().position(|&other| other == square)?;
                Some((number, height))
            });
            let Some((column, height)) = found else {
                continue;
            };
            match parts.iter_mut().find(|part| part.column == column) {
                Some(part) => part.places.push((place, height)),
                None => parts.push(Part {
                    column,
                    places: vec![(place, height)],
                    states: Vec::new(),
                    step: 0,
                }),
            }
        }
        let mut step: u32 = 1;
        for part in &mut parts {
            let column = &columns[part.column];
            let fillings = (0..column.fillings()).map(|filling| column.digits(filling, states));
            let reversed = fillings.map(|digits| -> Vec<u32> {
                let heights = part.places.iter().rev();
                heights.map(|&(_, height)| digits[height]).collect()
            });
            let mut states: Vec<Vec<u32>> = reversed.collect();
            states.sort_unstable();
            states.dedup();
            states.iter_mut().for_each(|state| state.reverse());
            part.states = states;
            part.step = step;
            step = step.saturating_mul(part.states.len() as u32);
        }
        Layout { parts }
    }

    /// How many weights there are.
    pub fn count(&self) -> u64 {
        self.parts
            .iter()
            .map(|part| part.states.len() as u64)
            .product()
    }

    /// Whether the tuple has squares in a column.
    pub fn touches(&self, column: usize) -> bool {
        self.parts.iter().any(|part| part.column == column)
    }

    /// What the digits of a column add to a weight's number.
    pub fn part(&self, column: usize, digits: &[u32]) -> u32 {
        let Some(part) = self.parts.iter().find(|part| part.column == column) else {
            return 0;
        };
        let own = part.places.iter().map(|&(_, height)| digits[height]);
        part.number(own).unwrap_or_default()
    }

    /// For each weight, how far above it the next one lies that differs only in the order of the squares,
    /// modulo 2³²; after the last one comes the first. The identity is among the orders.
    pub fn steps(&self, orders: &[Vec<u32>]) -> impl Iterator<Item = u32> {
        let step = |weight: u32| {
            let digits = self.digits(weight);
            let in_order = |order: &Vec<u32>| -> Option<u32> {
                let mut moved = vec![0; digits.len()];
                for (&digit, &to) in digits.iter().zip(order) {
                    moved[to as usize] = digit;
                }
                self.number(&moved)
            };
            let steps = orders.iter().filter_map(in_order);
            let steps = steps.map(|other| other.wrapping_sub(weight));
            steps.filter(|&step| step > 0).min().unwrap_or(0)
        };
        (0..self.count() as u32).map(step)
    }

    /// The digits by place that a weight stands for.
    fn digits(&self, weight: u32) -> Vec<u32> {
        let places: usize = self.parts.iter().map(|part| part.places.len()).sum();
        let mut digits = vec![0; places];
        for part in &self.parts {
            let state = weight / part.step % part.states.len() as u32;
            for (&(place, _), &digit) in part.places.iter().zip(&part.states[state as usize]) {
                digits[place] = digit;
            }
        }
        digits
    }

    /// The weight for digits by place; `None` if they are impossible.
    fn number(&self, digits: &[u32]) -> Option<u32> {
        let own = |part: &Part| part.number(part.places.iter().map(|&(place, _)| digits[place]));
        self.parts.iter().map(own).sum()
    }
}
