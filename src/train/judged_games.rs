//! Games of a learner against its judges.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::experiment::Experiment;
use crate::agent::erring;
use crate::error::Error;
use crate::evaluate::{AgainstPerfect, Contest, MatchPlan, Played, Seats, play_pairings};
use crate::game::Side;
use crate::learn::{Learner, agent_of};
use crate::text::count;

/// Games of a learner to be played.
pub struct Games<'a> {
    /// The side that it plays.
    pub side: Side,
    /// The number of games against each judge.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// Known results, by each judge's number; these judges are not played against.
    pub known: &'a [Option<AgainstPerfect>],
}

/// The results of games against judges.
pub struct JudgesGames {
    /// The games by the judge's number; `None` for a judge that was not played against.
    pub played: Vec<Option<Played>>,
    /// A sentence for each agent that broke off games, with the reason for the first of them.
    pub forfeits: Vec<String>,
}

/// The name for errors of the agent that plays against the judges.
pub(super) const JUDGED: &str = "the agent that is judged";

/// Plays games of a learner against every judge of its experiment; `None` if `stop` became true
/// before the end. `on_game` is called after every game. Errors: [`Error`] if an agent found no move.
pub fn play_judges(
    experiment: &Experiment,
    learner: &dyn Learner,
    plan: Games<'_>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    on_game: &(dyn Fn() + Sync),
) -> Result<Option<JudgesGames>, Error> {
    let Experiment { config, judges, .. } = experiment;
    let solved = experiment.solved.as_ref();
    let own = agent_of(learner, solved, config.evaluation.simulations);
    let mut agents = vec![erring(own, config.evaluation.epsilon)];
    agents.extend(judges.iter().map(|judge| Arc::clone(&judge.agent)));
    let is_open = |i: &usize| plan.known.get(*i).copied().flatten().is_none();
    let open: Vec<usize> = (0..judges.len()).filter(is_open).collect();
    let pairings: Vec<(usize, usize)> = open.iter().map(|i| (0, i + 1)).collect();
    let contest = Contest {
        game: config.game,
        agents: &agents,
        pairings: &pairings,
        plan: MatchPlan {
            games: plan.games,
            seats: match plan.side {
                Side::X => Seats::AFirst,
                Side::O => Seats::BFirst,
            },
            seed: plan.seed,
        },
    };
    let played = play_pairings(&contest, threads, stop, on_game);
    let name = |agent: usize| match agent.checked_sub(1) {
        Some(judge) => format!("agent '{}'", judges[judge].spec),
        None => JUDGED.to_owned(),
    };
    let results =
        played.map_err(|(agent, failure)| Error::input(format!("{}: {failure}", name(agent))))?;
    let forfeits = (0..agents.len()).filter_map(|agent| {
        let forfeits = results.iter().flat_map(|result| &result.forfeits);
        let mut its = forfeits.filter(|forfeit| forfeit.agent == agent);
        let first = its.next()?;
        let games = match its.count() as u64 {
            0 => "1 game".to_owned(),
            more => format!("{}; in the first", count(1 + more, "game")),
        };
        Some(format!(
            "{} broke off and lost {games}: {}",
            name(agent),
            first.why
        ))
    });
    let forfeits = forfeits.collect();
    let played: Vec<Played> = results.iter().map(|result| result.total()).collect();
    let is_whole = |played: &Played| played.tally.games() == plan.games;
    Ok(played.iter().all(is_whole).then(|| {
        let mut sampled = vec![None; judges.len()];
        for (i, played) in open.into_iter().zip(played) {
            sampled[i] = Some(played);
        }
        JudgesGames {
            played: sampled,
            forfeits,
        }
    }))
}
