//! The model of the opponents' replies, and the queue of entries to plan with it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::action_values::TableSpace;
use super::super::lesson::Memory;
use super::super::saved_entries::{by_name, numbers_of, save_names, saved_entries};
use crate::arrays::{Arrays, Sink};
use crate::graph::{GameGraph, Solved, TableKind, TableLayout};

/// How to plan, and what planning needs from the game.
pub struct Plan {
    /// n.
    pub steps: u64,
    /// θ.
    pub threshold: f64,
    /// Where replies are counted.
    pub replies: Replies,
    /// For prioritized sweeping.
    pub parents: Option<Parents>,
}

/// What the model counts.
pub struct Replies {
    /// The layout of the counts: one for every move in every position; symmetric moves share one
    /// where they share an entry of the table.
    pub layout: TableLayout,
    /// The index of each move's count. If moves of one position share a count, the first one has it, and the
    /// others get the extra count at the end, which stays 0.
    pub own: Vec<u32>,
}

impl Replies {
    /// Lays out the counts of replies in the positions of a game.
    pub fn new(solved: &Solved, fold_symmetries: bool) -> Replies {
        let graph = &solved.graph;
        let layout = solved.layout(TableKind::StateAction, fold_symmetries);
        let mut own = Vec::with_capacity(graph.edge_count());
        for edges in (0..graph.position_count()).map(|position| graph.edges(position)) {
            for edge in edges.clone() {
                let mut earlier = edges.start..edge;
                let is_counted = earlier.any(|other| layout.entry(other) == layout.entry(edge));
                own.push(match is_counted {
                    true => layout.entry_count() as u32,
                    false => layout.entry(edge) as u32,
                });
            }
        }
        Replies { layout, own }
    }
}

/// The moves that lead to every position.
pub struct Parents {
    /// The start of each position's moves in `edges`.
    starts: Vec<u32>,
    edges: Vec<u32>,
    /// The position that each move is made in.
    sources: Vec<u32>,
}

impl Parents {
    /// The parents of the positions of this graph.
    pub fn new(graph: &GameGraph) -> Parents {
        let mut starts = vec![0; graph.position_count() + 1];
        let mut sources = Vec::with_capacity(graph.edge_count());
        for position in 0..graph.position_count() {
            for edge in graph.edges(position) {
                starts[graph.child(edge) + 1] += 1;
                sources.push(position as u32);
            }
        }
        for position in 0..graph.position_count() {
            starts[position + 1] += starts[position];
        }
        let (mut next, mut edges) = (starts.clone(), vec![0; graph.edge_count()]);
        for edge in 0..graph.edge_count() {
            let next = &mut next[graph.child(edge)];
            edges[*next as usize] = edge as u32;
            *next += 1;
        }
        Parents {
            starts,
            edges,
            sources,
        }
    }

    /// The moves that lead to a position, and the positions that they are made in.
    pub fn of(&self, position: usize) -> impl Iterator<Item = (usize, usize)> {
        let [start, end] = [position, position + 1].map(|i| self.starts[i] as usize);
        let edges = self.edges[start..end].iter().map(|&edge| edge as usize);
        edges.map(|edge| (edge, self.sources[edge] as usize))
    }
}

/// The model, and the state of planning.
#[derive(Clone)]
pub struct Model {
    /// How often each reply was seen, by the entries of [`Replies::layout`].
    pub counts: Vec<u32>,
    /// The entries of moves that were made, in the order in which they were first made.
    pub made: Vec<u32>,
    /// The priority of every entry; 0 where it is not in the queue.
    pub priorities: Vec<f64>,
    /// The queue; an element counts only if its priority is the entry's present one.
    queue: BinaryHeap<Urgent>,
}

/// An entry in the queue. Priorities are above 0, and therefore ordered as their bits are.
type Urgent = (u64, Reverse<u32>);

impl Memory<Plan> for Model {
    fn new(space: &TableSpace, plan: &Plan) -> Model {
        Model {
            counts: vec![0; plan.replies.layout.entry_count() + 1],
            made: Vec::new(),
            priorities: vec![0.0; space.layout.entry_count()],
            queue: BinaryHeap::new(),
        }
    }

