//! The results of an evaluation as text.

use playlab::evaluate::{COUNTED, MoveQuality};
use playlab::game::GameInfo;
use playlab::store::CheckpointChoice;
use playlab::text::{count, out_of, rate, thousands};
use playlab::train::{AllSeeds, EvaluationMethod, MOST_POSITIONS, PolicyKind};
use playlab::workflow::{Evaluation, Judged, SideResult, verdict_text};

use super::super::matches::about_intervals;
use super::super::output::{or_dash, rate_text, table, table_text};
use super::super::report::results;

/// An evaluation as text; `selection` says which checkpoints of the run `name` were evaluated.
pub fn text(report: &Evaluation, selection: Option<CheckpointChoice>, name: &str) -> String {
    let which = match selection {
        None => match report.results.first().map(|result| &result.judged) {
            Some(Judged::Agent { agent }) => agent.clone(),
            Some(Judged::Checkpoint { checkpoint, .. }) => checkpoint.clone(),
            None => "the checkpoint".to_owned(),
        },
        Some(selection) => match report.agent() {
            Some(agent) => format!("{agent}, with each seed's random numbers"),
            None => format!("the {selection} of each seed"),
        },
    };
    let part = match report.is_finished() {
        true => String::new(),
        false => format!(
            "; interrupted, {} evaluated",
            out_of(report.evaluated, report.of)
        ),
    };
    let mut text = format!(
        "{}, {which}{part}\n\n{}\n",
        report.game,
        rates_table(report)
    );
    text.extend(report.results.iter().filter_map(verdict));
    text.extend(report.results.iter().filter_map(perfect_games));
    text.extend(report.results.iter().filter_map(won_openings));
    text.extend(report.results.iter().filter_map(endgames));
    text.extend(report.results.iter().filter_map(quality));
    text.extend(report.results.iter().filter_map(mistakes));
    let mut each = report.results.iter();
    if each.all(|result| result.worst_case.is_none()) {
        text += unproven(report);
    }
    let against = report
        .results
        .iter()
        .flat_map(|result| result.against.rows.iter());
    let distinct: Vec<u64> = against.filter_map(|row| row.distinct_games).collect();
    if !distinct.is_empty() {
        text += &about_intervals(distinct.into_iter());
        text += &random_moves(&report.results);
    }
    let Some(selection) = selection.filter(|_| report.is_finished()) else {
        return text;
    };
    let have = report.of as u64;
    if have < report.seeds {
        text += &format!(
            "{} of the run's {} {} this checkpoint{}.\n",
            thousands(have),
            count(report.seeds, "seed"),
            if have == 1 { "has" } else { "have" },
            match selection {
                CheckpointChoice::Epoch(epoch) if report.are_chosen => format!(
                    ", as the best or last one, or because the others had ended by then; they are not a random sample of the seeds. \
                     {name}/metrics.csv has epoch {epoch} of every seed that reached it"
                ),
                _ => String::new(),
            }
        );
    }
    let (recorded, seeds) = report.recorded();
    if seeds.len() > 1 {
        let checkpoint = report.agent().map(ToString::to_string);
        let checkpoint = checkpoint.unwrap_or_else(|| selection.to_string());
        let numbers = recorded.config.seeds.list().into_iter();
        let all = AllSeeds::new(&recorded, numbers.zip(&seeds));
        let columns = [(checkpoint.as_str(), all)];
        text += &format!("\n{}\n", results(&recorded, &columns));
    }
    text
}

/// Why there is no verdict.
fn unproven(report: &Evaluation) -> &'static str {
    match GameInfo::find(&report.game).is_ok_and(|game| game.listed) {
        true => "There is no verdict: the probabilities of the agent's moves cannot be listed.\n",
        false => "There is no verdict: the game's positions are not listed.\n",
    }
}

