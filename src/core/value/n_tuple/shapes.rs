//! The tuples of an n-tuple network, as given in configs.

use std::sync::Arc;

use rand::SeedableRng;
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NTuple;
use super::columns::columns;
use super::images::merge;
use super::layout::Layout;
use super::tuples::Tuples;
use crate::error::{Invalid, whole, within};
use crate::game::{GameInfo, Geometry};
use crate::rng::{LabRng, below};
use crate::text;

/// The most squares of a tuple.
const LONGEST: usize = 14;
/// The most tuples, images included.
const MOST_TUPLES: usize = 10_000;
/// The most weights of all tuples together.
const MOST_WEIGHTS: u64 = 1 << 27;

/// The tuples of an n-tuple network, and what they distinguish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NTupleConfig {
    /// A set of tuples by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Set")]
    pub set: Option<Set>,
    /// Lengths, 1 to 14: all straight lines of this many squares, diagonals too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("examples" = [[4]]))]
    pub lines: Vec<usize>,
    /// Widths and heights: all rectangles of this size, at most 14 squares, lying and standing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("examples" = [[[3, 2]]]))]
    pub rectangles: Vec<Rectangle>,
    /// Random walks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Walks")]
    pub walks: Option<Walks>,
    /// Tuples square by square, at most 14 each: the column's letter, and the row's number from the top.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("examples" = [["a1 b1 c1", "b2 c3"]]))]
    pub squares: Vec<Squares>,
    /// What is known of a square: with 2 whether the mover's stone is there, with 3 whose stone, with 4
    /// also whether the next stone can land there.
    #[schemars(range(min = 2, max = 4))]
    pub states: u32,
    /// Whether each side that moved has its own weights.
    pub tables: TupleTables,
    /// Whether the images of a tuple under the board's symmetries share its weights.
    pub symmetries: bool,
    /// β of temporal coherence, by which weights whose errors agree learn faster than others: their
    /// step sizes are at least exp(−β) of the learner's. Without it all step sizes are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub coherence: Option<f64>,
}

impl Default for NTupleConfig {
    fn default() -> Self {
        NTupleConfig {
            set: None,
            lines: Vec::new(),
            rectangles: Vec::new(),
            walks: None,
            squares: Vec::new(),
            states: 3,
            tables: TupleTables::One,
            symmetries: true,
            coherence: None,
        }
    }
}

/// A set of tuples that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// The eleven patterns of an Othello program, for a board of 8x8 (Buro, "Experiments with
    /// Multi-ProbCut and a new high-quality evaluation function for Othello", 2000).
    Logistello,
}

impl Set {
    fn squares(self) -> &'static [&'static str] {
        match self {
            Set::Logistello => &[
                "d1 c2 b3 a4",
                "e1 d2 c3 b4 a5",
                "f1 e2 d3 c4 b5 a6",
                "g1 f2 e3 d4 c5 b6 a7",
                "h1 g2 f3 e4 d5 c6 b7 a8",
                "a2 b2 c2 d2 e2 f2 g2 h2",
                "a3 b3 c3 d3 e3 f3 g3 h3",
                "a4 b4 c4 d4 e4 f4 g4 h4",
                "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
                "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
                "a1 b1 c1 a2 b2 c2 a3 b3 c3",
            ],
        }
    }
}

/// Tuples that walk at random like a king at chess and meet no square twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Walks {
    /// How many.
    #[schemars(range(min = 1, max = MOST_TUPLES))]
    pub count: usize,
    /// Squares of each, and no more than the board has.
    #[schemars(range(min = 1, max = LONGEST))]
    pub length: usize,
    /// What they are drawn from: the same number draws the same walks, whatever the seed of the
    /// training.
    #[serde(default)]
    pub seed: u64,
}

/// A rectangle's width and height in squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [[3, 2]]))]
pub struct Rectangle(pub usize, pub usize);

/// The squares of a tuple as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("examples" = ["a1 b1 c1"]))]
pub struct Squares(pub String);

/// Which side's moves a table of weights is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TupleTables {
    /// Both sides' alike.
    #[default]
    One,
    /// Each side has its own.
    BySide,
}

