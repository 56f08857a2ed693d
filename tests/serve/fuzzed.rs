//! Every request is answered, or refused with a sentence.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playlab::web::{Asked, Lab, answer};
use proptest::prelude::*;
use serde_json::{Value, json};

const POSTS: [&str; 5] = [
    "/api/move",
    "/api/think",
    "/api/hints",
    "/api/solve",
    "/api/match",
];
const GETS: [&str; 12] = [
    "/api/runs",
    "/api/run",
    "/api/run/events",
    "/api/run/training",
    "/api/figure",
    "/api/figure.svg",
    "/api/position",
    "/api/inspect",
    "/api/inspect/history",
    "/api/inspect/mistakes",
    "/api/inspect/line",
    "/api/nothing",
];

/// Asks, without letting the work of a stream begin.
fn ask(is_post: bool, path: &str, query: &str, body: &[u8]) {
    let lab = Arc::new(Lab::new("/no/such/directory".into(), Vec::new()));
    let asked = Asked {
        is_post,
        is_json: true,
        path: path.to_owned(),
        query: query.to_owned(),
        body: body.to_vec(),
    };
    if let Err(refusal) = answer(&lab, &asked, &AtomicBool::new(false)) {
        assert!(refusal.status.is_client_error(), "{path} {}", refusal.why);
        assert!(refusal.why.len() > 10, "{}", refusal.why);
    }
}

fn value() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        "[ -~]{0,12}",
        Just("tic-tac-toe".to_owned()),
        Just("othello".to_owned()),
        Just("a1,b2".to_owned()),
        Just("random".to_owned()),
        Just("mcts:simulations=10".to_owned()),
        "mcts:[a-z_]{1,9}=[0-9a-z.-]{0,6}",
        "run:[ -~]{0,9}",
        "\\PC{0,9}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{0,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_body_is_answered_or_refused(
        path in prop::sample::select(&POSTS[..]),
        keys in prop::collection::hash_map(
            prop_oneof!["game|moves|position|agent|seed|a|b|games", "[a-z]{0,6}"], value(), 0..6,
        ),
        game in prop::option::of(prop::sample::select(&["tic-tac-toe", "othello", "hex-3x3"][..])),
    ) {
        let mut body = json!(keys);
        if let Some(game) = game {
            body["game"] = json!(game);
        }
        ask(true, path, "", body.to_string().as_bytes());
    }

    #[test]
    fn any_bytes_are_refused(path in prop::sample::select(&POSTS[..]), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        ask(true, path, "", &bytes);
    }

    #[test]
    fn any_query_is_answered_or_refused(
        path in prop::sample::select(&GETS[..]),
        pairs in prop::collection::vec(
            (prop_oneof!["game|moves|position|run|name|seed|checkpoint|side|opponent|metric|seeds", "[a-z]{0,6}"], "[ -~]{0,12}"), 0..5,
        ),
    ) {
        let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        ask(false, path, &pairs.join("&"), b"");
    }
}
