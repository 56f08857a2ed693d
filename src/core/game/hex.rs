//! Hex: stones are placed on a rhombus of hexagons; X connects the top with the bottom, O
//! the left side with the right. There are no draws, and no swap after the first move.

use std::hash::{Hash, Hasher};

use super::{Game, Key, Labels, Move, Moves, Outcome, Pieces, Side, board};

/// A position of Hex on `N` rows of `N` hexagons, each row shifted half a hexagon to the
/// right of the one above.
///
/// Hexagon `row * N + column` (both from 0, from the top left) is a bit of each bitboard, a
/// move's index, and written as column letter and row number. Its neighbours are the
/// hexagons beside, above and below it, and those above to the right and below to the left.
#[derive(Clone, Copy, Debug)]
pub struct Hex<const N: usize> {
    /// X's and O's stones.
    stones: [u128; 2],
    /// The stones that are connected with their side's first edge: the top for X, the left for O.
    linked: [u128; 2],
    to_move: Side,
}

impl<const N: usize> PartialEq for Hex<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones
    }
}

impl<const N: usize> Eq for Hex<N> {}

impl<const N: usize> Hash for Hex<N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stones.hash(state);
    }
}

impl<const N: usize> Hex<N> {
    const SQUARES: usize = {
        assert!(N >= 2 && N <= 11, "a board must fit its bitboard");
        N * N
    };
    const FULL: u128 = (1 << Self::SQUARES) - 1;
    const TOP: u128 = (1 << N) - 1;
    const LEFT: u128 = board::spaced(N, N);
    /// X's and O's edges, the first and the last of each.
    const EDGES: [[u128; 2]; 2] = [
        [Self::TOP, Self::TOP << (N * (N - 1))],
        [Self::LEFT, Self::LEFT << (N - 1)],
    ];

    /// The squares adjacent to any of these, which may include some of them.
    #[inline]
    fn around(squares: u128) -> u128 {
        let [left, right] = Self::EDGES[1];
        let to_right = squares << 1 | squares >> (N - 1);
        let to_left = squares >> 1 | squares << (N - 1);
        (to_right & !left | to_left & !right | squares << N | squares >> N) & Self::FULL
    }

    /// These squares, and the `stones` that are connected with them.
    #[inline]
    fn flood(mut squares: u128, stones: u128) -> u128 {
        loop {
            let more = Self::around(squares) & stones & !squares;
            if more == 0 {
                return squares;
            }
            squares |= more;
        }
    }

    /// The stones that are connected with an edge.
    fn link(stones: u128, edge: u128) -> u128 {
        Self::flood(stones & edge, stones)
    }

    fn with_stones(stones: [u128; 2]) -> Self {
        let [x, o] = stones;
        let to_move = if (x | o).count_ones().is_multiple_of(2) {
            Side::X
        } else {
            Side::O
        };
        Hex {
            stones,
            linked: [0, 1].map(|side| Self::link(stones[side], Self::EDGES[side][0])),
            to_move,
        }
    }

    #[inline]
    fn occupied(self) -> u128 {
        self.stones[0] | self.stones[1]
    }

    #[inline]
    fn connects(self, side: Side) -> bool {
        self.linked[side.index()] & Self::EDGES[side.index()][1] != 0
    }

    /// The number of stones that a side must add to connect its edges if the other side
    /// adds none; above the number of squares if it cannot.
    fn distance(self, side: Side) -> i32 {
        let [_, last] = Self::EDGES[side.index()];
        let mut reached = self.linked[side.index()];
        for added in 0..=Self::SQUARES {
            if reached & last != 0 {
                return added as i32;
            }
            reached = self.reach(side, reached, 0);
        }
        Self::SQUARES as i32 + 1
    }

    /// The squares that a side reaches from an edge with one more stone than the squares in `reached`.
    #[inline]
    fn reach(self, side: Side, reached: u128, edge: usize) -> u128 {
        let open = Self::FULL & !self.stones[(!side).index()];
        let more = (Self::around(reached) | Self::EDGES[side.index()][edge]) & open;
        Self::flood(reached | more, self.stones[side.index()])
    }

    /// The [`distance`](Self::distance) of a side that can connect its edges, and the empty squares on its shortest
    /// paths.
    fn shortest_ways(self, side: Side) -> (i32, u128) {
        let [_, last] = Self::EDGES[side.index()];
        let stones = self.stones[side.index()];
        let mut layers = vec![self.linked[side.index()]];
        while layers[layers.len() - 1] & last == 0 && layers.len() <= Self::SQUARES + 1 {
            layers.push(self.reach(side, layers[layers.len() - 1], 0));
        }
        let (mut from_last, mut squares) = (Self::link(stones, last), 0);
        for layer in layers[1..].iter().rev() {
            from_last = self.reach(side, from_last, 1);
            squares |= from_last & layer;
        }
        (layers.len() as i32 - 1, squares & !self.occupied())
    }
}

