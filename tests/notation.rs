//! Positions, moves and problems as text.

use playlab::game::{
    ConnectFour, Game, GameInfo, Mnk, Othello, Outcome, Position, Problem, Side, games, play_moves,
};
use proptest::prelude::*;

type TicTacToe = Mnk<3, 3, 3>;
type FourInARow = ConnectFour<7, 6>;

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

/// The position after these moves, in a game whose type is known.
fn played<G: Game>(name: &str, text: &str) -> G {
    play_moves(game(name), text).unwrap().typed()
}

#[test]
fn positions_and_squares_read_as_documented() {
    let position = TicTacToe::parse("XO./.X./..O").unwrap();
    assert_eq!(position.to_move(), Side::X);
    let names: Vec<String> = position.moves().map(TicTacToe::format_move).collect();
    assert_eq!(names, ["c1", "a2", "c2", "a3", "b3"]);
    assert_eq!(TicTacToe::parse_move("b2").unwrap().index(), 4);
    let won = TicTacToe::parse("XXX/OO./...").unwrap();
    assert_eq!(won.outcome(), Some(Outcome::Win(Side::X)));
    assert_eq!(Mnk::<4, 3, 3>::parse_move("d3").unwrap().index(), 11);

    let four: FourInARow = played("connect-four", "4455");
    assert_eq!(
        four.format(),
        "......./......./......./......./...OO../...XX.."
    );
    assert_eq!(
        four.square(FourInARow::parse_move("4").unwrap()),
        Some((3, 3))
    );
    let start = Othello::<8>::start();
    assert_eq!(
        start.format(),
        "......../......../......../...OX.../...XO.../......../......../........ X"
    );
    let names: Vec<String> = start.moves().map(Othello::<8>::format_move).collect();
    assert_eq!(names, ["d3", "c4", "f5", "e6"]);
}

#[test]
fn a_pass_is_a_move_with_a_name() {
    // Feinstein's line on the 6x6 board, squares named as on an 8x8 board from b2 on.
    let line = "d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5 c4 c3 g4 g3 f3 c7 b5 d7 b7 b3 c6 b6 f7 f6 b4 b2 g6 g7 \
                pass f2 g2";
    let here: Vec<String> = line
        .split(' ')
        .map(|word| match word {
            "pass" => word.to_owned(),
            square => square.bytes().map(|byte| char::from(byte - 1)).collect(),
        })
        .collect();
    // His colours begin from the mirrored start: black on the other diagonal.
    let position: Othello<6> = played("othello-6x6", &here.join(" "));
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::O)));
    assert_eq!(position.disc_difference().abs(), 4);
    let glued: Othello<6> = played("othello-6x6", &here.concat());
    assert_eq!(glued, position);
}

#[test]
fn perfect_play_on_the_large_board_is_a_legal_line() {
    // Takizawa (2023), "Othello is solved".
    let line = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6 d8 c6 c7 d2 b5 a5 a6 a7 g5 e3 b4 c8 g6 g4 c2 e8 d1 f7 \
                e2 g3 h4 f1 e1 f2 g1 b1 f8 g8 b3 h3 b2 h5 b7 a3 a4 a1 a2 c1 h2 h1 g2 b8 a8 g7 h8 h7 h6";
    let position: Othello<8> = played("othello", line);
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    assert_eq!(position.empties(), 0);
}

