//! Lines of moves, and positions with what is known of them.

use super::{Game, Move, ParseError};

/// The position after moves from the start, which are written behind each other as
/// `4455` and `b2a1`, or apart as `b2,a1` and `b2 a1`.
///
/// # Errors
///
/// The number of the move that is none or is not legal, and why.
pub fn play_moves<G: Game>(text: &str) -> Result<G, ParseError> {
    let mut position = G::start();
    for (number, mv) in (1..).zip(split_moves::<G>(text)?) {
        position = position.play(mv).map_err(|_| {
            ParseError::new(format!(
                "move {number}: {} is not legal in {}; {}",
                G::format_move(mv),
                position.format(),
                legal_moves(position)
            ))
        })?;
    }
    Ok(position)
}

/// A sentence that lists the legal moves.
pub fn legal_moves<G: Game>(position: G) -> String {
    let names: Vec<String> = position.moves().map(G::format_move).collect();
    if names.is_empty() {
        "the game is over".to_owned()
    } else {
        format!("legal moves: {}", names.join(" "))
    }
}

fn split_moves<G: Game>(text: &str) -> Result<Vec<Move>, ParseError> {
    let mut moves = Vec::new();
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        let mut rest = word;
        while !rest.is_empty() {
            // Of several moves behind each other none begins with another one.
            let ends = rest
                .char_indices()
                .map(|(at, letter)| at + letter.len_utf8());
            let first = ends
                .take(4)
                .find_map(|end| Some((G::parse_move(&rest[..end]).ok()?, end)));
            let Some((mv, end)) = first else {
                let why = match G::parse_move(rest) {
                    Err(error) => error.to_string(),
                    Ok(_) => format!("'{rest}' is no move"),
                };
                return Err(ParseError::new(format!("move {}: {why}", moves.len() + 1)));
            };
            moves.push(mv);
            rest = &rest[end..];
        }
    }
    Ok(moves)
}

/// A position, and what is known of its scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<G> {
    /// The position.
    pub position: G,
    /// Its score for the side to move, if the line told it.
    pub score: Option<i32>,
    /// The moves that reach it, if the line told them.
    pub best: Vec<Move>,
}

impl<G: Game> Problem<G> {
    /// Reads one of the forms
    ///
    /// - `4455 18`: moves from the start and a score, which may be left out
    /// - `--XXXXX--OOO… X; G8:+18; H1:+12;`: a position, and moves with their scores, of
    ///   which the highest is the position's; there need not be any
    ///
    /// # Errors
    ///
    /// What is wrong with the line.
    pub fn parse(line: &str) -> Result<Problem<G>, ParseError> {
        if let Some((position, moves)) = line.split_once(';') {
            return Self::with_moves(position, moves);
        }
        let mut words = line.split_whitespace();
        let (Some(moves), score, None) = (words.next(), words.next(), words.next()) else {
            return Err(ParseError::new(
                "expected moves and a score, such as '4455 18', or a position and ';'",
            ));
        };
        if moves.contains(['/', '-', '.']) {
            // No move is written with these.
            return match score.map(str::parse::<i32>) {
                Some(Ok(_)) => Err(ParseError::new(
                    "a score behind a position needs its move, such as 'POSITION; g8:+18;'",
                )),
                _ => Self::with_moves(line, ""),
            };
        }
        Ok(Problem {
            position: play_moves(moves)?,
            score: score.map(parse_score).transpose()?,
            best: Vec::new(),
        })
    }

    fn with_moves(position: &str, moves: &str) -> Result<Problem<G>, ParseError> {
        let position = G::parse(position)?;
        let mut known: Vec<(Move, i32)> = Vec::new();
        for item in moves
            .split(';')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let Some((mv, score)) = item.split_once(':') else {
                return Err(ParseError::new(format!(
                    "'{item}' is no move with a score, expected one such as 'g8:+18'"
                )));
            };
            let mv = G::parse_move(&mv.trim().to_lowercase())?;
            if !position.moves().contains(mv) {
                return Err(ParseError::new(format!(
                    "{} is not legal; {}",
                    G::format_move(mv),
                    legal_moves(position)
                )));
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

fn parse_score(text: &str) -> Result<i32, ParseError> {
    text.parse()
        .map_err(|_| ParseError::new(format!("'{text}' is no score, expected a whole number")))
}