impl NTupleConfig {
    /// Checks the values of the keys, and whether they suit the game. Errors: [`Invalid`], with a path
    /// relative to the network's own table.
    pub fn check(&self, game: &GameInfo) -> Result<(), Invalid> {
        let geometry = game.geometry();
        let wrong = |key: &str, message: String| Err(Invalid::new(key, message));
        if self.states > 3 && !geometry.stones_fall {
            let message = format!(
                "a stone of {} may come to lie on any empty square, expected 2 or 3",
                game.name
            );
            return wrong("states", message);
        }
        if let Some(beta) = self.coherence {
            within(beta, 0.0, 100.0).map_err(|message| Invalid::new("coherence", message))?;
        }
        let tuples = self.list(&geometry)?;
        if tuples.is_empty() {
            let message = "there are no tuples, expected one of set, lines, rectangles, walks and \
                           squares";
            return wrong("lines", message.to_owned());
        }
        let at_most = |count: u64, what: &str, most: u64| match count <= most {
            true => Ok(()),
            false => {
                let [count, most] = [count, most].map(text::thousands);
                let message = format!("{count} {what}, expected at most {most}");
                wrong(self.largest_kind(), message)
            }
        };
        let with_images = merge(&tuples, self.images(&geometry));
        let count: usize = with_images.iter().map(Vec::len).sum();
        at_most(count as u64, "tuples with their images", MOST_TUPLES as u64)?;
        let sides = 1 + u64::from(self.tables == TupleTables::BySide);
        let columns = columns(&geometry);
        let tables = with_images.iter().filter_map(|images| images.first());
        let weights = tables.map(|tuple| Layout::new(&columns, tuple, self.states).count() * sides);
        at_most(weights.sum(), "weights", MOST_WEIGHTS)
    }

    /// The symmetries by which tuples share weights.
    fn images<'a>(&self, geometry: &'a Geometry) -> &'a [Vec<usize>] {
        match self.symmetries {
            true => &geometry.images,
            false => &geometry.images[..1],
        }
    }

    /// The key that may add the most tuples, or the longest.
    fn largest_kind(&self) -> &'static str {
        let kinds = [
            ("walks", self.walks.is_some()),
            ("rectangles", !self.rectangles.is_empty()),
            ("lines", !self.lines.is_empty()),
            ("squares", !self.squares.is_empty()),
        ];
        let given = kinds.iter().find(|(_, given)| *given);
        given.map_or("set", |(kind, _)| kind)
    }

    /// A network that has learned nothing, on a game that it suits; see [`check`](Self::check).
    pub fn network(&self, game: &GameInfo) -> NTuple {
        let geometry = game.geometry();
        let tuples = self.list(&geometry).unwrap_or_default();
        let by_side = self.tables == TupleTables::BySide;
        let images = self.images(&geometry);
        let tuples = Tuples::new(&geometry, &tuples, self.states, by_side, images);
        NTuple::new(Arc::new(tuples), self.coherence.map(|beta| beta as f32))
    }

    /// The squares of the tuples; of several that are images of each other, perhaps only one.
    fn list(&self, geometry: &Geometry) -> Result<Vec<Vec<usize>>, Invalid> {
        let mut tuples = Vec::new();
        if let Some(set) = self.set {
            for squares in set.squares() {
                let wrong = |_| {
                    let message = format!(
                        "its squares are those of a board of 8 columns and 8 rows, not of one of {} and {}; expected \
                         lines, rectangles, walks or squares",
                        geometry.width, geometry.height
                    );
                    Invalid::new("set", message)
                };
                tuples.push(read(squares, geometry).map_err(wrong)?);
            }
        }
        for (i, &length) in self.lines.iter().enumerate() {
            let directions = [[0, 1], [1, 0], [1, 1], [1, -1]];
            let shapes = directions.map(|[rows, columns]| move |i: isize| [i * rows, i * columns]);
            let lines = placed(geometry, length, &shapes);
            tuples.extend(lines.map_err(|why| at("lines", i, why))?);
        }
        for (i, &Rectangle(width, height)) in self.rectangles.iter().enumerate() {
            let shapes = [width, height].map(|width| {
                let width = width as isize;
                move |i: isize| [i / width, i % width]
            });
            let rectangles = placed(geometry, width.saturating_mul(height), &shapes);
            tuples.extend(rectangles.map_err(|why| at("rectangles", i, why))?);
        }
        if let Some(walks) = &self.walks {
            tuples.extend(walks.draw(geometry)?);
        }
        for (i, Squares(text)) in self.squares.iter().enumerate() {
            tuples.push(read(text, geometry).map_err(|why| at("squares", i, why))?);
        }
        Ok(tuples)
    }
}

fn at(key: &str, index: usize, why: String) -> Invalid {
    Invalid::new(&format!("{key}[{index}]"), why)
}

