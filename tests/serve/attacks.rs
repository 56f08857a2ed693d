//! Requests that should not be answered.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use playlab::web::Lab;
use serde_json::{Value, json};

use super::client::Serving;
use crate::place::{Place, SMALL, contents};

#[test]
fn others_are_refused() {
    let place = Place::trained(SMALL, "--seeds 1");
    let serving = Serving::start(&place, ".");
    let port = serving.host.split(':').nth(1).unwrap();
    let get = |headers: &[(&str, &str)]| serving.ask("GET", "/api/runs", headers, "");
    assert_eq!(get(&[]).status, 200);
    assert_eq!(get(&[("Host", &format!("localhost:{port}"))]).status, 200);
    for host in [
        "evil.example",
        "localhost",
        &format!("localhost:{port}.evil.example"),
        "127.0.0.1:1",
    ] {
        assert_eq!(get(&[("Host", host)]).status, 403, "{host}");
        assert_eq!(serving.ask("GET", "/", &[("Host", host)], "").status, 403);
    }
    for origin in ["http://evil.example", "null", "https://localhost"] {
        assert_eq!(get(&[("Origin", origin)]).status, 403, "{origin}");
    }
    assert_eq!(get(&[("Sec-Fetch-Site", "same-site")]).status, 403);
    assert_eq!(get(&[("Authorization", "")]).status, 401);
    assert_eq!(get(&[("Authorization", "Bearer 0")]).status, 401);
    for form in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let answer = serving.ask("POST", "/api/move", &[("Content-Type", form)], "{}");
        assert_eq!(answer.status, 415, "{form}");
    }
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE"] {
        assert_eq!(
            serving.ask(method, "/api/runs", &[], "").status,
            405,
            "{method}"
        );
    }
    for (method, target, allowed) in [
        ("POST", "/api/runs", "get, head"),
        ("POST", "/style.css", "get, head"),
        ("GET", "/api/move", "post"),
        ("HEAD", "/api/move", "post"),
    ] {
        let refused = serving.ask(method, target, &[], "");
        assert_eq!(refused.status, 405, "{method} {target}");
        let head = refused.head.to_lowercase();
        assert!(head.contains(&format!("allow: {allowed}\r\n")), "{head}");
    }
    assert_eq!(serving.ask("POST", "/nope", &[], "").status, 404);
    // HEAD is GET without the body.
    for target in ["/", "/api/lab", "/api/nothing"] {
        let [got, bodiless] = ["GET", "HEAD"].map(|method| serving.ask(method, target, &[], ""));
        let undated = |head: &str| -> Vec<String> {
            let lines = head.lines().filter(|line| !line.starts_with("date: "));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(undated(&bodiless.head), undated(&got.head), "{target}");
        assert_eq!(bodiless.body, "");
    }
    let watched = serving.ask("HEAD", "/api/runs/events", &[], "");
    assert_eq!((watched.status, watched.body.as_str()), (200, ""));
    // The token is exchanged for a cookie and leaves the address.
    let entered = serving.get(&format!("/?token={}", serving.token));
    assert_eq!(entered.status, 303);
    let cookie = entered
        .head
        .lines()
        .find(|line| line.starts_with("set-cookie: "))
        .unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie
        .strip_prefix("set-cookie: ")
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    assert_eq!(
        get(&[("Authorization", ""), ("Cookie", cookie)]).status,
        200
    );
    assert_eq!(serving.get("/?token=wrong").status, 401);
    // The page itself gives nothing away, and says what it may load.
    let page = serving.ask("GET", "/", &[("Authorization", "")], "");
    assert_eq!(page.status, 200);
    assert!(
        page.head.contains("default-src 'none'; script-src 'self'"),
        "{}",
        page.head
    );
    assert!(!page.body.contains(&serving.token));
}

#[test]
fn no_path_leads_to_a_file() {
    let place = Place::trained(SMALL, "--seeds 1");
    place.write("secret.txt", "the secret");
    let before = contents(&place.path("run"));
    let serving = Serving::start(&place, "run");
    for path in [
        "/secret.txt",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//secret.txt",
        "/./../../../../../../etc/passwd",
        "/etc/passwd",
        "/config.toml",
        "/run/config.toml",
        "/parts/../../mod.rs",
        "/\\..\\secret.txt",
        "/api/../secret.txt",
        "/api/run?name=../secret.txt",
        "/api/run?name=/etc/passwd",
        "/api/run?name=%2e%2e",
        "/api/run?name=%00",
        "/api/figure?name=../run",
        "/api/inspect?run=../run&checkpoint=../../x",
    ] {
        let answer = serving.raw(
            format!(
                "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
                serving.host, serving.token
            )
            .as_bytes(),
        );
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(status.starts_with('4'), "{path}: {answer}");
        assert!(
            !answer.contains("the secret") && !answer.contains("root:"),
            "{path}"
        );
    }
    serving.ok("/api/run?name=run");
    serving.ok("/api/inspect?run=run");
    assert_eq!(contents(&place.path("run")), before, "it writes nothing");
}

