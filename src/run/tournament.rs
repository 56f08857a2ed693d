//! What a tournament leaves behind.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::directory::{create_directory, create_numbered_directory, write_atomically};
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult, bradley_terry, wilson};
use crate::plot::{Heatmap, heatmap_svg, to_png};

/// Results of everyone against everyone, and what follows from them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The game.
    pub game: &'static str,
    /// The seed.
    pub seed: u64,
    /// Games that each pair was to play; fewer were, if the tournament was interrupted.
    pub games_per_pair: u64,
    /// One per agent, in the order given.
    pub ratings: Vec<RatedAgent>,
    /// One per pair, from the view of the agent that was given first.
    pub pairings: Vec<Pairing>,
}

/// An agent's place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedAgent {
    /// The agent's spec.
    pub agent: String,
    /// Bradley–Terry rating on the Elo scale; the mean is 0. None if too few games were
    /// played to compare all agents.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub elo_high: Option<f64>,
    /// Points per game; none without a game.
    pub score: Option<f64>,
    /// Games played.
    pub games: u64,
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
    /// Lower end of the 95 % Wilson interval of the win rate.
    pub win_low: f64,
    /// Upper end of that interval.
    pub win_high: f64,
    /// Games that differ in who moved first or in a move.
    pub distinct_games: u64,
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
        let mut games = vec![0; agents.len()];
        let mut rows = Vec::new();
        for (&(a, b), result) in pairings.iter().zip(results) {
            let total = result.total();
            let rates = total.rates();
            let (win_low, win_high) = wilson(total.wins, total.games());
            points[a][b] += total.wins as f64 + 0.5 * total.draws as f64;
            points[b][a] += total.losses as f64 + 0.5 * total.draws as f64;
            games[a] += total.games();
            games[b] += total.games();
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
                win_low,
                win_high,
                distinct_games: result.distinct_games,
            });
        }
        let rated = bradley_terry(&points);
        let rating = |i: usize| rated.as_ref().map(|rated| rated[i]);
        let ratings = agents
            .into_iter()
            .enumerate()
            .map(|(i, agent)| RatedAgent {
                agent,
                elo: rating(i).map(|rating| rating.elo),
                elo_low: rating(i).map(|rating| rating.low),
                elo_high: rating(i).map(|rating| rating.high),
                score: (games[i] > 0).then(|| points[i].iter().sum::<f64>() / games[i] as f64),
                games: games[i],
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
        let mut order: Vec<usize> = (0..self.ratings.len()).collect();
        let strength = |i: usize| {
            let RatedAgent { elo, score, .. } = &self.ratings[i];
            elo.or(*score).unwrap_or(f64::NEG_INFINITY)
        };
        order.sort_by(|&i, &j| strength(j).total_cmp(&strength(i)));
        order
    }

    /// Points per game of agent i against agent j, if they met.
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

    fn heatmap(&self) -> Heatmap {
        let order = self.ranking();
        let name = |&i: &usize| {
            let RatedAgent { agent, elo, .. } = &self.ratings[i];
            let elo = elo.map_or_else(String::new, |elo| format!(" ({elo:+.0})"));
            (agent.clone(), elo)
        };
        let played = || self.pairings.iter().map(|pairing| pairing.games);
        let games = match (played().min(), played().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (_, most) => most.unwrap_or(0).to_string(),
        };
        Heatmap {
            title: format!("{}: tournament", self.game),
            subtitle: format!(
                "score of the row against the column, {games} games a pair; Elo in brackets"
            ),
            names: order.iter().map(name).collect(),
            cells: order
                .iter()
                .map(|&i| order.iter().map(|&j| self.score(i, j)).collect())
                .collect(),
        }
    }
}

/// A directory that holds a tournament: `pairings.csv`, `ratings.csv`,
/// `tournament.json`, `heatmap.svg` and `heatmap.png`.
pub struct TournamentDirectory {
    root: PathBuf,
}

impl TournamentDirectory {
    /// Makes a new directory.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be
    /// made.
    pub fn create(root: &Path) -> Result<TournamentDirectory, Error> {
        create_directory(root)?;
        Ok(TournamentDirectory {
            root: root.to_owned(),
        })
    }

    /// Makes `<parent>/tournament-<n>` with the first n, from 1, that is free.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be
    /// made.
    pub fn create_numbered(parent: &Path) -> Result<TournamentDirectory, Error> {
        let root = create_numbered_directory(parent, "tournament")?;
        Ok(TournamentDirectory { root })
    }

    /// The cross table as a picture.
    pub fn heatmap_svg(&self) -> PathBuf {
        self.root.join("heatmap.svg")
    }

    /// Writes every file.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if one cannot be written.
    pub fn write(&self, standings: &Standings) -> Result<(), Error> {
        let put =
            |name: &str, content: &[u8]| write_atomically(&self.root.join(name), content).map(drop);
        put("pairings.csv", &csv_text(&standings.pairings))?;
        put("ratings.csv", &csv_text(&standings.ratings))?;
        let json = serde_json::to_string_pretty(standings).expect("standings are JSON") + "\n";
        put("tournament.json", json.as_bytes())?;
        let svg = heatmap_svg(&standings.heatmap());
        let png = to_png(&svg).map_err(|why| Error::input(format!("cannot draw: {why}")))?;
        put("heatmap.svg", svg.as_bytes())?;
        put("heatmap.png", &png)
    }
}

fn csv_text<R: Serialize>(rows: &[R]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is a CSV record");
    }
    writer
        .into_inner()
        .expect("writing to memory does not fail")
}