/// A note about random moves in the games, if the agent did not play them alone.
fn random_moves(results: &[SideResult]) -> String {
    match results.first() {
        Some(result) if result.epsilon > 0.0 => format!(
            "In these games the learner plays a random legal move with the probability {} in place of its own \
             (evaluation.epsilon).\n",
            result.epsilon
        ),
        _ => String::new(),
    }
}

fn rates_table(report: &Evaluation) -> String {
    const HEAD: [&str; 9] = [
        "seed", "side", "episodes", "opponent", "method", "distinct", "win", "draw", "loss",
    ];
    // An agent has no seed and no episodes.
    let (left_out, numbers_from): (&[usize], usize) = match report.results.first() {
        Some(result) if matches!(result.judged, Judged::Agent { .. }) => (&[0, 2], 3),
        _ => (&[], 5),
    };
    let columns = (0..HEAD.len()).filter(|column| !left_out.contains(column));
    let columns: Vec<usize> = columns.collect();
    let mut rates = table(columns.iter().map(|&column| HEAD[column]), numbers_from);
    for result in &report.results {
        let (seed, episodes) = match &result.judged {
            Judged::Checkpoint { seed, episodes, .. } => (seed.to_string(), thousands(*episodes)),
            Judged::Agent { .. } => Default::default(),
        };
        for (i, row) in result.against.rows.iter().enumerate() {
            let first = |text: &str| match i {
                0 => text.to_owned(),
                _ => String::new(),
            };
            let decimals = match row.method {
                EvaluationMethod::Exact => 5,
                EvaluationMethod::Sampled => 4,
            };
            let cells = [
                first(&seed),
                first(&result.side.letter().to_string()),
                first(&episodes),
                row.opponent.clone(),
                match (row.games, row.policy) {
                    (None, Some(PolicyKind::Stochastic)) => "exact, stochastic".to_owned(),
                    (None, Some(PolicyKind::Greedy)) => "exact, greedy".to_owned(),
                    (None, None) => "exact".to_owned(),
                    (Some(games), _) => count(games, "game"),
                },
                or_dash(row.distinct_games.map(thousands)),
                match (row.method, row.win_low.zip(row.win_high)) {
                    (EvaluationMethod::Sampled, Some(ends)) => rate_text(row.win_rate, Some(ends)),
                    _ => rate(row.win_rate, decimals),
                },
                rate(row.draw_rate, decimals),
                rate(row.loss_rate, decimals),
            ];
            rates.add_row(columns.iter().map(|&column| cells[column].clone()));
        }
    }
    table_text(&rates)
}

/// How good a checkpoint's moves are in the sampled positions; `None` if there are none.
fn quality(result: &SideResult) -> Option<String> {
    let of_plies = &result.move_quality;
    let (first, last) = (of_plies.first()?, of_plies.last()?);
    let all: usize = of_plies.iter().map(|one| one.positions).sum();
    let mean = |value| MoveQuality::mean(of_plies, value).unwrap_or_default();
    Some(format!(
        "{} as {}, {} after {} to {} random plies: a move keeps the value with probability \
         {} (the optimal-move rate), has the best score with {}, and scores {:.2} less than \
         that on average\n",
        who(&result.judged),
        result.side.letter(),
        count(all as u64, "solved position"),
        first.ply,
        last.ply,
        rate(mean(|one| one.keeps_value), 4),
        rate(mean(|one| one.best_moves), 4),
        mean(|one| one.score_loss)
    ))
}

/// Results of games against perfect play; `None` if they are not known.
fn perfect_games(result: &SideResult) -> Option<String> {
    let found = result.against_perfect?;
    let counted = found.games.map_or(String::new(), |games| {
        format!(", counted in {}", count(games, "game"))
    });
    Some(format!(
        "{} as {} against perfect play{counted}: win rate less loss rate {:+.4}; in {} of the games every \
         move has the best score\n",
        who(&result.judged),
        result.side.letter(),
        found.success,
        rate(found.holds, 4)
    ))
}

