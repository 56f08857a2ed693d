//! The look of the board.

use playlab::game::{Move, Pieces, Side};

use super::super::position::board;
use super::table::Table;

impl Table {
    /// The board; if a person is to move and not every empty square can be played, those that can
    /// are marked. The numbers of discs are below it, where they count.
    pub(super) fn drawing(&self) -> String {
        let position = self.session.position();
        let is_turn = self.session.is_persons_turn();
        let rows = position.rows();
        let is_empty = |row: usize, column: usize| rows[row].as_bytes()[column] == b'.';
        let target = |mv| position.square(mv).map(|square| (square, mv));
        let mut targets: Vec<((usize, usize), Move)> =
            position.moves().filter_map(target).collect();
        targets.retain(|&((row, column), _)| is_turn && is_empty(row, column));
        // Several moves may have the same square.
        targets.sort_unstable();
        targets.dedup_by_key(|(square, _)| *square);
        let empty = rows.concat().matches('.').count();
        let marked = targets.iter().filter(|_| targets.len() < empty);
        let text = board(position, marked.map(|&(_, mv)| (mv, "+".to_owned())));
        let mut text = self.with_colors(text);
        if let Some([x, o]) = position.discs() {
            text += &format!("{} {x}, {} {o}\n", self.named(Side::X), self.named(Side::O));
        }
        text
    }

    /// A board with its pieces in colours, if the terminal has them.
    pub(super) fn with_colors(&self, mut text: String) -> String {
        for side in Side::BOTH {
            // No capital letter names a column.
            text = text.replace(side.letter(), &self.piece(side));
        }
        text
    }

    /// What is drawn on the board for a side.
    pub(super) fn piece(&self, side: Side) -> String {
        let letter = side.letter();
        let piece = match self.session.game().pieces {
            Pieces::Marks => letter,
            Pieces::Stones | Pieces::Discs => '●',
        };
        match (self.colored, side) {
            (false, _) => letter.to_string(),
            (true, Side::X) => format!("\x1b[1;34m{piece}\x1b[0m"),
            (true, Side::O) => format!("\x1b[1;33m{piece}\x1b[0m"),
        }
    }

    /// A side's letter, and its piece if it is different.
    pub(super) fn named(&self, side: Side) -> String {
        match (self.colored, self.session.game().pieces) {
            (false, _) | (_, Pieces::Marks) => self.piece(side),
            _ => format!("{} {}", side.letter(), self.piece(side)),
        }
    }
}
