//! The subcommands: arguments in, one library call, and the output for the user.

mod best;
mod book;
mod changes;
mod compare;
mod evaluate;
mod export;
mod gtp;
mod input;
mod inspect;
mod interrupts;
mod known;
mod listings;
mod matches;
mod merge;
mod output;
mod part;
mod perft;
mod play;
mod plot;
mod position;
mod positions;
mod progress;
mod report;
mod report_file;
mod runs;
mod serve;
mod shard;
mod solve;
mod submit;
mod target;
mod tournament;
mod trace;
mod train;
mod verify;
mod watch;
mod whole;

pub use output::is_closed;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::process::{ExitCode, Termination};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use playlab::Error;
use playlab::store::this_version;
use playlab::text::{escaped, escaped_line, is_control, shell_word};

/// A reinforcement-learning lab for two-player board games.
///
/// Trains agents, and computes exactly how strong they are: against random and
/// perfect players, and against the opponent that suits them least.
#[derive(Parser)]
#[command(name = "lab", version = this_version(), arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  lab train configs/qtable_o.toml             train, and see whether the agent can be beaten
  lab evaluate runs/qtable_o-1                how strong its best checkpoints are, exactly
  lab play tic-tac-toe                        play against an agent
  lab match mcts minimax --game tic-tac-toe   let two agents play
  lab solve tic-tac-toe --compare             what every search finds, and what it costs";

/// The subcommands: each one's name and arguments.
macro_rules! commands {
    ($($name:ident($module:ident::$arguments:ident),)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($module::$arguments),)+
        }

        impl Command {
            fn run(self) -> Result<ExitCode, Error> {
                match self {
                    $(Command::$name(command) => command.run().map(Termination::report),)+
                }
            }
        }
    };
}

commands! {
    Train(train::Train),
    Best(best::Best),
    Merge(merge::Merge),
    Submit(submit::Submit),
    Verify(verify::Verify),
    Evaluate(evaluate::Evaluate),
    Plot(plot::Plot),
    Compare(compare::Compare),
    Report(report_file::Report),
    Export(export::Export),
    Positions(positions::Positions),
    Inspect(inspect::Inspect),
    Trace(trace::Trace),
    Match(matches::Match),
    Tournament(tournament::Tournament),
    Play(play::Play),
    Serve(serve::Serve),
    Gtp(gtp::Gtp),
    Solve(solve::Solve),
    Perft(perft::Perft),
    Book(book::Book),
    Runs(runs::Runs),
    Games(listings::Games),
    Schema(listings::Schema),
    Completions(listings::Completions),
}

/// Writes a line to standard error, if possible; control characters in it are escaped, and lines
/// too long to be read are cut.
pub fn complain(text: &str) {
    let text = escaped(text);
    let lines: Vec<_> = text.lines().map(cut).collect();
    let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
}

/// The line, or its beginning and its end if it is too long.
fn cut(line: &str) -> Cow<'_, str> {
    const SHOWN: usize = 1000;
    let begins = line.char_indices().nth(SHOWN).map_or(0, |(at, _)| at);
    let ends = line.char_indices().rev().nth(SHOWN - 1);
    match ends {
        Some((ends, _)) if begins < ends => {
            Cow::from(format!("{} ... {}", &line[..begins], &line[ends..]))
        }
        _ => Cow::from(line),
    }
}

/// Reads the arguments; ends the process if they are wrong, or help was requested. Errors:
/// [`Error::System`] if help or the version cannot be printed.
pub fn arguments() -> Result<Arguments, Error> {
    let mut command = taking_negative_numbers(Arguments::command());
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches);
        arguments.map_err(|error| error.format(&mut command))
    });
    let mut error = match parsed {
        Ok(arguments) => return Ok(arguments),
        Err(error) => error,
    };
    change_tips(&mut error);
    if let Some(text) = remedied(&error) {
        complain(&text);
        std::process::exit(2)
    }
    // clap's own exit would ignore output that cannot be printed.
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(refused) if !error.use_stderr() => Err(output::unprinted(refused)),
        _ => std::process::exit(error.exit_code()),
    }
}

/// Drops the tip that a value may begin with a dash, which is never meant, and adds one if a config's key may be meant.
fn change_tips(error: &mut clap::Error) {
    let mut tips = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    tips.retain(|tip| !tip.to_string().starts_with("to pass '"));
    if let Some(setting) = as_setting(error) {
        tips.push(format!("if it is a key of the config: {setting}").into());
    }
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// How to pass the unknown option to a command that reads a config, if it is a key with its value.
fn as_setting(error: &clap::Error) -> Option<String> {
    let given = std::env::args_os().skip(1);
    let mut given = given.map(|one| one.to_string_lossy().into_owned());
    let takes_keys = matches!(given.next()?.as_str(), "train" | "trace" | "submit");
    let is_mistyped = error.get(ContextKind::SuggestedArg).is_some();
    if error.kind() != ErrorKind::UnknownArgument || !takes_keys || is_mistyped {
        return None;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut name = unknown.strip_prefix("--")?.to_owned();
    // Keys have no dashes, but learners' names within a path do.
    if !name.contains('.') {
        name = name.replace('-', "_");
    }
    let mut given = given.skip_while(|one| one.split('=').next() != Some(unknown));
    let value = match given.next()?.split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => given.next().filter(|next| !next.starts_with("--")),
    };
    let setting = format!("{name}={}", value.as_deref().unwrap_or("VALUE"));
    Some(format!("--set {}", shell_word(Path::new(&setting))))
}

/// Makes a command, and those below it, take the number after an option as its value, even if it is negative:
/// then the option's error says what it accepts.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let of_option = |arg: Arg| match arg.get_long().is_some() && arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command
        .mut_args(of_option)
        .mut_subcommands(taking_negative_numbers)
}

