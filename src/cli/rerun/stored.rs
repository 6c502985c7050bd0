//! A result as it was written: what it takes to repeat its run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cells::Cells;
use super::fields::{field, optional};
use crate::RunError;
use crate::cli::{CommandError, network};
use crate::processes::gpu::{Pending, PerRound, ProcessOptions};
use crate::processes::{Phold, PholdModel};
use crate::queueing::network::{NetworkModel, Observed, WhoseDistributions};
use crate::queueing::{Torus, TorusModel};

/// A result that can be repeated.
pub struct Stored {
    pub model: Model,
    pub version: String,
    pub backend: String,
    pub digest: String,
}

/// What ran.
pub enum Model {
    /// With the interval of approximate time.
    Torus(TorusModel, Option<f64>),
    /// With its number of replications.
    Network(Box<NetworkModel>, u32),
    /// With how its rounds were made.
    Phold(PholdModel, ProcessOptions),
    /// By their kind.
    Cells(Box<Cells>),
}

impl Model {
    /// As the field `model` has it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Torus(..) => "torus",
            Self::Network(..) => "network",
            Self::Phold(..) => "phold",
            Self::Cells(..) => "cells",
        }
    }
}

/// The fields that every result has.
struct Common {
    version: String,
    backend: String,
    digest: String,
    interrupted: bool,
}

impl Common {
    fn read(value: &Value) -> Result<Self, String> {
        Ok(Self {
            version: field(value, "version")?,
            backend: field(value, "backend")?,
            digest: field(value, "digest")?,
            interrupted: field(value, "interrupted")?,
        })
    }
}

struct TorusParameters {
    width: u32,
    height: u32,
    tokens_per_facility: u32,
    service: String,
    shift: Option<f64>,
    window: f64,
    until: f64,
    warmup: f64,
    /// Missing where time is exact, in results of versions that knew no other.
    approximate: Option<f64>,
}

impl TorusParameters {
    fn read(value: &Value) -> Result<Self, String> {
        Ok(Self {
            width: field(value, "parameters.width")?,
            height: field(value, "parameters.height")?,
            tokens_per_facility: field(value, "parameters.tokens_per_facility")?,
            service: field(value, "parameters.service")?,
            shift: optional(value, "parameters.shift")?,
            window: field(value, "parameters.window")?,
            until: field(value, "parameters.until")?,
            warmup: field(value, "parameters.warmup")?,
            approximate: optional(value, "parameters.approximate")?,
        })
    }
}

struct NetworkResult {
    description: String,
    given_window: Option<f64>,
    approximate: Option<f64>,
    until: f64,
    warmup: f64,
    replications: u32,
    /// Missing in results of versions that recorded none.
    distributions: Option<WhoseDistributions>,
}

impl NetworkResult {
    fn read(value: &Value) -> Result<Self, String> {
        Ok(Self {
            description: field(value, "description")?,
            given_window: optional(value, "parameters.given_window")?,
            approximate: optional(value, "parameters.approximate")?,
            until: field(value, "parameters.until")?,
            warmup: field(value, "parameters.warmup")?,
            replications: field(value, "parameters.replications")?,
            distributions: optional(value, "parameters.distributions")?,
        })
    }
}

struct PholdResult {
    phold: Phold,
    /// Missing or `null` in a result of the heap.
    pending: Option<String>,
    per_round: Option<String>,
    node_size: Option<u32>,
}

impl PholdResult {
    fn read(value: &Value, seed: u64) -> Result<Self, String> {
        let phold = Phold::new(field(value, "parameters.processes")?)
            .population(field(value, "parameters.population")?)
            .lookahead(field(value, "parameters.lookahead")?)
            .mean(field(value, "parameters.mean")?)
            .remote(field(value, "parameters.remote")?)
            .work(field(value, "parameters.work")?)
            .until(field(value, "parameters.until")?)
            .seed(seed);
        Ok(Self {
            phold,
            pending: optional(value, "pending_choice.asked")?,
            per_round: optional(value, "per_round")?,
            node_size: optional(value, "node_size")?,
        })
    }