    /// Saves `order`, each entry's place in the order in which moves were first made, and `priorities`, its
    /// priority, 0 if it is not in the queue. For every reply that was seen: `reply_keys`, the key of the
    /// position; `reply_moves`, the index of the move; `reply_counts`, how often.
    fn save(&self, space: &TableSpace, plan: &Plan, entries: &[usize], arrays: &mut dyn Sink) {
        let mut order = vec![0_u32; space.layout.entry_count()];
        for (number, &entry) in (0..).zip(&self.made) {
            order[entry as usize] = number;
        }
        arrays.insert_each("order", entries.iter().map(|&entry| order[entry]));
        let priorities = entries.iter().map(|&entry| self.priorities[entry]);
        arrays.insert_each("priorities", priorities);

        let (graph, layout) = (space.graph(), &plan.replies.layout);
        let seen = by_name(graph, layout, &|reply| self.counts[reply] > 0);
        save_names(graph, layout, &seen, "reply_", arrays);
        let counts = seen.iter().map(|&reply| self.counts[reply]);
        arrays.insert_each("reply_counts", counts);
    }

    fn load(
        space: &TableSpace,
        plan: &Plan,
        entries: &[usize],
        arrays: &Arrays,
    ) -> Result<Model, String> {
        let mut model = Model::new(space, plan);
        if arrays.exactly::<u32>("visits", entries.len())?.contains(&0) {
            return Err("it has moves that were never made".to_owned());
        }
        let mut made = vec![None; entries.len()];
        let order: &[u32] = arrays.exactly("order", entries.len())?;
        for (&number, &entry) in order.iter().zip(entries) {
            if let Some(place) = made.get_mut(number as usize) {
                *place = Some(entry as u32);
            }
        }
        // A number that comes twice, or is too large, leaves another one out.
        let made: Option<Vec<u32>> = made.into_iter().collect();
        model.made = made.ok_or("its order is not one of its entries")?;
        for (&entry, &priority) in entries
            .iter()
            .zip(numbers_of(entries, arrays, "priorities")?)
        {
            if priority < 0.0 {
                return Err("it has priorities below 0".to_owned());
            }
            model.enter(entry, priority);
        }

        let (graph, layout) = (space.graph(), &plan.replies.layout);
        let replies = saved_entries(graph, layout, "reply_", arrays)?;
        let counts: &[u32] = arrays.exactly("reply_counts", replies.len())?;
        for (&reply, &count) in replies.iter().zip(counts) {
            model.counts[reply] = count;
        }
        let is_answered = |&entry: &usize| {
            let mut replies = graph.edges(graph.child(space.layout.edge(entry)));
            replies.is_empty() || replies.any(|edge| model.counts[layout.entry(edge)] > 0)
        };
        match entries.iter().all(is_answered) {
            true => Ok(model),
            false => Err("it has moves that nothing follows".to_owned()),
        }
    }

    fn most_bytes(space: &TableSpace, plan: &Plan) -> u64 {
        let of_entries = space.layout.entry_count() as u64 * (4 + 8);
        of_entries + plan.replies.layout.entry_count() as u64 * (8 + 1 + 4)
    }
}

impl Model {
    /// Puts an entry into the queue, or moves it to its new place there; does nothing if the priority is 0.
    pub fn enter(&mut self, entry: usize, priority: f64) {
        if priority > 0.0 {
            self.priorities[entry] = priority;
            if self.queue.len() > 2 * self.priorities.len() + 64 {
                // Elements that no longer count would take ever more memory.
                let known = (0..)
                    .zip(&self.priorities)
                    .filter(|(_, priority)| **priority > 0.0);
                self.queue = known
                    .map(|(entry, priority)| (priority.to_bits(), Reverse(entry)))
                    .collect();
            }
            self.queue.push((priority.to_bits(), Reverse(entry as u32)));
        }
    }

    /// Takes the first entry out of the queue.
    pub fn next(&mut self) -> Option<usize> {
        while let Some((priority, Reverse(entry))) = self.queue.pop() {
            let known = &mut self.priorities[entry as usize];
            if known.to_bits() == priority {
                *known = 0.0;
                return Some(entry as usize);
            }
        }
        None
    }
}
