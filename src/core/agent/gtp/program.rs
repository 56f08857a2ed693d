//! A program that speaks the Go Text Protocol, version 2, over its standard input and output
//! (<https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>).

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem::replace;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use crate::agent::Failure;
use crate::search::Limits;
use crate::text::thousands;
use crate::threads::locked;

/// The longest line of an answer.
const LONGEST: u64 = 1 << 16;
/// The most lines of an answer.
const MOST_LINES: usize = 1000;
/// How many of the last bytes that it writes to standard error are kept.
const LAST_WORDS: usize = 400;
/// How many times as long the first move may take: much is prepared for it that later moves reuse.
const TO_BEGIN: u32 = 6;
/// The pause between two looks at the limits.
const PAUSE: Duration = Duration::from_millis(20);
/// How long its process may take to end once its input has ended.
const GRACE: Duration = Duration::from_millis(200);

/// The text of an answer, or the program's objection to the command.
pub type Answer = Result<String, String>;

/// The process groups of the running programs.
#[cfg(unix)]
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Ends all running outside programs and what they have started, and lets no other program start: for a process that
/// is about to exit.
pub fn end_programs() {
    #[cfg(unix)]
    {
        let groups = locked(&GROUPS);
        for &group in groups.iter() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        std::mem::forget(groups);
    }
}

/// Starts a program that [`end_programs`] will end.
fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    let mut groups = locked(&GROUPS);
    // An interrupt on the terminal is for the lab, which ends the program in order, with what it has started.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command.spawn()?;
    #[cfg(unix)]
    groups.push(Pid::from_child(&child));
    Ok(child)
}

/// A running program.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, String>>,
    last_words: Arc<Mutex<Vec<u8>>>,
    patience: Duration,
    /// Whether it was asked for a move.
    has_moved: bool,
}

/// Text of a program as messages show it: the beginning, if it is long.
pub fn brief(text: &str) -> Cow<'_, str> {
    const MOST_SHOWN: usize = 80;
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

impl Program {
    /// Starts a program, which has `patience` for every answer, and longer for its first move. Errors: why
    /// the system does not start it.
    pub fn start(words: &[String], patience: Duration) -> io::Result<Program> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = spawn(&mut command)?;
        let (sender, lines) = sync_channel(MOST_LINES);
        let output = child.stdout.take().expect("it is piped");
        let errors = child.stderr.take().expect("it is piped");
        let program = Program {
            input: child.stdin.take(),
            child,
            lines,
            last_words: Arc::default(),
            patience,
            has_moved: false,
        };
        let kept = Arc::clone(&program.last_words);
        thread::Builder::new().spawn(move || pass_lines(output, &sender))?;
        thread::Builder::new().spawn(move || keep_last_words(errors, &kept))?;
        Ok(program)
    }

    /// Gives a command. Errors: [`Failure`] if the program gave no answer in time.
    pub fn ask(&mut self, command: &str, limits: &Limits) -> Result<Answer, Failure> {
        // What it writes before it is asked would be taken for the answer.
        while let Ok(early) = self.lines.try_recv() {
            let early = early.unwrap_or_else(|why| why);
            if !early.trim().is_empty() {
                let why = format!("it writes '{}' before '{command}'", brief(early.trim()));
                return Err(self.failed(why));
            }
        }
        let answer = self.answer(command, limits);
        answer.map_err(|failure| match failure {
            Failure::Forfeit(what) => self.failed(format!("{what} after '{command}'")),
            other => other,
        })
    }

    fn answer(&mut self, command: &str, limits: &Limits) -> Result<Answer, Failure> {
        let instead = |what: &str| Err(Failure::Forfeit(what.to_owned()));
        let written = match &mut self.input {
            Some(input) => writeln!(input, "{command}").and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        // What it wrote before it ended may say more.
        let ended = written.is_err();
        let begins = command.starts_with("genmove") && !replace(&mut self.has_moved, true);
        let patience = self.patience * if begins { TO_BEGIN } else { 1 };
        let deadline = Instant::now() + patience;
        let mut text: Option<String> = None;
        let mut count = 0;
        loop {
            limits.check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(PAUSE.min(left)) {
                Ok(line) if !left.is_zero() => line.map_err(Failure::Forfeit)?,
                Err(RecvTimeoutError::Disconnected) => return instead(&self.end()),
                Err(RecvTimeoutError::Timeout) if ended => return instead(&self.end()),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => continue,
                _ => {
                    let seconds = patience.as_secs_f64();
                    let begun = text.as_deref().and_then(|text| text.lines().next());
                    return instead(&match begun {
                        None => format!("no answer in {seconds} s"),
                        Some(line) => format!(
                            "it writes '{}' but in {seconds} s no empty line to end the answer",
                            brief(line)
                        ),
                    });
                }
            };
            count += 1;
            if count > MOST_LINES {
                return instead("it writes without end");
            }
            let line = line.trim();
            match &mut text {
                None if line.is_empty() => {}
                None if line.starts_with(['=', '?']) => text = Some(line.to_owned()),
                None => {
                    let line = brief(line);
                    return instead(&format!("'{line}' is not an answer of the protocol"));
                }
                Some(text) if line.is_empty() => {
                    // A number stands here if the command had one.
                    let rest = text[1..].trim_start_matches(|c: char| c.is_ascii_digit());
                    let rest = rest.trim().to_owned();
                    return Ok(if text.starts_with('=') {
                        Ok(rest)
                    } else {
                        Err(rest)
                    });
                }
                Some(text) => {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
    }

    /// How the program ended, in words.
    fn end(&mut self) -> String {
        self.input = None;
        match wait(&mut self.child, GRACE) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        }
    }

    /// What the program did wrong, with the last words that it wrote to standard error.
    pub fn failed(&self, why: String) -> Failure {
        // The thread that keeps them may be behind.
        thread::sleep(PAUSE);
        let words = locked(&self.last_words);
        let words = String::from_utf8_lossy(&words);
        Failure::Forfeit(match words.trim() {
            "" => why,
            words => format!(
                "{why}; its last words were '{}'",
                words.replace('\n', " / ")
            ),
        })
    }
}

/// Asks the program to quit, then ends it and what it has started.
impl Drop for Program {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = writeln!(input, "quit");
        }
        let status = wait(&mut self.child, GRACE);
        // It was made the leader of its group, which may be empty by now.
        #[cfg(unix)]
        {
            let group = Pid::from_child(&self.child);
            let _ = kill_process_group(group, Signal::KILL);
            locked(&GROUPS).retain(|other| *other != group);
        }
        if status.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The exit status of a process, if it ends within this time.
fn wait(child: &mut Child, most: Duration) -> Option<std::process::ExitStatus> {
    let deadline = Instant::now() + most;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
            _ => return None,
        }
    }
}

/// Passes on what a program writes, line by line, until the receiver is gone.
fn pass_lines(output: impl Read, lines: &SyncSender<Result<String, String>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = match line.len() as u64 {
            LONGEST => Err(format!("a line of more than {} bytes", thousands(LONGEST))),
            _ => String::from_utf8(line).map_err(|_| "a line that is not text".to_owned()),
        };
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn keep_last_words(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut chunk) {
        let mut kept = locked(kept);
        kept.extend_from_slice(&chunk[..count]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}
