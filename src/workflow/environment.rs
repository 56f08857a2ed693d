//! Many simultaneous games against an agent.

use std::sync::Arc;

use crate::agent::{Agent, Failure, Player};
use crate::error::Error;
use crate::game::{GameInfo, Key, Move, Outcome, Position, Side};
use crate::graph::{GraphNode, Policy, START, Sampler, Solved};
use crate::rng::{LabRng, Purpose, stream};
use crate::search::Limits;
use crate::value::write_planes;

/// Many simultaneous games, in each of which the caller plays one side against an agent, or both
/// sides: what libraries of reinforcement learning call a vectorized environment. A game that is over
/// restarts immediately. Each game has its own random numbers, so it does not depend on how many
/// others there are.
pub struct VectorEnvironment {
    game: &'static GameInfo,
    /// The caller's side in each game; `None` where the caller plays both.
    sides: Vec<Option<Side>>,
    boards: Boards,
    rngs: Vec<LabRng>,
    /// Whether a step was stopped halfway, or there has been no [`reset`](VectorEnvironment::reset) yet.
    is_between: bool,
}

enum Boards {
    /// Positions are numbers of a graph, and the opponent's moves are drawn from a policy on it.
    Listed {
        solved: Arc<Solved>,
        opponent: Option<Sampler>,
        places: Vec<NumberedNode>,
        /// The edges chosen in a step.
        edges: Vec<u32>,
    },
    /// Positions come from the rules.
    Searched {
        players: Vec<Box<dyn Player>>,
        positions: Vec<Position>,
    },
}

/// A position on a graph, and its number.
#[derive(Clone, Copy)]
struct NumberedNode {
    number: u32,
    node: GraphNode,
}

/// The outcome of a step in every game.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// 1 if the game was won in this step, −1 if it was lost, else 0: for the caller's side, or,
    /// where the caller plays both, for the side that just moved.
    pub rewards: Vec<f32>,
    /// Whether the game ended in this step, and restarted.
    pub ended: Vec<bool>,
    /// Descriptions of how opponents broke off their games, which loses them.
    pub forfeits: Vec<String>,
}

impl VectorEnvironment {
    /// Games in which the caller plays these sides, each against its own copy of an agent. On a graph,
    /// if there is one, an agent with a known policy computes it once. Call [`reset`](Self::reset) to
    /// begin. Errors: [`Failure`] if the limits ended the agent's work.
    pub fn against(
        game: &'static GameInfo,
        solved: Option<Arc<Solved>>,
        agent: &Arc<dyn Agent>,
        sides: Vec<Side>,
        limits: &Limits,
    ) -> Result<VectorEnvironment, Failure> {
        if let Some(solved) = solved
            && let Some(policy) = agent.policy_within(&solved, limits)?
        {
            return Ok(Self::against_policy(solved, &policy, sides));
        }
        let seat = |_: &Side| Arc::clone(agent).seat();
        let boards = Boards::Searched {
            players: sides.iter().map(seat).collect(),
            positions: Vec::new(),
        };
        let sides = sides.into_iter().map(Some).collect();
        Ok(Self::new(game, sides, boards))
    }

    /// Games in which the caller plays these sides against a policy on a graph.
    pub fn against_policy(
        solved: Arc<Solved>,
        policy: &Policy,
        sides: Vec<Side>,
    ) -> VectorEnvironment {
        let graph = &solved.graph;
        let opponent = Sampler::of_opponent(graph, policy);
        let game = graph.game();
        let boards = Boards::listed(solved, Some(opponent));
        Self::new(game, sides.into_iter().map(Some).collect(), boards)
    }

    /// This many games in which the caller moves both sides.
    pub fn alone(
        game: &'static GameInfo,
        solved: Option<Arc<Solved>>,
        count: usize,
    ) -> VectorEnvironment {
        let boards = match solved {
            Some(solved) => Boards::listed(solved, None),
            None => Boards::Searched {
                players: Vec::new(),
                positions: Vec::new(),
            },
        };
        Self::new(game, vec![None; count], boards)
    }

    fn new(game: &'static GameInfo, sides: Vec<Option<Side>>, boards: Boards) -> VectorEnvironment {
        VectorEnvironment {
            game,
            rngs: rngs(0, sides.len()),
            sides,
            boards,
            is_between: true,
        }
    }

