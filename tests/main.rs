//! All tests of the crate's outside, in one program: each of its own would be linked anew.

mod agents;
mod cli;
mod facts;
mod game_contract;
mod mcts;
mod notation;
mod oracle;
mod perft;
mod place;
mod q_learning;
mod search;
mod solvers;
mod text;
mod value;
mod workflow;
