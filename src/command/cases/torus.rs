//! `tickless torus`: a closed torus queueing network.

use std::path::Path;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CommandError;
use crate::arguments::{whole, within};
use crate::cases::network::{Choices, NetworkArguments, NetworkCase, TorusParameters};
use tickless_core::random::{LawError, ServiceLaw};
use tickless_queueing::{Network, NetworkError, NetworkModel, Station, Topology};

/// A torus; every option has a default.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct TorusArguments {
    /// Stations in a row and rows of a square torus
    #[arg(long, value_name = "N", default_value_t = 512, conflicts_with_all = ["width", "height"])]
    #[arg(value_parser = within(1..=MOST_SIDE))]
    side: u32,
    /// Stations in a row
    #[arg(long, value_name = "W", value_parser = within(1..=MOST_LENGTH), requires = "height")]
    width: Option<u32>,
    /// Rows
    #[arg(long, value_name = "H", value_parser = within(1..=MOST_LENGTH), requires = "width")]
    height: Option<u32>,
    /// Tokens at each station at time 0
    #[arg(long, value_name = "K", value_parser = whole::<u32>, default_value_t = 1)]
    tokens: u32,
    /// The law of service times; docs/semantics.md has the table of laws, and a name that is none lists their names
    #[arg(long, value_name = "LAW", value_parser = law, default_value = "exponential:10")]
    service: ServiceLaw,
    /// What runs of any network may be asked for.
    #[command(flatten)]
    choices: Choices,
}

/// Replications of a torus that are to run.
pub type TorusCase = NetworkCase<TorusArguments>;

/// The default horizon.
const UNTIL: f64 = 500.0;

/// The side of the largest square torus.
const MOST_SIDE: u32 = 32_767;
/// The longest side of any torus: the other one is 1 then.
const MOST_LENGTH: u32 = (1 << 30) - 1;

/// clap names the option and the value, so only the fault is left to say.
fn law(text: &str) -> Result<ServiceLaw, String> {
    text.parse().map_err(|error: LawError| error.fault)
}

impl TorusArguments {
    fn sides(&self) -> [u32; 2] {
        [self.width, self.height].map(|side| side.unwrap_or(self.side))
    }
}

impl NetworkArguments for TorusArguments {
    const NAME: &'static str = "torus";
    const ABOUT: &'static str = "a closed torus queueing network";
    const LISTS_STATIONS: bool = false;

    fn choices(&self) -> &Choices {
        &self.choices
    }

    fn choices_mut(&mut self) -> &mut Choices {
        &mut self.choices
    }

    fn network(&mut self) -> Result<Network, CommandError> {
        // This can only come from a changed result.
        if self.width.is_some() != self.height.is_some() {
            let message = "--width and --height go together: give both, or --side".to_owned();
            return Err(CommandError::Usage { message });
        }
        self.choices.until.get_or_insert(UNTIL);
        let each = Station::new("facility ", self.service.clone()).tokens(self.tokens);
        let [width, height] = self.sides();
        let network = Network::generate(&Topology::Torus { width, height }, &each, 0.0);
        network.map_err(|error| CommandError::Usage {
            message: match error {
                // The size was given as one number.
                NetworkError::Size { .. } if self.width.is_none() && self.height.is_none() => {
                    format!("side is {}; it must be from 1 to {MOST_SIDE}", self.side)
                }
                error => error.to_string(),
            },
        })
    }

    fn file(&self) -> Option<&Path> {
        None
    }

    fn wrong(&self, error: NetworkError) -> CommandError {
        error.into()
    }

    fn torus(&self, model: &NetworkModel) -> Option<TorusParameters> {
        Some(TorusParameters::new((self.sides(), self.tokens, &self.service, model.shift(0))))
    }
}