/// Rewords some of clap's errors: values without their option, agents, numbers, and seeds for an existing run.
fn remedied(error: &clap::Error) -> Option<String> {
    const WORDS: [(&str, &str); 6] = [
        ("invalid digit found in string", "expected a whole number"),
        (
            "cannot parse integer from empty string",
            "expected a whole number",
        ),
        (
            "number would be zero for non-zero type",
            "expected a whole number of at least 1",
        ),
        (
            "number too large to fit in target type",
            "the number is too large",
        ),
        ("invalid float literal", "expected a number such as 0.95"),
        (
            "cannot parse float from empty string",
            "expected a number such as 0.95",
        ),
    ];
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    if error.kind() == ErrorKind::ArgumentConflict {
        let text = error.to_string();
        let tip = "\n\n  tip: to add seeds to a run, give --set seeds=N\n\n";
        let is_of_seeds = text.contains("'--resume <RUN>'") && text.contains("'--seeds <N>'");
        return is_of_seeds.then(|| text.trim_end().replacen("\n\n", tip, 1));
    }
    if error.kind() == ErrorKind::ValueValidation {
        let text = error.to_string();
        let value = context(ContextKind::InvalidValue);
        let option = context(ContextKind::InvalidArg);
        // Errors about a game or an agent name it themselves.
        let named = format!("error: invalid value '{value}' for '{option}': ");
        if let Some(why) = text.strip_prefix(&named)
            && option.starts_with("<GAME|SPEC>")
        {
            return Some(format!("error: {}", why.trim_end()));
        }
        let is_negative = value.parse::<i128>().is_ok_and(|number| number < 0);
        if is_negative && text.contains(WORDS[0].0) {
            let plain = "expected a whole number that is not negative";
            return Some(text.trim_end().replace(WORDS[0].0, plain));
        }
        let (rust, plain) = WORDS.iter().find(|(rust, _)| text.contains(rust))?;
        return Some(text.trim_end().replace(rust, plain));
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let unknown = context(ContextKind::InvalidArg);
    let given = std::env::args_os().skip(1);
    let given: Vec<String> = given
        .map(|one| one.to_string_lossy().into_owned())
        .collect();
    let tip = |tip: &str| {
        let tip = format!("\n\n  tip: {tip}\n\n");
        Some(error.to_string().trim_end().replacen("\n\n", &tip, 1))
    };
    let refused = given.iter().rposition(|word| word == unknown);
    let before = refused.map(|at| &given[..at]);
    if let Some([.., option, key]) = before
        && option == "--set"
        && (key.ends_with('=') || unknown.starts_with('='))
        && !unknown.starts_with('-')
    {
        let value = refused
            .and_then(|at| given.get(at + 1))
            .filter(|_| unknown == "=");
        let setting = format!("{key}{unknown}{}", value.map_or("", String::as_str));
        return tip(&format!(
            "a key and its value are one word: --set {setting}"
        ));
    }
    let instead = match given.first()?.as_str() {
        _ if unknown.starts_with('-') => None,
        "solve" if unknown.contains('.') => Some("--position"),
        "solve" => Some("--moves"),
        "evaluate" if unknown.ends_with(".csv") => Some("--policy"),
        _ => None,
    };
    tip(&format!("give it as {} {unknown}", instead?))
}

/// Checks that no argument has control characters, which no usable name has. Values of `--set` may
/// have several lines. Errors: the argument that has some.
pub fn check_arguments() -> Result<(), Error> {
    let mut before = String::new();
    for argument in std::env::args_os().skip(1) {
        let argument = argument.to_string_lossy().into_owned();
        let is_set = before == "--set" || argument.starts_with("--set=");
        let kept = if is_set { "\n\t" } else { "" };
        if argument.contains(|c| is_control(c) && !kept.contains(c)) {
            let shown = escaped_line(&argument);
            return Err(Error::input(format!(
                "the argument '{shown}' has control characters"
            )));
        }
        before = argument;
    }
    Ok(())
}

/// Runs the subcommand; returns the exit code if nothing went wrong. Errors: anything that the
/// subcommand could not do.
pub fn run(arguments: Arguments) -> Result<ExitCode, Error> {
    interrupts::watch()?;
    arguments.command.run()
}