#[test]
fn threats_are_the_squares_that_complete_a_line() {
    let names = |text: &str, side| -> Vec<String> {
        let threats = TicTacToe::parse(text).unwrap().threats(side);
        threats.map(TicTacToe::format_move).collect()
    };
    assert_eq!(names("XX./.O./.O.", Side::X), ["c1"]);
    assert_eq!(names("XX./.O./.O.", Side::O), [""; 0]);
    assert_eq!(names("XO./.XO/..X", Side::X), [""; 0]);
    assert_eq!(names("X.X/.O./O..", Side::O), [""; 0]);
    assert_eq!(names("X.X/.O./..O", Side::X), ["b1"]);
    assert_eq!(names("O.X/.O./X..", Side::O), ["c3"]);
    let full = TicTacToe::parse("XOX/OOX/.XO").unwrap();
    assert!(!full.can_win(Side::O) && !full.can_win(Side::X));
    // The sets of moves know their order.
    let moves = TicTacToe::parse("X.X/.O./O..").unwrap().moves();
    for (rank, mv) in moves.enumerate() {
        assert_eq!(moves.get(rank), mv);
    }
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "it has 1 row"),
        ("XO./.X.", "it has 2 rows"),
        ("XO./.X../..O", "row 2 has 4 squares"),
        ("XO./.Z./..O", "'Z' in row 2"),
        ("XX./X../...", "3 X and 0 O"),
        ("O../.../...", "0 X and 1 O"),
        ("XXX/OOO/...", "both sides have ended the game"),
        ("XXX/OO./O..", "the other side moved after that"),
        ("OOO/XX./XX.", "the other side moved after that"),
    ] {
        refuses::<TicTacToe>(text, reason);
    }
    type Small = ConnectFour<4, 4>;
    for (text, reason) in [
        ("..../..../....", "it has 3 rows"),
        ("..../..../..../.....", "row 4 has 5 squares"),
        (
            "..../..../.X../....",
            "column 2, row 3 from the top, floats",
        ),
        ("..../..../..../XX..", "2 X and 0 O"),
        ("..../O.../OOO./XXXX", "the other side moved after that"),
        (
            "..../O.../OOOX/XXXX",
            "the game was over before the last stone",
        ),
        ("..../O.../OO../XXXX", ""),
        ("X.../X.../X..O/X.OO", ""),
        ("XO../XO../XO../XO..", "both sides have ended the game"),
        ("X.../XO../XO../XO.O", "the other side moved after that"),
    ] {
        if reason.is_empty() {
            assert!(Small::parse(text).is_ok(), "{text}");
        } else {
            refuses::<Small>(text, reason);
        }
    }
    type Smallest = Othello<4>;
    for (text, reason) in [
        ("..../.OX./.XO./....", "the side to move is missing"),
        ("..../.OX./.XO./.... Z", "'Z', is neither X nor O"),
        ("..../.OX./.XO. X", "it has 3 rows"),
        ("-----OX--XO---- X", "it has 15 squares"),
        ("..../.OX./.X../.... X", "a square in the centre is empty"),
        ("..../.XX./.XO./.... X", "only the start is possible"),
        ("..../.OX./.XO./.... O", "only the start is possible"),
        ("..../XOX./.XO./.... O", "cannot come from one move"),
    ] {
        refuses::<Smallest>(text, reason);
    }
    refuses::<Othello<6>>(
        "X....X/....../..OX../..XO../....../...... X",
        "the disc on a1 touches none that leads to the centre",
    );
    assert_eq!(Smallest::parse("-----OX--XO----- X"), Ok(Smallest::start()));
    assert_eq!(
        Smallest::parse("-----OX--XO----- X;"),
        Ok(Smallest::start())
    );
    for text in ["", "d1", "a4", "a0", "b", "2b", "b22", "pass", "ä1"] {
        assert!(TicTacToe::parse_move(text).is_err(), "{text}");
    }
    for text in ["", "0", "8", "44", "a", "４"] {
        assert!(FourInARow::parse_move(text).is_err(), "{text}");
    }
    for text in ["", "i1", "a9", "d4", "PASS", "a"] {
        assert!(Othello::<8>::parse_move(text).is_err(), "{text}");
    }
}

#[track_caller]
fn refuses<G: Game>(text: &str, reason: &str) {
    let error = G::parse(text).unwrap_err();
    assert!(error.contains(reason), "{text}: {error}");
}

