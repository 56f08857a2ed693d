use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Approximator, Board, Estimator, ValueFunction};
use crate::arrays::{Arrays, Sink};
use crate::game::{GameInfo, Moves, Side};

/// A raw value for every position that was learned about; the others have 0. Symmetric positions
/// may share one.
///
/// raw(s) ← raw(s) + α · error · (1 − V(s)²)
#[derive(Clone)]
pub struct PositionTable {
    /// Where each symmetry takes the square of each bit.
    images: Arc<Vec<Vec<u8>>>,
    values: Arc<FxHashMap<Board, f32>>,
}

impl PositionTable {
    /// A table that has learned nothing.
    pub fn new(game: &GameInfo, symmetries: bool) -> PositionTable {
        let geometry = game.geometry();
        let of_symmetry = |image: &Vec<usize>| {
            let mut bits = vec![0; 128];
            for (square, &bit) in geometry.bits.iter().enumerate() {
                bits[bit] = geometry.bits[image[square]] as u8;
            }
            bits
        };
        let count = if symmetries { geometry.images.len() } else { 1 };
        PositionTable {
            images: Arc::new(geometry.images[..count].iter().map(of_symmetry).collect()),
            values: Arc::default(),
        }
    }

    /// The first of the board's images.
    fn name(&self, board: &Board) -> Board {
        let image = |bits: &Vec<u8>| {
            board.stones.map(|stones| {
                let squares = Moves::from_bits(stones);
                squares.fold(0, |image, square| image | 1 << bits[square.index()])
            })
        };
        let first = self.images.iter().map(image).min();
        Board {
            stones: first.unwrap_or(board.stones),
            mover: board.mover,
        }
    }
}

impl Estimator for PositionTable {
    fn raw(&mut self, after: &Board) -> f32 {
        self.values.get(&self.name(after)).copied().unwrap_or(0.0)
    }
}

/// The bytes of a position in the arrays: four halves of stones, the mover and the value.
const BYTES_PER_POSITION: u64 = 37;

impl Approximator for PositionTable {
    fn learn(&mut self, after: &Board, value: f32, error: f32, step: f32) {
        let name = self.name(after);
        let raw = Arc::make_mut(&mut self.values).entry(name).or_insert(0.0);
        *raw += step * error * (1.0 - value * value);
    }

    fn most_bytes(&self) -> u64 {
        // No game whose positions are listed has more.
        20_000_000 * BYTES_PER_POSITION
    }

    fn bytes(&self) -> u64 {
        self.values.len() as u64 * BYTES_PER_POSITION
    }

    fn updated(&self) -> u64 {
        self.values.len() as u64
    }

    fn function(&self) -> Arc<dyn ValueFunction> {
        Arc::new(self.clone())
    }

    /// Saves for every position that was learned about: `stones`, X's and O's, each as two numbers, the
    /// higher bits first; `movers`, 0 where X moved there; and `raw_values`.
    fn save(&self, arrays: &mut dyn Sink) {
        let mut all: Vec<(&Board, &f32)> = self.values.iter().collect();
        all.sort_unstable_by_key(|(board, _)| (board.stones, board.mover.index()));
        let halves = |squares: u128| [(squares >> 64) as u64, squares as u64];
        let stones = all.iter().flat_map(|(board, _)| board.stones.map(halves));
        arrays.insert_numbers("stones", 4 * all.len(), stones.flatten());
        let movers = all.iter().map(|(board, _)| board.mover.index() as u8);
        arrays.insert_each("movers", movers);
        arrays.insert_each("raw_values", all.iter().map(|&(_, &raw)| raw));
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        let movers: &[u8] = arrays.get("movers")?;
        let stones: &[u64] = arrays.exactly("stones", 4 * movers.len())?;
        let values: &[f32] = arrays.exactly("raw_values", movers.len())?;
        let mut loaded = FxHashMap::default();
        for ((stones, &mover), &raw) in stones.chunks(4).zip(movers).zip(values) {
            let squares = |i: usize| u128::from(stones[i]) << 64 | u128::from(stones[i + 1]);
            let mover = match mover {
                0 => Side::X,
                1 => Side::O,
                _ => return Err("it has positions to which nobody moved".to_owned()),
            };
            let stones = [squares(0), squares(2)];
            let twice = loaded.insert(Board { stones, mover }, raw).is_some();
            if twice || !raw.is_finite() {
                return Err("it has values that no training makes".to_owned());
            }
        }
        self.values = Arc::new(loaded);
        Ok(())
    }

    fn copy(&self) -> Box<dyn Approximator> {
        Box::new(self.clone())
    }
}
