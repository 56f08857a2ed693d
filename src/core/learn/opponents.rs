//! The opponents that episodes are played against.

use std::sync::Arc;

use rand::distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use crate::agent::Agent;
use crate::game::Side;
use crate::graph::Sampler;
use crate::rng::{LabRng, lend};

/// An opponent of the learner in an episode.
#[derive(Clone)]
pub enum Opponent {
    /// The learner itself: both sides choose and learn, in every episode.
    SelfPlay,
    /// A player that does not learn, by its policy on the game's graph.
    Fixed(Sampler),
    /// A player that does not learn, where positions are not listed.
    Agent(Arc<dyn Agent>),
    /// An opponent that was not prepared, as no episode is to be played.
    Absent,
}

/// The panic message for an episode against an absent opponent.
pub(super) const ABSENT: &str = "nobody was made ready to train against";

/// Who plays whom: the learner takes its sides in turn, and an opponent is drawn for each episode
/// in proportion to the weights.
pub struct Opponents {
    sides: Vec<Side>,
    /// With their weights.
    opponents: Vec<(Opponent, f64)>,
    drawing: Option<WeightedAliasIndex<f64>>,
}

/// The roles in one episode.
pub(super) struct Seating<'a> {
    /// The index of the opponent.
    pub opponent: usize,
    /// Which of X and O learn.
    pub learns: [bool; 2],
    /// How a side that does not learn moves on a graph.
    pub sampler: &'a Sampler,
}

impl Opponents {
    /// Prepares the draw of opponents. Panics if there is no side or no opponent, or if the weights
    /// are not above 0 and finite.
    pub fn new(sides: Vec<Side>, opponents: Vec<(Opponent, f64)>) -> Opponents {
        assert!(
            !sides.is_empty() && !opponents.is_empty(),
            "somebody has to play"
        );
        let drawing = (opponents.len() > 1).then(|| {
            let weights = opponents.iter().map(|(_, weight)| *weight).collect();
            WeightedAliasIndex::new(weights).expect("weights are above 0 and finite")
        });
        Opponents {
            sides,
            opponents,
            drawing,
        }
    }

    /// Whether the learner plays itself.
    pub(super) fn has_self_play(&self) -> bool {
        let is_self = |(opponent, _): &(Opponent, f64)| matches!(opponent, Opponent::SelfPlay);
        self.opponents.iter().any(is_self)
    }

    /// The sides to learn.
    pub(super) fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// The opponents, each with a weight in proportion to its share of the episodes that a side learns from.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (&Opponent, f64)> {
        let weighted = self.opponents.iter();
        weighted.map(|(opponent, weight)| match opponent {
            Opponent::SelfPlay => (opponent, *weight),
            _ => (opponent, weight / self.sides.len() as f64),
        })
    }

    /// Assigns the roles in the episode with this number. Panics if the opponent is absent.
    #[inline]
    pub(super) fn seat(&self, episode: u64, rng: &mut LabRng) -> Seating<'_> {
        let side = match self.sides[..] {
            [side] => side,
            ref sides => sides[(episode % sides.len() as u64) as usize],
        };
        let opponent = match &self.drawing {
            Some(drawing) => lend(rng, |rng| drawing.sample(rng)),
            None => 0,
        };
        let alone = [side == Side::X, side == Side::O];
        let (learns, sampler) = match &self.opponents[opponent].0 {
            Opponent::SelfPlay => ([true; 2], &Sampler::Uniform),
            Opponent::Fixed(sampler) => (alone, sampler),
            Opponent::Agent(_) => (alone, &Sampler::Uniform),
            Opponent::Absent => panic!("{ABSENT}"),
        };
        Seating {
            opponent,
            learns,
            sampler,
        }
    }
}