#[test]
fn wrong_moves_are_reported_by_number() {
    let error = |text: &str| play_moves(game("connect-four"), text).unwrap_err();
    assert!(error("44444447").contains("move 7: 4 is not legal"));
    assert!(error("12x").contains("move 3: 'x' is not a move; expected a column, from 1 to 7"));
    assert!(error("1212121,3").contains("move 8: 3 is not legal"));
    assert!(error("1212121,3").contains("the game is over"));
    let error = play_moves(game("othello"), "d3 d3").unwrap_err();
    assert!(error.contains("move 2: d3 is not legal") && error.contains("legal moves: "));
    let forms = ["b2a1", "b2,a1", "B2A1", "b2 A1"];
    let forms = forms.map(|text| play_moves(game("tic-tac-toe"), text).unwrap());
    assert_eq!(forms, [forms[0]; 4]);
}

#[test]
fn problems_are_read_with_what_is_known_about_them() {
    let problem = Problem::parse(game("connect-four"), "4455 18").unwrap();
    assert_eq!((problem.score, problem.best.len()), (Some(18), 0));
    assert_eq!(
        Problem::parse(game("connect-four"), "4455").unwrap().score,
        None
    );
    let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; A2:+18;";
    let problem = Problem::parse(game("othello"), text).unwrap();
    let best: Vec<String> = problem
        .best
        .iter()
        .map(|&mv| Othello::<8>::format_move(mv))
        .collect();
    assert_eq!(
        (problem.score, best),
        (Some(18), vec!["g8".to_owned(), "a2".to_owned()])
    );
    let bare = Problem::parse(game("othello-4x4"), "-----OX--XO----- X").unwrap();
    let start = Position::start(game("othello-4x4"));
    assert_eq!((bare.position, bare.score), (start, None));
    let rows = "......./......./......./......./...OO../...XX..";
    let bare = Problem::parse(game("connect-four"), rows).unwrap();
    assert_eq!(Ok(bare.position), play_moves(game("connect-four"), "4455"));
    for (line, reason) in [
        ("...X 3", "a score behind a position needs its move"),
        ("4455 eighteen", "'eighteen' is not a score"),
        ("4455 18 19", "expected moves and a score"),
        ("", "expected moves and a score"),
        ("48 1", "move 2: '8' is not a move"),
    ] {
        let error = Problem::parse(game("connect-four"), line).unwrap_err();
        assert!(error.contains(reason), "{line}: {error}");
    }
    let start = "---------------------------OX------XO--------------------------- X;";
    for (moves, reason) in [
        (" d3", "'d3' is not a move with a score"),
        (" d3:x", "'x' is not a score"),
        (" z3:1", "'z3' is not a move"),
        (" d3c4:1", "'d3c4' is not one move"),
        (" a1:1", "a1 is not legal; legal moves: d3 c4 f5 e6"),
    ] {
        let line = format!("{start}{moves}");
        let error = Problem::parse(game("othello"), &line).unwrap_err();
        assert!(error.contains(reason), "{line}: {error}");
    }
}

/// Reads a text in every way; whatever can be read is written as something that reads back
/// as the same.
fn read_by_all(text: &str) {
    for info in games() {
        if let Ok(position) = Position::parse(info, text) {
            let written = position.to_string();
            assert_eq!(Position::parse(info, &written), Ok(position), "{text}");
            assert_eq!(position.moves().is_empty(), position.outcome().is_some());
        }
        if let Ok(mv) = info.parse_move(text) {
            assert_eq!(info.format_move(mv), text);
        }
        let _ = play_moves(info, text);
        let _ = Problem::parse(info, text);
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,40}|[XO./x ;:+-]{0,70}|[1-7a-h ,]{0,60}") {
        read_by_all(&text);
    }

    #[test]
    fn no_board_makes_a_parser_panic(
        text in "([XO.]{4}/){3}[XO.]{4}( [XO])?|([XO.]{6}/){5}[XO.]{6}( [XO])?|([XO.]{7}/){5}[XO.]{7}|[XO-]{64} [XO]; [a-h][1-8]:[0-9]"
    ) {
        read_by_all(&text);
    }

    #[test]
    fn tic_tac_toe_is_written_as_it_is_read(text in "[XO./x ]{0,14}") {
        if let Ok(position) = TicTacToe::parse(&text) {
            prop_assert_eq!(position.format(), text);
        }
    }
}