/// Checks the length of a tuple. Errors: that it is too long.
fn check_length(length: usize) -> Result<(), String> {
    if length <= LONGEST {
        return Ok(());
    }
    let length = text::count(length as u64, "square");
    Err(format!(
        "{length} are too many for a tuple, expected at most {LONGEST}"
    ))
}

/// All tuples of this length that have one of these shapes, which give the rows and columns from the first
/// square to the i-th. Errors: that they are too long, or that there are none.
fn placed(
    geometry: &Geometry,
    length: usize,
    shapes: &[impl Fn(isize) -> [isize; 2]],
) -> Result<Vec<Vec<usize>>, String> {
    check_length(length)?;
    if length == 0 {
        return Err("there is no square, expected at least one".to_owned());
    }
    let mut tuples = Vec::new();
    for shape in shapes {
        let from = |start| -> Option<Vec<usize>> {
            let squares = 0..length as isize;
            squares.map(|i| step(geometry, start, shape(i))).collect()
        };
        tuples.extend((0..geometry.squares()).filter_map(from));
    }
    match tuples.is_empty() {
        false => Ok(tuples),
        true => Err(format!(
            "none is on a board of {} columns and {} rows",
            geometry.width, geometry.height
        )),
    }
}

/// The square that is this many rows and columns away, if it is on the board.
fn step(geometry: &Geometry, square: usize, [rows, columns]: [isize; 2]) -> Option<usize> {
    let row = (square / geometry.width).checked_add_signed(rows)?;
    let column = (square % geometry.width).checked_add_signed(columns)?;
    (row < geometry.height && column < geometry.width).then(|| row * geometry.width + column)
}

impl Walks {
    /// Draws the walks. Errors: [`Invalid`] if their length is out of range, or if too few cover different squares.
    fn draw(&self, geometry: &Geometry) -> Result<Vec<Vec<usize>>, Invalid> {
        let Walks {
            count,
            length,
            seed,
        } = *self;
        let longest = LONGEST.min(geometry.squares());
        whole("walks.length", length as u64, 1, longest as u64)?;
        // Not a stream of `rng::stream`: the walks are the same whatever the seed of the training.
        let mut rng = LabRng::seed_from_u64(seed);
        let mut walks: Vec<Vec<usize>> = Vec::new();
        let mut covered: FxHashSet<Vec<usize>> = FxHashSet::default();
        let mut tries = count.saturating_mul(1000).min(1_000_000);
        while walks.len() < count {
            let Some(left) = tries.checked_sub(1) else {
                let message = format!(
                    "this board has too few walks of {length} squares for a count of {count}, expected fewer"
                );
                return Err(Invalid::new("walks.count", message));
            };
            tries = left;
            let Some(walk) = walk(geometry, length, &mut rng) else {
                continue;
            };
            let images = geometry.images.iter().map(|image| {
                let mut set: Vec<usize> = walk.iter().map(|&square| image[square]).collect();
                set.sort_unstable();
                set
            });
            let first = images.min().unwrap_or_default();
            if covered.insert(first) {
                walks.push(walk);
            }
        }
        Ok(walks)
    }
}

/// A walk from a random square; `None` if it reaches a dead end.
fn walk(geometry: &Geometry, length: usize, rng: &mut LabRng) -> Option<Vec<usize>> {
    let mut walk = vec![below(geometry.squares() as u32, rng) as usize];
    while walk.len() < length {
        let here = walk[walk.len() - 1];
        let around = (-1..=1).flat_map(|rows| (-1..=1).map(move |columns| [rows, columns]));
        let on = around.filter_map(|way| step(geometry, here, way));
        let free: Vec<usize> = on.filter(|square| !walk.contains(square)).collect();
        if free.is_empty() {
            return None;
        }
        walk.push(free[below(free.len() as u32, rng) as usize]);
    }
    Some(walk)
}

/// Reads squares such as `a1 b1`.
fn read(text: &str, geometry: &Geometry) -> Result<Vec<usize>, String> {
    let mut squares = Vec::new();
    for word in text.split_whitespace() {
        let mut all = 0..geometry.squares();
        let Some(square) = all.find(|&square| geometry.name(square) == word) else {
            return Err(format!(
                "'{word}' is no square of a board of {} columns and {} rows, expected one such as a1",
                geometry.width, geometry.height
            ));
        };
        if squares.contains(&square) {
            return Err(format!("{word} is there twice, expected each square once"));
        }
        squares.push(square);
    }
    if squares.is_empty() {
        return Err("there is no square, expected some such as a1 b1".to_owned());
    }
    check_length(squares.len()).map(|()| squares)
}
