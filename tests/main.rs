//! All tests of the crate's outside, in one program: each of its own would be linked anew.

mod agents;
#[cfg(feature = "pictures")]
mod chart;
mod cli;
mod crash;
mod disk;
mod evaluate;
mod facts;
mod fuzz;
mod game;
mod game_contract;
mod graph;
mod mcts;
mod notation;
mod npz;
mod numbered;
mod oracle;
mod othello;
mod perft;
mod place;
#[cfg(feature = "pictures")]
mod plot;
mod q_learning;
mod rng;
mod search;
mod session;
mod solvers;
mod stats;
mod text;
mod value;
mod workflow;
mod worst_opponents;
