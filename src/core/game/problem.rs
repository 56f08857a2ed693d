//! Lines of moves, and positions with their known scores.

use super::{GameInfo, Move, Position};

/// The position after moves from the start, written without separators as `4455` and
/// `b2a1`, or separated as `b2,a1` and `b2 a1`, in letters of either case. Errors: the
/// number of the first move that is invalid or illegal, and why.
pub fn play_moves(info: &'static GameInfo, text: &str) -> Result<Position, String> {
    read_moves(Position::start(info), text).map(|(_, position)| position)
}

/// Reads moves from a position on, written as for [`play_moves`]; returns them and the
/// position after them. Errors: the same.
pub fn read_moves(mut position: Position, text: &str) -> Result<(Vec<Move>, Position), String> {
    let moves = parse_moves(position.game(), text)?;
    for (number, &mv) in (1..).zip(&moves) {
        position = position.play(mv).ok_or_else(|| {
            format!(
                "move {number}: {} is not legal in {position}; {}",
                position.format_move(mv),
                legal_moves(position)
            )
        })?;
    }
    Ok((moves, position))
}

/// A sentence that lists the legal moves.
pub fn legal_moves(position: Position) -> String {
    let moves = position.moves();
    let names: Vec<String> = moves.map(|mv| position.format_move(mv)).collect();
    if names.is_empty() {
        "the game is over".to_owned()
    } else {
        format!("legal moves: {}", names.join(" "))
    }
}

/// Reads moves, written as for [`play_moves`], which need not be legal anywhere. Errors:
/// the number of the first that is not a move of the game, and why.
fn parse_moves(info: &GameInfo, text: &str) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    let text = text.to_lowercase();
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        let mut rest = word;
        while !rest.is_empty() {
            // The longest match: a11 is one move, although a1 is one too.
            let mut splits = (1..=4).rev().filter_map(|end| rest.split_at_checked(end));
            let first =
                splits.find_map(|(name, others)| Some((info.parse_move(name).ok()?, others)));
            let Some((mv, others)) = first else {
                let why = match info.parse_move(rest) {
                    Err(error) => error,
                    Ok(_) => format!("'{rest}' is not a move"),
                };
                return Err(format!("move {}: {why}", moves.len() + 1));
            };
            moves.push(mv);
            rest = others;
        }
    }
    Ok(moves)
}

/// A position with its known score and best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// Its score for the side to move, if the line gave it.
    pub score: Option<i32>,
    /// The moves that achieve the score, if the line gave them.
    pub best: Vec<Move>,
}

impl Problem {
    /// Reads a line in one of two forms:
    ///
    /// - `4455 18`: moves from the start, and a score, which is optional
    /// - `--XXXXX--OOO… X; G8:+18; H1:+12;`: a position and any number of moves with their
    ///   scores, the highest of which is the position's score
    ///
    /// Errors: what is wrong with the line.
    pub fn parse(info: &'static GameInfo, line: &str) -> Result<Problem, String> {
        if let Some((position, moves)) = line.split_once(';') {
            return Self::with_moves(info, position, moves);
        }
        let mut words = line.split_whitespace();
        let (Some(moves), score, None) = (words.next(), words.next(), words.next()) else {
            return Err(
                "expected moves and a score, such as '4455 18', or a position and ';'".to_owned(),
            );
        };
        if moves.contains(['/', '-', '.']) {
            // No move is written with these.
            return match score.map(str::parse::<i32>) {
                Some(Ok(_)) => Err(
                    "a score behind a position needs its move, such as 'POSITION; g8:+18;'"
                        .to_owned(),
                ),
                _ => Self::with_moves(info, line, ""),
            };
        }
        Ok(Problem {
            position: play_moves(info, moves)?,
            score: score.map(parse_score).transpose()?,
            best: Vec::new(),
        })
    }

    fn with_moves(info: &'static GameInfo, position: &str, moves: &str) -> Result<Problem, String> {
        let position = Position::parse(info, position)?;
        let mut known: Vec<(Move, i32)> = Vec::new();
        for item in moves
            .split(';')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let Some((mv, score)) = item.split_once(':') else {
                return Err(format!(
                    "'{item}' is not a move with a score, expected one such as 'g8:+18'"
                ));
            };
            let [mv] = parse_moves(info, mv)?[..] else {
                return Err(format!("'{mv}' is not one move"));
            };
            if !position.moves().contains(mv) {
                return Err(format!(
                    "{} is not legal; {}",
                    info.format_move(mv),
                    legal_moves(position)
                ));
            }
            known.push((mv, parse_score(score.trim())?));
        }
        let score = known.iter().map(|(_, score)| *score).max();
        let best = known.iter().filter(|(_, of_move)| Some(*of_move) == score);
        Ok(Problem {
            position,
            score,
            best: best.map(|(mv, _)| *mv).collect(),
        })
    }
}

fn parse_score(text: &str) -> Result<i32, String> {
    text.parse()
        .map_err(|_| format!("'{text}' is not a score, expected a whole number"))
}
