//! `lab serve`.

use std::io::{ErrorKind, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::store::{RUNS, RunDirectory};
use playlab::web::{Lab, Server};
use playlab::workflow::RunList;

use super::complain;
use super::known::agent;
use super::output::print;
use super::whole::whole;

/// The default port, unless it is taken.
const PORT: u16 = 7473;

/// Open the lab in the browser: watch runs, look inside agents, play
///
/// Prints the address of the page, and serves it until Ctrl-C. It reads runs and writes nothing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab serve
  lab serve runs/reference --open
  lab serve --port 8080
  lab serve --agent 'gtp:edax -gtp'")]
pub struct Serve {
    /// The directory that holds the runs
    #[arg(value_name = "DIR", default_value = RUNS)]
    directory: PathBuf,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// The port; 0 for any free one [default: 7473, or another one if that is taken]
    #[arg(long, value_name = "PORT", value_parser = whole::<u16>(0..=u16::MAX.into()))]
    port: Option<u16>,

    /// The address to listen at. Any other than 127.0.0.1 lets other machines in: the token is sent
    /// unencrypted, and whoever reads it can then read the runs and use the processor
    #[arg(long, value_name = "IP", default_value_t = Ipv4Addr::LOCALHOST.into(), value_parser = address)]
    address: IpAddr,

    /// An agent that reads a file or starts a program, such as gtp:COMMAND, for the page to
    /// offer; may be given several times. No other agents of this kind can be played
    #[arg(long, value_name = "SPEC", value_parser = agent(), hide_possible_values = true)]
    agent: Vec<AgentSpec>,
}

fn address(text: &str) -> Result<IpAddr, String> {
    let all =
        "expected an IP address, such as 127.0.0.1, or 0.0.0.0 for all addresses of the machine";
    text.parse().map_err(|_| all.to_owned())
}

impl Serve {
    /// Serves until the process is ended. Errors: [`Error`] if there is no such directory or agent, or if it
    /// cannot listen.
    pub fn run(self) -> Result<(), Error> {
        for agent in &self.agent {
            let bad = |why: &str| Error::input(format!("agent '{agent}': {why}"));
            if !agent.reaches_out() {
                return Err(bad(
                    "it reads no file and starts no program, so that it can be played without --agent",
                ));
            }
            agent.check_there().map_err(|error| match error {
                Error::Input(why) => bad(&why),
                refused => refused,
            })?;
        }
        let shown = self.directory.display();
        if !self.directory.exists() && self.directory != Path::new(RUNS) {
            return Err(Error::input(format!(
                "there is no directory {shown}; name the one that holds the runs"
            )));
        }
        if RunList::new(self.directory.clone()).runs()?.is_empty() {
            complain(&format!(
                "there are no runs in {shown} yet; the page shows them as soon as lab train makes some"
            ));
        } else if RunDirectory::config_of(&self.directory).is_file() {
            complain(&format!(
                "note: {shown} is a run, and the page shows it alone; to see the runs next to it, serve the directory \
                 that holds them"
            ));
        }
        let lab = Arc::new(Lab::new(self.directory, self.agent.clone()));
        for agent in self.agent.iter().filter(|agent| !lab.offers(agent)) {
            complain(&format!(
                "warning: agent '{agent}' can play no game; lab play GAME --against AGENT says why"
            ));
        }
        let bind = |port| Server::bind(SocketAddr::new(self.address, port), Arc::clone(&lab));
        let server = match self.port {
            Some(port) => bind(port),
            None => bind(PORT).or_else(|_| bind(0)),
        };
        let server = server.map_err(|error| match (&error, self.port) {
            (Error::System { source, .. }, Some(_)) if source.kind() == ErrorKind::AddrInUse => {
                Error::Failed(format!(
                    "{error}; give another --port, or 0 for any free one"
                ))
            }
            _ => error.at_named_path(),
        })?;
        let url = server.url();
        print(&format!("{url}\n"))?;
        if !self.address.is_loopback() {
            let at = match self.address.is_unspecified() {
                true => ", at this machine's address in place of 127.0.0.1",
                false => "",
            };
            complain(&format!(
                "warning: other machines can reach this server{at}; what they send is not encrypted"
            ));
        }
        if std::io::stdout().is_terminal() {
            print("The lab is served at this address; Ctrl-C ends it.\n")?;
        }
        if self.open
            && let Err(error) = open(&server.ticket_url())
        {
            complain(&format!("warning: no browser can be opened: {error}"));
        }
        match server.run()? {}
    }
}

/// Opens an address in this machine's browser. Errors: none can be started.
fn open(url: &str) -> std::io::Result<()> {
    let (program, before): (_, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = std::process::Command::new(program);
    let command = command.args(before).arg(url);
    command.stdout(std::process::Stdio::null());
    command
        .stderr(std::process::Stdio::null())
        .spawn()
        .map(drop)
}