    /// What it takes to run in the same way; no other way gives another digest.
    fn options(&self) -> Result<ProcessOptions, String> {
        let pending = self.pending.as_deref().map(str::parse::<Pending>).transpose();
        let per_round = match self.per_round.as_deref() {
            None => PerRound::default(),
            Some(name) => PerRound::named(name).ok_or(format!("`per_round` is \"{name}\"; it must be all or one"))?,
        };
        Ok(ProcessOptions {
            pending: pending.map_err(|error| format!("`pending_choice.asked`: {error}"))?.unwrap_or_default(),
            per_round,
            node: self.node_size,
            ..ProcessOptions::default()
        })
    }
}

impl Stored {
    /// Reads the result of `tickless torus`, `network`, `phold` or `cells`.
    ///
    /// # Errors
    /// [`CommandError::ResultFile`], [`CommandError::NoResult`], and what is wrong with its model.
    pub fn read(path: &Path) -> Result<Self, CommandError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| CommandError::ResultFile { path: path.to_owned(), source })?;
        let fail = |fault: String| CommandError::NoResult { path: PathBuf::from(path), fault };
        let value: Value = serde_json::from_str(&text).map_err(|error| fail(format!("it is no JSON: {error}")))?;
        let kind = value.get("model").and_then(Value::as_str);
        let kind = kind.ok_or_else(|| fail("it has no field 'model'".into()))?;
        if !["torus", "network", "phold", "cells"].contains(&kind) {
            return Err(fail(format!("its model is '{kind}', none of torus, network, phold and cells")));
        }
        if value.get("runs").is_some() {
            return Err(fail("it is that of a comparison".into()));
        }
        let Common { version, backend, digest, interrupted } = Common::read(&value).map_err(fail)?;
        if interrupted {
            return Err(fail("its run was interrupted, and where that came is no part of the model".into()));
        }
        if !["heap", "wgpu", "cuda"].contains(&backend.as_str()) {
            return Err(fail(format!("its backend is '{backend}', none of heap, wgpu and cuda")));
        }
        // Cells have theirs among their arguments: not all make use of one.
        let seed = || field(&value, "seed").map_err(fail);
        let model = match kind {
            "torus" => {
                let parameters = TorusParameters::read(&value).map_err(fail)?;
                let interval = parameters.approximate;
                let model = torus(parameters, seed()?).map_err(|error| match error {
                    Ok(error) => error,
                    Err(fault) => fail(fault),
                })?;
                Model::Torus(model, interval)
            }
            "phold" => {
                let result = PholdResult::read(&value, seed()?).map_err(fail)?;
                let options = result.options().map_err(fail)?;
                Model::Phold(result.phold.check().map_err(RunError::from)?, options)
            }
            "cells" => Model::Cells(Box::new(Cells::read(path, &value)?)),
            _ => network_of(path, NetworkResult::read(&value).map_err(fail)?, seed()?, &fail)?,
        };
        Ok(Self { model, version, backend, digest })
    }
}

/// The model of a torus, or what is wrong with it (`Ok`) or with its text (`Err`).
fn torus(parameters: TorusParameters, seed: u64) -> Result<TorusModel, Result<CommandError, String>> {
    let TorusParameters { width, height, tokens_per_facility, service, shift, window, until, warmup, .. } = parameters;
    let service = service.parse().map_err(|error| Err(format!("{error}")))?;
    let torus = Torus::new(width, height).tokens(tokens_per_facility).service(service);
    let torus = torus.until(until).warmup(warmup).seed(seed);
    let torus = match shift {
        Some(shift) => torus.window(shift),
        None if window == 0.0 => torus.window(0.0),
        // The shortest service time of a law that is used as written, which is the default.
        None => torus,
    };
    torus.check().map_err(|error| Ok(error.into()))
}

fn network_of(
    path: &Path,
    result: NetworkResult,
    seed: u64,
    fail: &dyn Fn(String) -> CommandError,
) -> Result<Model, CommandError> {
    let NetworkResult { description, given_window, approximate, until, warmup, replications, distributions } = result;
    if !(1..=1_000_000).contains(&replications) {
        return Err(fail(format!("it has {replications} replications, not 1 to 1000000")));
    }
    let network = network::parsed(path, &description)?.until(until).warmup(warmup).seed(seed);
    let network = network.distributions(distributions.map_or(Observed::Nothing, Observed::from));
    // A window that the result does not have is none of the file either.
    let network = given_window.into_iter().fold(network, |network, window| network.window(window));
    // Options may have taken back what the file says.
    let network = approximate.into_iter().fold(network.exact(), |network, interval| network.approximate(interval));
    Ok(Model::Network(Box::new(network::checked(path, network)?), replications))
}
