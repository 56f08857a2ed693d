//! A server in a place, and a client that speaks as much HTTP as it needs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use playlab::web::{Lab, Server};
use serde_json::Value;

use crate::place::Place;

/// A server: a program, which ends with the test, or a thread, which ends with the process.
pub struct Serving {
    /// `lab serve`, unless it is a thread of the test.
    child: Option<Child>,
    pub host: String,
    pub token: String,
}

/// What it answered.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> Value {
        let body = &self.body;
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }

    /// The sentence of a refusal.
    #[track_caller]
    pub fn why(&self) -> String {
        let json = self.json();
        let why = json["error"].as_str().unwrap_or_else(|| panic!("{json}"));
        why.to_owned()
    }

    /// The events of a stream, as names and data.
    pub fn events(&self) -> Vec<(String, Value)> {
        let blocks = self.body.split("\n\n");
        blocks.filter_map(event).collect()
    }
}

/// A block of a stream; `None` for one without data.
fn event(block: &str) -> Option<(String, Value)> {
    let (name, data) = block
        .trim_start()
        .strip_prefix("event: ")?
        .split_once('\n')?;
    let data = data.strip_prefix("data: ").unwrap();
    Some((name.to_owned(), serde_json::from_str(data).unwrap()))
}

impl Serving {
    /// Serves the runs in a directory of the place.
    pub fn start(place: &Place, directory: &str) -> Serving {
        Serving::offering(place, directory, &[])
    }

    /// The same, with agents that read files or start programs.
    pub fn offering(place: &Place, directory: &str, agents: &[&str]) -> Serving {
        let mut command = place.command(&["serve", directory, "--port", "0"]);
        command.args(agents.iter().flat_map(|agent| ["--agent", agent]));
        let mut child = place.spawn(&mut command);
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        Serving::at(line.trim(), Some(child))
    }

    /// Serves a lab from a thread, with this much patience.
    pub fn within(lab: &Arc<Lab>, patience: Duration) -> Serving {
        let server = Server::bind(([127, 0, 0, 1], 0).into(), Arc::clone(lab)).unwrap();
        let server = server.with_patience(patience);
        let url = server.url();
        std::thread::spawn(|| server.run().unwrap());
        Serving::at(&url, None)
    }

    fn at(url: &str, child: Option<Child>) -> Serving {
        let address = url.strip_prefix("http://").unwrap();
        let (host, token) = address.split_once("/?token=").unwrap();
        Serving {
            child,
            host: host.to_owned(),
            token: token.to_owned(),
        }
    }

    /// `lab serve` itself. Panics if the server is a thread.
    pub fn program(&mut self) -> &mut Child {
        self.child.as_mut().unwrap()
    }

    /// Sends these bytes, and reads until the connection ends or nothing comes any more.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may close the connection before everything is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    fn head(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> String {
        let mut head = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        let own = [
            ("Host", self.host.clone()),
            ("Authorization", format!("Bearer {}", self.token)),
        ];
        for (name, value) in own {
            if !headers.iter().any(|(other, _)| *other == name) {
                head += &format!("{name}: {value}\r\n");
            }
        }
        for (name, value) in headers {
            // A header without a value is left out.
            if !value.is_empty() {
                head += &format!("{name}: {value}\r\n");
            }
        }
        head
    }

    /// Asks with these headers, besides or in place of its own.
    pub fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let head = self.head(method, target, headers);
        let length = format!("Content-Length: {}\r\n\r\n", body.len());
        let answer = self.raw((head + &length + body).as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or_else(|| panic!("{method} {target}: {answer}")),
            body: match head.to_lowercase().contains("transfer-encoding: chunked") {
                true => unchunked(body),
                false => body.to_owned(),
            },
            head: head.to_owned(),
        }
    }

    pub fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &[], "")
    }

    /// The answer at an address.
    #[track_caller]
    pub fn ok(&self, target: &str) -> Value {
        let answer = self.get(target);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        answer.json()
    }

    pub fn post(&self, target: &str, body: &Value) -> Answer {
        let json = [("Content-Type", "application/json")];
        self.ask("POST", target, &json, &body.to_string())
    }

    /// The last event of a stream.
    #[track_caller]
    pub fn last(&self, target: &str, body: &Value) -> (String, Value) {
        let answer = self.post(target, body);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        answer.events().pop().unwrap()
    }

    /// Begins a search, which continues as long as its connection is kept; and the status of its answer.
    pub fn begin(&self, target: &str, body: &Value) -> (TcpStream, u16) {
        let body = body.to_string();
        let head = self.head("POST", target, &[("Content-Type", "application/json")]);
        let length = format!("Content-Length: {}\r\n\r\n", body.len());
        let mut stream = self.connect();
        stream
            .write_all((head + &length + &body).as_bytes())
            .unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        let status = String::from_utf8_lossy(&start[9..]);
        (stream, status.parse().unwrap())
    }

    /// Listens to events that do not end.
    pub fn listen(&self, target: &str) -> Listening {
        let mut stream = self.connect();
        let head = self.head("GET", target, &[]);
        stream.write_all((head + "\r\n").as_bytes()).unwrap();
        Listening {
            lines: BufReader::new(stream),
        }
    }

    /// Whether the server still answers.
    #[track_caller]
    pub fn is_alive(&self) {
        let begun = Instant::now();
        self.ok("/api/lab");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A client that listens to events.
pub struct Listening {
    lines: BufReader<TcpStream>,
}

impl Listening {
    /// The next event.
    pub fn next(&mut self) -> (String, Value) {
        let mut block = String::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "it ended");
            if line.starts_with("event: ") {
                block = line;
            } else if line.starts_with("data: ") {
                return event(&(block + &line)).unwrap();
            }
        }
    }
}

fn unchunked(body: &str) -> String {
    let mut whole = String::new();
    let mut rest = body;
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        whole += &after[..length];
        rest = after[length..].trim_start_matches("\r\n");
        if length == 0 {
            break;
        }
    }
    whole
}
