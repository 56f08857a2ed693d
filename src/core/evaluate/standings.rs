//! The standings of a tournament.

use serde::Serialize;

use super::contest::{MatchPlan, PairingResult};
use super::distinct::Played;
use super::rating::bradley_terry;
use crate::stats::ascending;

/// The results of all pairings, and the ratings that follow from them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The game.
    pub game: &'static str,
    /// The seed.
    pub seed: u64,
    /// Games planned for each pair; fewer were played if the tournament was interrupted.
    pub games_per_pair: u64,
    /// One per agent, in the order given.
    pub ratings: Vec<RatedAgent>,
    /// One per pair, from the view of the agent that is listed first.
    pub pairings: Vec<Pairing>,
}

/// An agent's rating and score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedAgent {
    /// The agent's spec.
    pub agent: String,
    /// Bradley–Terry rating on the Elo scale; the mean is 0. None if too few games were played to compare all agents.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval, by [effective games](Played::effective_games); none with fewer than
    /// [`Played::FEWEST`] different games.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub elo_high: Option<f64>,
    /// Points per game; none without a game.
    pub score: Option<f64>,
    /// Games played.
    pub games: u64,
    /// How many of them are different.
    pub distinct_games: u64,
}

/// The games of two agents, from A's view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The first agent.
    pub a: String,
    /// The second agent.
    pub b: String,
    /// Games played.
    pub games: u64,
    /// Won by A.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by A.
    pub losses: u64,
    /// Share of games won.
    pub win_rate: f64,
    /// Share of games drawn.
    pub draw_rate: f64,
    /// Share of games lost.
    pub loss_rate: f64,
    /// Lower end of the win rate's 95 % interval; see [`Played::win_interval`].
    pub win_low: Option<f64>,
    /// Upper end of that interval.
    pub win_high: Option<f64>,
    /// Games that differ in who moved first or in a move; see [`Played`].
    pub distinct_games: u64,
    /// See [`Played::effective_games`].
    pub effective_games: f64,
    /// Lost by A by breaking them off; A's and B's are counted up to [`MOST_FORFEITS`](super::MOST_FORFEITS) in total.
    pub a_forfeits: u64,
    /// Lost by B by breaking them off.
    pub b_forfeits: u64,
}

impl Pairing {
    fn score(&self) -> Option<f64> {
        (self.games > 0).then_some(self.win_rate + 0.5 * self.draw_rate)
    }
}

impl Standings {
    /// Works out the standings; `results` has one entry per pairing of indices into
    /// `agents`.
    pub fn new(
        game: &'static str,
        agents: Vec<String>,
        plan: &MatchPlan,
        pairings: &[(usize, usize)],
        results: &[PairingResult],
    ) -> Standings {
        let mut points = vec![vec![0.0; agents.len()]; agents.len()];
        let mut worth = vec![vec![1.0; agents.len()]; agents.len()];
        let mut games = vec![(0, 0); agents.len()];
        let mut rows = Vec::new();
        for (&(a, b), result) in pairings.iter().zip(results) {
            let all = result.total();
            let total = all.tally;
            let rates = total.rates();
            let interval = all.win_interval();
            let independent = all.effective_games() / total.games().max(1) as f64;
            for (i, j, won) in [(a, b, total.wins), (b, a, total.losses)] {
                let won = won as f64 + 0.5 * total.draws as f64;
                points[i][j] += won;
                worth[i][j] = independent;
                games[i].0 += total.games();
                games[i].1 += all.distinct_games;
            }
            rows.push(Pairing {
                a: agents[a].clone(),
                b: agents[b].clone(),
                games: total.games(),
                wins: total.wins,
                draws: total.draws,
                losses: total.losses,
                win_rate: rates.win,
                draw_rate: rates.draw,
                loss_rate: rates.loss,
                win_low: interval.map(|interval| interval.0),
                win_high: interval.map(|interval| interval.1),
                distinct_games: all.distinct_games,
                effective_games: all.effective_games(),
                a_forfeits: result.forfeits_of(a),
                b_forfeits: result.forfeits_of(b),
            });
        }
        let rated = bradley_terry(&points, &worth);
        let rating = |i: usize| rated.as_ref().map(|rated| rated[i]);
        let interval = |i: usize| rating(i).filter(|_| games[i].1 >= Played::FEWEST);
        let ratings = agents
            .into_iter()
            .enumerate()
            .map(|(i, agent)| RatedAgent {
                agent,
                elo: rating(i).map(|rating| rating.elo),
                elo_low: interval(i).map(|rating| rating.low),
                elo_high: interval(i).map(|rating| rating.high),
                score: (games[i].0 > 0).then(|| points[i].iter().sum::<f64>() / games[i].0 as f64),
                games: games[i].0,
                distinct_games: games[i].1,
            })
            .collect();
        Standings {
            game,
            seed: plan.seed,
            games_per_pair: plan.games,
            ratings,
            pairings: rows,
        }
    }

    /// The agents' indices, strongest first.
    pub fn ranking(&self) -> Vec<usize> {
        let strength = |rated: &RatedAgent| rated.elo.or(rated.score).unwrap_or(f64::NEG_INFINITY);
        let weaknesses: Vec<f64> = self.ratings.iter().map(|rated| -strength(rated)).collect();
        ascending(&weaknesses)
    }

    /// Points per game of agent i against agent j; `None` if they did not meet.
    pub fn score(&self, i: usize, j: usize) -> Option<f64> {
        let (a, b) = (&self.ratings[i].agent, &self.ratings[j].agent);
        self.pairings.iter().find_map(|pairing| {
            if pairing.a == *a && pairing.b == *b {
                pairing.score()
            } else if pairing.a == *b && pairing.b == *a {
                pairing.score().map(|score| 1.0 - score)
            } else {
                None
            }
        })
    }
}