/// Results of won openings; `None` if they were not computed.
fn won_openings(result: &SideResult) -> Option<String> {
    let found = result.won_openings?;
    let openings = count(found.openings as u64, "opening");
    let success = match found.success {
        None => "unknown".to_owned(),
        Some(success) => format!("{success:+.4} on average"),
    };
    let counted = match found.counted {
        0 => String::new(),
        some => format!(
            "; from {some} of them, which lead to more than {} positions, counted in {} each",
            thousands(MOST_POSITIONS as u64),
            count(COUNTED, "game")
        ),
    };
    Some(format!(
        "{} as {} against perfect play from {openings} won for it, each of {}: win rate less loss rate \
         {success}{counted}\n",
        who(&result.judged),
        result.side.letter(),
        count(found.plies.into(), "random move")
    ))
}

/// Losses in endgames; `None` if none were played.
fn endgames(result: &SideResult) -> Option<String> {
    let found = result.endgames?;
    let (lost, kept, perfect) = (found.discs_lost?, found.keeps_value?, found.perfect?);
    Some(format!(
        "{} as {} loses {lost:.2} discs on average over {} with {} against perfect play; it loses none in \
         {} of them, and keeps the result in {}\n",
        who(&result.judged),
        result.side.letter(),
        count(found.endgames as u64, "endgame"),
        count(found.empties.into(), "empty square"),
        rate(perfect, 4),
        rate(kept, 4)
    ))
}

/// What is proven about a checkpoint; `None` if nothing can be.
fn verdict(result: &SideResult) -> Option<String> {
    result.worst_case?;
    let optimal = rate(result.optimal_move_rate?, 4);
    let is_beatable = result.losing_line.is_some();
    let is_lost = result.holds_value == Some(true);
    let words = verdict_text(result.side, is_beatable, is_lost, "");
    let found = match &result.losing_line {
        Some(line) => format!(": {}", line.join(" ")),
        None if result.holds_value == Some(false) => {
            ", but does not hold the value of the game".to_owned()
        }
        None => String::new(),
    };
    let who = who(&result.judged);
    Some(format!(
        "{who}: {words}{found}; optimal-move rate {optimal}\n"
    ))
}

/// Whose result it is, for the beginning of a line.
fn who(judged: &Judged) -> String {
    match judged {
        Judged::Checkpoint { seed, .. } => format!("Seed {seed}"),
        Judged::Agent { agent } if agent.starts_with("policy:") => "The policy".to_owned(),
        Judged::Agent { .. } => "The agent".to_owned(),
    }
}

/// Where an agent errs; `None` if that is not known.
fn mistakes(result: &SideResult) -> Option<String> {
    let found = result.mistakes.as_ref()?;
    let (letter, opponent) = (found.side.letter(), &found.opponent);
    if found.mistaken == 0 {
        return Some(format!(
            "No mistakes as {letter} in games against {opponent}\n"
        ));
    }
    let head = [
        "after",
        "position",
        "plays",
        "probability",
        "right",
        "costs",
    ];
    let mut rows = table(head, 5);
    for mistake in &found.mistakes {
        let played = mistake.played.iter().map(|wrong| wrong.square.mv.as_str());
        rows.add_row([
            or_dash(Some(mistake.moves.replace(',', " ")).filter(|moves| !moves.is_empty())),
            mistake.text.clone(),
            played.collect::<Vec<_>>().join(" "),
            rate(mistake.often, 5),
            mistake.best.join(" "),
            rate(mistake.cost, 5),
        ]);
    }
    Some(format!(
        "\nMistakes as {letter} in games against {opponent}: in {} of {}, symmetric ones counted once. They \
         cost {} points a game under perfect play (win 1, draw ½); the costliest:\n{}",
        thousands(found.mistaken as u64),
        count(found.positions as u64, "position"),
        rate(found.lost, 5),
        table_text(&rows)
    ))
}
