//! A headless browser, driven by chromedriver with as much HTTP as that takes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// Keys by their WebDriver names.
pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const LEFT: &str = "\u{e012}";
pub const UP: &str = "\u{e013}";
pub const RIGHT: &str = "\u{e014}";
pub const DOWN: &str = "\u{e015}";

const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Roles that need a name even where no key leads to them, as when they are disabled.
const NAMED: [&str; 15] = [
    "RootWebArea",
    "button",
    "checkbox",
    "combobox",
    "grid",
    "gridcell",
    "heading",
    "image",
    "link",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "table",
    "textbox",
];

/// Starts what drives a browser. Returns the port that it reports, unless it ended at once.
fn driver_with_port() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver is on the path");
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines.map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    if port.is_none() {
        driver.wait().unwrap();
    }
    Some((driver, port?))
}

/// A browser, which ends with the test.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts one that saves files into a directory.
    pub fn start(downloads: &Path) -> Browser {
        // A driver whose chosen port turns out to be taken ends.
        let started = (0..5).find_map(|_| driver_with_port());
        let (driver, port) = started.expect("chromedriver tells its port");
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
        };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1280,1000",
        ];
        let asked = json!({ "capabilities": { "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": {
                "args": arguments,
                "prefs": { "download.default_directory": downloads.display().to_string() },
            },
        } } });
        let begun = browser.ask("POST", "/session", &asked);
        browser.session = begun["sessionId"].as_str().expect("a session").to_owned();
        browser
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.try_to(method, path, body);
        assert!(value["error"].is_null(), "{method} {path} {body}: {value}");
        value
    }

    /// The same, but the answer may be that it could not be done.
    fn try_to(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let body = match method {
            "POST" => body.to_string(),
            _ => String::new(),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            let line = line.trim().to_lowercase();
            if let Some(bytes) = line.strip_prefix("content-length:") {
                length = bytes.trim().parse().unwrap();
            } else if line.is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        answer.read_exact(&mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        answer["value"].clone()
    }

    fn in_session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, &format!("/session/{}{path}", self.session), body)
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        self.in_session("POST", "/url", &json!({ "url": url }));
    }

    /// Makes the window this wide.
    pub fn width(&self, width: u32) {
        // The minimum width of a window does not limit this.
        let metrics = json!({ "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The result of a command of the DevTools protocol.
    fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.in_session("POST", "/goog/cdp/execute", &body)
    }

    /// The result of a script.
    pub fn run(&self, script: &str) -> Value {
        let body = json!({ "script": script, "args": [] });
        self.in_session("POST", "/execute/sync", &body)
    }

    /// The text of the first element that matches; empty if there is none.
    pub fn text(&self, selector: &str) -> String {
        let found = self.run(&format!(
            "return document.querySelector({selector:?})?.textContent ?? ''"
        ));
        found.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a script returns something that is neither false nor null, and returns that.
    #[track_caller]
    pub fn until(&self, script: &str) -> Value {
        let begun = Instant::now();
        loop {
            let found = self.run(script);
            if found != json!(false) && !found.is_null() {
                return found;
            }
            if begun.elapsed() > PATIENCE {
                let seen = self.text("body");
                panic!(
                    "never: {script}\non the page: {seen}\nerrors: {:?}",
                    self.errors()
                );
            }
            sleep(Duration::from_millis(20));
        }
    }

    fn element(&self, selector: &str) -> String {
        let by = json!({ "using": "css selector", "value": selector });
        let found = self.in_session("POST", "/element", &by);
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks the first element that matches, as soon as there is one. A page that is redrawn meanwhile has another.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let begun = Instant::now();
        loop {
            self.until(&format!(
                "return document.querySelector({selector:?}) !== null"
            ));
            let element = self.element(selector);
            let path = format!("/session/{}/element/{element}/click", self.session);
            let clicked = self.try_to("POST", &path, &json!({}));
            if clicked["error"].is_null() {
                return;
            }
            let is_gone = clicked["error"] == "stale element reference";
            assert!(
                is_gone && begun.elapsed() < PATIENCE,
                "{selector}: {clicked}"
            );
        }
    }

    /// Clicks the visible button with this text.
    #[track_caller]
    pub fn press(&self, text: &str) {
        self.until(&format!(
            "const found = [...document.querySelectorAll('button')].find((one) => \
             one.textContent.trim() === {text:?} && one.offsetParent && !one.disabled); \
             found?.click(); return found !== undefined"
        ));
    }

    /// Types into the element that matches, as for a file's name.
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.in_session(
            "POST",
            &format!("/element/{element}/value"),
            &json!({ "text": text }),
        );
    }

    /// Presses a key where the focus is.
    pub fn key(&self, key: &str) {
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": [
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key },
        ] }] });
        self.in_session("POST", "/actions", &actions);
    }

    /// What went wrong in the page since the last call.
    pub fn errors(&self) -> Vec<String> {
        let log = self.in_session("POST", "/se/log", &json!({ "type": "browser" }));
        let all = log.as_array().unwrap().iter();
        let bad = all.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        bad.map(|entry| entry["message"].to_string()).collect()
    }

    /// What axe-core finds wrong for people with poor or no sight: rules and places. The variable `AXE`
    /// names its file; without it nothing is checked, and that is said.
    pub fn faults(&self) -> Vec<String> {
        let Some(path) = std::env::var_os("AXE") else {
            static TOLD: Once = Once::new();
            let why = "NOT RUN: axe-core, of which the variable AXE names the file axe.min.js";
            // The output of `eprintln` is not shown for a test that passes.
            TOLD.call_once(|| drop(writeln!(std::io::stderr(), "{why}")));
            return Vec::new();
        };
        let axe =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let run = "; const done = arguments[arguments.length - 1]; \
                   axe.run().then((found) => done(found.violations.map((one) => \
                   `${one.id}: ${one.nodes.map((node) => node.target).join(' ')}`)), (error) => done([String(error)]))";
        let body = json!({ "script": axe + run, "args": [] });
        let found = self.in_session("POST", "/execute/async", &body);
        let all = found.as_array().unwrap().iter();
        all.map(|fault| fault.as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// What a screen reader needs a name for but finds none.
    pub fn nameless(&self) -> Vec<String> {
        let tree = self.devtools("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap();
        let takes_keys = |node: &Value| {
            let properties = node["properties"].as_array();
            let mut properties = properties.into_iter().flatten();
            properties.any(|property| property["name"] == "focusable")
        };
        let is_control = |node: &Value| takes_keys(node) && node["role"]["value"] != "RootWebArea";
        assert!(nodes.iter().any(is_control), "{tree}");
        let is_nameless = |node: &&Value| {
            let role = node["role"]["value"].as_str().unwrap_or_default();
            let name = node["name"]["value"].as_str().unwrap_or_default();
            // `main` gets the focus only from the link that skips the navigation.
            let needs_name = NAMED.contains(&role) || takes_keys(node) && role != "main";
            needs_name && name.trim().is_empty()
        };
        let found = nodes.iter().filter(is_nameless);
        found.map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.in_session("DELETE", "", &Value::Null);
        } else if !self.session.is_empty() {
            // The browser would stay behind.
            let path = format!("/session/{}", self.session);
            let closed = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
                let head = format!(
                    "DELETE {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
                    self.port
                );
                stream.write_all(head.as_bytes())?;
                stream.set_read_timeout(Some(Duration::from_secs(5)))?;
                stream.read(&mut [0; 64])
            });
            let _ = closed;
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