#[test]
fn what_is_too_large_or_garbage_is_refused_and_the_server_lives() {
    let place = Place::new();
    let serving = Serving::start(&place, "runs");
    let json = [("Content-Type", "application/json")];
    let large = " ".repeat(100_000);
    assert_eq!(serving.ask("POST", "/api/move", &json, &large).status, 413);
    let endless = [json[0], ("Content-Length", "100000000000000")];
    let begun = Instant::now();
    let answer = serving.ask("POST", "/api/move", &endless, "");
    assert!(
        answer.status == 413 || answer.status == 400,
        "{}",
        answer.head
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
    let head = format!(
        "GET /api/lab HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n",
        serving.host,
        "x".repeat(100_000)
    );
    assert!(serving.raw(head.as_bytes()).contains(" 431 "));
    let long = format!(
        "/api/position?game=tic-tac-toe&moves={}",
        "a1,".repeat(3000)
    );
    assert_eq!(serving.get(&long).status, 400);
    let deep = format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000));
    assert_eq!(serving.ask("POST", "/api/move", &json, &deep).status, 400);
    // Noise, and requests with a part that is noise.
    let mut state = 1u64;
    let mut random = move || {
        // Knuth's constants.
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    for number in 0..1000 {
        let noise: Vec<u8> = (0..1 + number % 300).map(|_| random()).collect();
        let bytes = match number % 4 {
            0 => noise,
            1 => [b"GET /api/", &noise[..], b" HTTP/1.1\r\n\r\n"].concat(),
            2 => [
                format!(
                    "POST /api/move HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n",
                    serving.host,
                    noise.len()
                )
                .as_bytes(),
                &noise,
            ]
            .concat(),
            _ => {
                let text: String = noise
                    .iter()
                    .map(|byte| char::from(32 + byte % 95))
                    .collect();
                format!("GET /api/position?{text} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n", serving.host, serving.token).into_bytes()
            }
        };
        let stream = TcpStream::connect(&serving.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut stream = stream;
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            !answer.contains(" 200 OK") && !answer.contains(" 500 "),
            "{number}: {answer}"
        );
    }
    serving.is_alive();
}

#[test]
fn searches_are_few_and_end_when_nobody_listens() {
    let deep = "alpha-beta:depth=30";
    std::thread::scope(|scope| {
        for (path, asked) in [
            ("/api/solve", json!({ "game": "othello" })),
            (
                "/api/match",
                json!({ "game": "connect-four-5x4", "a": deep, "b": "random", "games": 1 }),
            ),
            ("/api/move", json!({ "game": "othello", "agent": deep })),
        ] {
            scope.spawn(move || searches_end(path, &asked));
        }
    });
}

fn searches_end(path: &str, asked: &Value) {
    let place = Place::new();
    let serving = Serving::start(&place, "runs");
    let most = serving.ok("/api/lab")["searches"].as_u64().unwrap();
    let begin = || serving.begin(path, asked);
    let open: Vec<_> = (0..most).map(|_| begin()).collect();
    assert!(open.iter().all(|(_, status)| *status == 200));
    assert_eq!(begin().1, 429);
    // A game does not wait for searches, only for the moves of others.
    let quick = json!({ "game": "tic-tac-toe", "agent": "random" });
    let status = if path == "/api/move" { 429 } else { 200 };
    assert_eq!(serving.begin("/api/move", &quick).1, status);
    serving.is_alive();
    drop(open);
    let begun = Instant::now();
    while begin().1 != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "searches go on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_client_that_reads_nothing_is_dropped() {
    let place = Place::new();
    let lab = Arc::new(Lab::new(place.path("runs"), vec![]));
    let serving = Serving::within(&lab, Duration::from_secs(1));
    let head = format!("GET /style.css HTTP/1.1\r\nHost: {}\r\n\r\n", serving.host);
    let many = head.repeat(100);
    let slow = || {
        let mut stream = TcpStream::connect(&serving.host).unwrap();
        let time = Duration::from_millis(5);
        stream.set_write_timeout(Some(time)).unwrap();
        // As much as it takes.
        while stream.write_all(many.as_bytes()).is_ok() {}
        stream
    };
    let _slow: Vec<TcpStream> = (0..99).map(|_| slow()).collect();
    let more: Vec<TcpStream> = (0..6)
        .map(|_| TcpStream::connect(&serving.host).unwrap())
        .collect();
    let begun = Instant::now();
    serving.ok("/api/lab");
    assert!(begun.elapsed() < Duration::from_secs(30));
    drop(more);
}

#[test]
fn questions_end_when_nobody_waits_for_their_answers() {
    let place = Place::new();
    place.write(
        "small.toml",
        &SMALL
            .replace("tic-tac-toe", "connect-four-4x4")
            .replace("epochs = 6", "epochs = 1"),
    );
    place.ok("train small.toml --out run --seeds 1");
    let lab = Arc::new(Lab::new(place.path("."), vec![]));
    let serving = Serving::within(&lab, Duration::from_secs(60));
    // The positions are listed once.
    serving.ok("/api/inspect?run=run");
    // Half a minute of work.
    let target = "/api/inspect/mistakes?run=run&opponent=alpha-beta:depth=30";
    let asked: Vec<_> = (0..4).map(|_| serving.listen(target)).collect();
    std::thread::sleep(Duration::from_millis(500));
    drop(asked);
    serving.is_alive();
    let refused = Serving::within(&lab, Duration::from_secs(1)).get(target);
    assert_eq!(refused.status, 400);
    assert!(refused.why().contains("takes too long"), "{}", refused.body);
}
