//! What is known about each kind of learner before there is one.

use std::collections::BTreeSet;
use std::sync::Arc;

use playlab::game::{GameInfo, Side, games};
use playlab::graph::Solved;
use playlab::learn::{Frame, LearnerConfig, Opponent, Task};
use serde::Deserialize;

/// The names of all learners, as a config may have them.
fn names() -> Vec<String> {
    let schema = schemars::schema_for!(LearnerConfig).to_value();
    let kinds = schema["oneOf"].as_array().unwrap().iter();
    let names = kinds.flat_map(|kind| kind["properties"].as_object().unwrap().keys());
    let names: Vec<String> = names.cloned().collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

#[test]
fn learners_are_as_is_known_of_them_without_a_config() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let solved = Arc::new(Solved::game(game).unwrap());
    let alone: Vec<&str> = LearnerConfig::without_opponents().collect();
    let of_values = LearnerConfig::of_values();
    let of_values: Vec<&str> = of_values.split(" or ").collect();
    assert!(alone.contains(&"mcts") && of_values.contains(&"td"));
    for name in &names() {
        let with = |keys: &&str| {
            let mut keys: toml::Table = keys.parse().unwrap();
            LearnerConfig::complete(name, &mut keys, game);
            let learner = toml::Table::from_iter([(name.clone(), keys.into())]);
            LearnerConfig::deserialize(learner).ok()
        };
        let config = ["", "value = { table = {} }"].iter().find_map(with);
        let config = config.expect("a value alone has no default");
        let fits = |opponents| {
            let frame = Frame {
                game,
                opponents,
                episodes: 1,
            };
            config.check(&frame).is_ok()
        };
        let is_alone = alone.contains(&name.as_str());
        assert_eq!([fits(0), fits(1)], [is_alone, !is_alone], "{name}");
        let setup = config.settings().setup(Task {
            game,
            solved: Some(Arc::clone(&solved)),
            sides: Side::BOTH.to_vec(),
            opponents: vec![(Opponent::SelfPlay, 1.0)],
        });
        let has_values = setup.learner().values().is_some();
        assert_eq!(has_values, of_values.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn a_default_that_differs_between_games_is_known_as_one() {
    let known = LearnerConfig::dependent();
    let mut differing = Vec::new();
    for name in &names() {
        let completed = games().iter().map(|game| {
            let mut keys = toml::Table::new();
            LearnerConfig::complete(name, &mut keys, game);
            keys
        });
        let completed: Vec<toml::Table> = completed.collect();
        for key in completed
            .iter()
            .flat_map(toml::Table::keys)
            .collect::<BTreeSet<_>>()
        {
            let first = completed[0].get(key);
            if completed.iter().any(|keys| keys.get(key) != first) {
                differing.push(format!("learner.{name}.{key}"));
            }
        }
    }
    assert_eq!(differing, ["learner.mcts.rollouts"]);
    for key in differing {
        assert!(known.iter().any(|known| known.key == key), "{key}");
    }
}