impl<const N: usize> Game for Hex<N> {
    type Bits = u128;

    const MOVES: usize = Self::SQUARES;
    const WIDTH: usize = N;
    const HEIGHT: usize = N;
    /// The identity, and half a turn.
    const SYMMETRIES: usize = 2;
    const LABELS: Labels = Labels::Slanted;
    const PIECES: Pieces = Pieces::Stones;
    const HAS_THREATS: bool = true;
    const EVALUATIONS: &'static [&'static str] = &["path"];

    fn start() -> Self {
        Self::with_stones([0, 0])
    }

    #[inline]
    fn to_move(self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(self) -> Option<Outcome> {
        let last = !self.to_move;
        self.connects(last).then_some(Outcome::Win(last))
    }

    #[inline]
    fn moves(self) -> Moves<u128> {
        if self.outcome().is_some() {
            Moves::NONE
        } else {
            Moves::from_bits(Self::FULL & !self.occupied())
        }
    }

    #[inline]
    fn play_unchecked(mut self, mv: Move) -> Self {
        board::debug_check(self, mv);
        let side = self.to_move.index();
        let stone = 1 << mv.index();
        self.stones[side] |= stone;
        let around = Self::around(stone);
        if stone & Self::EDGES[side][0] != 0 || around & self.linked[side] != 0 {
            self.linked[side] |= stone;
            if around & self.stones[side] & !self.linked[side] != 0 {
                self.linked[side] |= Self::flood(stone, self.stones[side] & !self.linked[side]);
            }
        }
        self.to_move = !self.to_move;
        self
    }

    /// The squares that would connect both edges by a single stone, empty or not.
    fn winning_squares(self, side: Side) -> u128 {
        let [first, last] = Self::EDGES[side.index()];
        let from_first = Self::around(self.linked[side.index()]) | first;
        let from_last = Self::around(Self::link(self.stones[side.index()], last)) | last;
        from_first & from_last
    }

    fn moves_to(self, squares: u128) -> Moves<u128> {
        Moves::from_bits(squares & Self::FULL & !self.occupied())
    }

    /// How many fewer stones the side to move needs to connect its edges than the other
    /// side.
    fn evaluate(self, _: usize) -> i32 {
        self.distance(!self.to_move) - self.distance(self.to_move)
    }

    /// A stone on one of its side's shortest paths shortens the distance by one; elsewhere it changes nothing for its
    /// side. The other side's distance can change only if the stone is on one of that side's shortest paths.
    fn rate_moves(self, looks: &mut [i32; Move::LIMIT]) {
        let (mover, other) = (self.to_move, !self.to_move);
        let (own, helpful) = self.shortest_ways(mover);
        let (theirs, hindering) = self.shortest_ways(other);
        for mv in self.moves() {
            let stone = 1 << mv.index();
            let theirs = match hindering & stone {
                0 => theirs,
                _ => self.play_unchecked(mv).distance(other),
            };
            looks[mv.index()] = theirs - own + i32::from(helpful & stone != 0);
        }
    }

    fn stones(self) -> [u128; 2] {
        self.stones
    }

    /// X's stones, with O's in the bits above them.
    #[inline]
    fn key(self) -> Key {
        let [x, o] = self.stones;
        if 2 * N * N <= 128 {
            Key::from(x | o << (N * N))
        } else {
            Key::from([o, x])
        }
    }

    fn from_key(key: Key) -> Self {
        let [high, low] = key.halves();
        Self::with_stones(if 2 * N * N <= 128 {
            [low & Self::FULL, low >> (N * N) & Self::FULL]
        } else {
            [low & Self::FULL, high & Self::FULL]
        })
    }

    fn transform(self, symmetry: usize) -> Self {
        board::check_symmetry::<Self>(symmetry);
        if symmetry == 0 {
            return self;
        }
        let turned = |squares: u128| squares.reverse_bits() >> (128 - Self::SQUARES);
        Self::with_stones(self.stones.map(turned))
    }

    fn transform_move(mv: Move, symmetry: usize) -> Move {
        board::check_symmetry::<Self>(symmetry);
        if symmetry == 0 {
            mv
        } else {
            Move::new(Self::SQUARES - 1 - mv.index())
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        board::parse(text, |stones| {
            board::check_alternation(stones.map(u128::count_ones))?;
            let position = Self::with_stones(stones);
            board::check_end(stones, position.to_move, u128::MAX, &|side, stones| {
                let [first, last] = Self::EDGES[side.index()];
                Self::link(stones, first) & last != 0
            })?;
            Ok(position)
        })
    }
}