    /// The game.
    pub fn game(&self) -> &'static GameInfo {
        self.game
    }

    /// How many games there are.
    pub fn count(&self) -> usize {
        self.sides.len()
    }

    /// Whether the agent's moves are drawn from a policy on a graph, which takes next to no time.
    pub fn is_on_graph(&self) -> bool {
        matches!(self.boards, Boards::Listed { .. })
    }

    /// Restarts all games, with the random numbers of a seed, or else continuing the present ones, which are at
    /// first those of seed 0. Errors: [`Error::Failed`] if the agent found no move.
    pub fn reset(&mut self, seed: Option<u64>, limits: &Limits) -> Result<(), Error> {
        let count = self.count();
        self.is_between = true;
        if let Some(seed) = seed {
            self.rngs = rngs(seed, count);
        }
        match &mut self.boards {
            Boards::Listed {
                solved,
                opponent,
                places,
                ..
            } => {
                places.clear();
                for (side, rng) in self.sides.iter().zip(&mut self.rngs) {
                    places.push(NumberedNode::first(solved, opponent.as_ref(), *side, rng));
                }
            }
            Boards::Searched { players, positions } => {
                let start = Position::start(self.game);
                *positions = vec![start; count];
                for (index, position) in positions.iter_mut().enumerate() {
                    if let (Some(player), Some(side)) = (players.get_mut(index), self.sides[index])
                    {
                        *position =
                            first_position(start, side, player, &mut self.rngs[index], limits)?;
                    }
                }
            }
        }
        self.is_between = false;
        Ok(())
    }

    /// Makes a move in every game and lets the agent answer, which loses if it resigns or breaks the game off. Errors:
    /// [`Error::Input`] if there is not one legal move per game, which leaves all games unchanged; [`Error::Failed`]
    /// if the agent found no move, or gave a game up before its first one; call [`reset`](Self::reset) then.
    pub fn step(&mut self, moves: &[Move], limits: &Limits) -> Result<Moved, Error> {
        if self.is_between {
            return Err(Error::input("the games have not begun; call reset first"));
        }
        let count = self.count();
        if moves.len() != count {
            return Err(Error::input(format!(
                "there are {} moves, expected {count}, one for each game",
                moves.len()
            )));
        }
        let mut moved = Moved {
            rewards: vec![0.0; count],
            ended: vec![false; count],
            forfeits: Vec::new(),
        };
        match &mut self.boards {
            Boards::Listed {
                solved,
                opponent,
                places,
                edges,
            } => {
                let graph = &solved.graph;
                edges.clear();
                for (index, (place, &mv)) in places.iter().zip(moves).enumerate() {
                    let found = place.node.edges().find(|&edge| graph.mv(edge) == mv);
                    let edge = found.ok_or_else(|| {
                        not_legal(index, graph.position(place.number as usize), mv)
                    })?;
                    edges.push(edge as u32);
                }
                for index in 0..count {
                    let (side, rng) = (self.sides[index], &mut self.rngs[index]);
                    let mover = places[index].node.to_move();
                    let mut place = NumberedNode::after(solved, edges[index] as usize);
                    if let Some(opponent) = opponent
                        && place.node.outcome().is_none()
                    {
                        let edge = opponent.draw(place.node.edges(), rng);
                        place = NumberedNode::after(solved, edge);
                    }
                    if let Some(outcome) = place.node.outcome() {
                        moved.rewards[index] = reward(outcome, mover);
                        moved.ended[index] = true;
                        place = NumberedNode::first(solved, opponent.as_ref(), side, rng);
                    }
                    places[index] = place;
                }
            }
            Boards::Searched { players, positions } => {
                for (index, (position, &mv)) in positions.iter().zip(moves).enumerate() {
                    if !position.moves().contains(mv) {
                        return Err(not_legal(index, *position, mv));
                    }
                }
                let start = Position::start(self.game);
                self.is_between = true;
                for (index, position) in positions.iter_mut().enumerate() {
                    let rng = &mut self.rngs[index];
                    let mover = position.to_move();
                    let mut player = players.get_mut(index);
                    *position = position.play_unchecked(moves[index]);
                    let mut outcome = position.outcome();
                    if let Some(player) = &mut player
                        && outcome.is_none()
                    {
                        outcome = match player.choose(*position, limits, rng) {
                            Ok(answer) => {
                                *position = position.play_unchecked(answer);
                                position.outcome()
                            }
                            Err(Failure::Resigns) => Some(Outcome::Win(mover)),
                            Err(Failure::Forfeit(why)) => {
                                moved.forfeits.push(why);
                                Some(Outcome::Win(mover))
                            }
                            Err(failure) => return Err(failed(failure)),
                        };
                    }
                    if let Some(outcome) = outcome {
                        moved.rewards[index] = reward(outcome, mover);
                        moved.ended[index] = true;
                        *position = match (player, self.sides[index]) {
                            (Some(player), Some(side)) => {
                                first_position(start, side, player, rng, limits)?
                            }
                            _ => start,
                        };
                    }
                }
                self.is_between = false;
            }
        }
        Ok(moved)
    }

    /// The number of every game's position on the graph; `None` without a graph.
    pub fn numbers(&self) -> Option<impl ExactSizeIterator<Item = u32>> {
        match &self.boards {
            Boards::Listed { places, .. } => Some(places.iter().map(|place| place.number)),
            Boards::Searched { .. } => None,
        }
    }

    /// The position of every game.
    pub fn positions(&self) -> Vec<Position> {
        let keys = self.keys();
        keys.map(|key| Position::new(self.game, key)).collect()
    }

    fn keys(&self) -> Box<dyn Iterator<Item = Key> + '_> {
        match &self.boards {
            Boards::Listed { solved, places, .. } => {
                let key = |place: &NumberedNode| solved.graph.key(place.number as usize);
                Box::new(places.iter().map(key))
            }
            Boards::Searched { positions, .. } => {
                Box::new(positions.iter().map(|position| position.key()))
            }
        }
    }

    /// The planes of every game's position; see [`write_planes`].
    pub fn planes(&self) -> Vec<i8> {
        let mut planes = Vec::new();
        write_planes(self.game, self.keys(), &mut planes);
        planes
    }

    /// Whether each move is legal, for every game and, within it, every move by its index.
    pub fn legal(&self) -> Vec<bool> {
        let width = self.game.move_count;
        let mut legal = vec![false; self.count() * width];
        let rows = legal.chunks_exact_mut(width);
        match &self.boards {
            Boards::Listed { solved, places, .. } => {
                let moves = solved.graph.moves();
                for (row, place) in rows.zip(places) {
                    let moves = &moves[place.node.edges()];
                    moves.iter().for_each(|mv| row[mv.index()] = true);
                }
            }
            Boards::Searched { positions, .. } => {
                for (row, position) in rows.zip(positions) {
                    position.moves().for_each(|mv| row[mv.index()] = true);
                }
            }
        }
        legal
    }

    /// The side to move in every game.
    pub fn to_move(&self) -> Vec<Side> {
        match &self.boards {
            Boards::Listed { places, .. } => places.iter().map(|at| at.node.to_move()).collect(),
            Boards::Searched { positions, .. } => positions.iter().map(|at| at.to_move()).collect(),
        }
    }
}

