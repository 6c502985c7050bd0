//! A result as it was written: what it takes to repeat its run.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::{CommandError, network};
use crate::queueing::network::{NetworkModel, Observed};
use crate::queueing::{Torus, TorusModel};

/// A result that can be repeated.
#[derive(Debug)]
pub struct Stored {
    pub model: Model,
    pub version: String,
    pub backend: String,
    pub digest: String,
}

/// What ran.
#[derive(Debug)]
pub enum Model {
    /// With the interval of approximate time.
    Torus(TorusModel, Option<f64>),
    /// With its number of replications.
    Network(Box<NetworkModel>, u32),
}

impl Model {
    /// As the field `model` has it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Torus(..) => "torus",
            Self::Network(..) => "network",
        }
    }
}

/// The fields that every result has.
#[derive(Deserialize)]
struct Common {
    version: String,
    backend: String,
    digest: String,
    interrupted: bool,
    seed: u64,
}

#[derive(Deserialize)]
struct TorusResult {
    parameters: TorusParameters,
}

#[derive(Deserialize)]
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

#[derive(Deserialize)]
struct NetworkResult {
    description: String,
    parameters: NetworkParameters,
}

#[derive(Deserialize)]
struct NetworkParameters {
    given_window: Option<f64>,
    approximate: Option<f64>,
    until: f64,
    warmup: f64,
    replications: u32,
    /// Missing in results of versions that recorded none.
    distributions: Option<network::WhoseDistributions>,
}

impl Stored {
    /// Reads the result of `tickless torus` or `tickless network`.
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
        if !["torus", "network"].contains(&kind) {
            return Err(fail(format!("its model is '{kind}', neither torus nor network")));
        }
        if value.get("runs").is_some() {
            return Err(fail("it is that of a comparison".into()));
        }
        let Common { version, backend, digest, interrupted, seed } = part(&value).map_err(fail)?;
        if interrupted {
            return Err(fail("its run was interrupted, and where that came is no part of the model".into()));
        }
        if !["heap", "wgpu", "cuda"].contains(&backend.as_str()) {
            return Err(fail(format!("its backend is '{backend}', none of heap, wgpu and cuda")));
        }
        let model = match kind {
            "torus" => {
                let result: TorusResult = part(&value).map_err(fail)?;
                let interval = result.parameters.approximate;
                let model = torus(result, seed).map_err(|error| match error {
                    Ok(error) => error,
                    Err(fault) => fail(fault),
                })?;
                Model::Torus(model, interval)
            }
            _ => network_of(path, part(&value).map_err(fail)?, seed, &fail)?,
        };
        Ok(Self { model, version, backend, digest })
    }
}

fn part<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| error.to_string())
}

/// The model of a torus, or what is wrong with it (`Ok`) or with its text (`Err`).
fn torus(result: TorusResult, seed: u64) -> Result<TorusModel, Result<CommandError, String>> {
    let TorusParameters { width, height, tokens_per_facility, service, shift, window, until, warmup, .. } =
        result.parameters;
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
    let NetworkParameters { given_window, approximate, until, warmup, replications, distributions } = result.parameters;
    if !(1..=1_000_000).contains(&replications) {
        return Err(fail(format!("it has {replications} replications, not 1 to 1000000")));
    }
    let network = network::parsed(path, &result.description)?.until(until).warmup(warmup).seed(seed);
    let network = network.distributions(distributions.map_or(Observed::Nothing, Observed::from));
    // A window that the result does not have is none of the file either.
    let network = given_window.into_iter().fold(network, |network, window| network.window(window));
    // Options may have taken back what the file says.
    let network = approximate.into_iter().fold(network.exact(), |network, interval| network.approximate(interval));
    Ok(Model::Network(Box::new(network::checked(path, network)?), replications))
}
