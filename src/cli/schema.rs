use clap::Args;
use playlab::Error;
use playlab::config::config_schema;

use super::output::print;

/// Print the JSON schema of a config, for editors
#[derive(Args)]
#[command(after_help = "\
Example:
  lab schema > lab.schema.json")]
pub struct Schema {}

impl Schema {
    /// Prints the schema.
    pub fn run(self) -> Result<(), Error> {
        let json = serde_json::to_string_pretty(&config_schema()).expect("a schema is JSON");
        print(&(json + "\n"))
    }
}