impl Boards {
    fn listed(solved: Arc<Solved>, opponent: Option<Sampler>) -> Boards {
        Boards::Listed {
            solved,
            opponent,
            places: Vec::new(),
            edges: Vec::new(),
        }
    }
}

impl NumberedNode {
    #[inline]
    fn after(solved: &Solved, edge: usize) -> NumberedNode {
        NumberedNode {
            number: solved.graph.child(edge) as u32,
            node: solved.walk().after(edge),
        }
    }

    /// The node where the caller moves first: after the opponent's first move, if the caller moves second.
    #[inline]
    fn first(
        solved: &Solved,
        opponent: Option<&Sampler>,
        side: Option<Side>,
        rng: &mut LabRng,
    ) -> NumberedNode {
        let node = solved.walk().start();
        match (opponent, side) {
            (Some(opponent), Some(side)) if side != node.to_move() => {
                NumberedNode::after(solved, opponent.draw(node.edges(), rng))
            }
            _ => NumberedNode {
                number: START as u32,
                node,
            },
        }
    }
}

/// Like [`NumberedNode::first`], by the rules.
fn first_position(
    start: Position,
    side: Side,
    player: &mut Box<dyn Player>,
    rng: &mut LabRng,
    limits: &Limits,
) -> Result<Position, Error> {
    player.start_game();
    if side == start.to_move() {
        return Ok(start);
    }
    let answer = player.choose(start, limits, rng).map_err(failed)?;
    Ok(start.play_unchecked(answer))
}

/// The random numbers of this many games, one generator for each.
fn rngs(seed: u64, count: usize) -> Vec<LabRng> {
    let games = 0..count as u64;
    games
        .map(|game| stream(seed, Purpose::Environment, 0, game))
        .collect()
}

#[inline]
fn reward(outcome: Outcome, side: Side) -> f32 {
    outcome.for_side(side).sign().into()
}

fn failed(failure: Failure) -> Error {
    Error::Failed(failure.to_string())
}

#[cold]
fn not_legal(game: usize, position: Position, mv: Move) -> Error {
    let legal: Vec<String> = position.moves().map(|mv| mv.index().to_string()).collect();
    Error::input(format!(
        "game {game}, {position}: move {} is not legal, expected one of {}",
        mv.index(),
        legal.join(", ")
    ))
}
