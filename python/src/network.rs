//! Networks from files, and their runs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use tickless::queueing::{self, JmtError, NetworkModel, from_jmt, said_of, with_numbers};

use crate::backend::Backend;
use crate::errors::{of_argument, of_model, of_run};
use crate::process::is_no_fork;
use crate::run::Run;
use crate::watch::Signals;

/// A queueing network.
#[pyclass(frozen, module = "tickless")]
pub struct Network {
    /// Its file, with the numbers of the tables that the file names.
    pub text: String,
    pub described: queueing::Network,
}

/// What says which run of a network it is.
#[derive(Clone, Debug)]
pub struct Arguments {
    until: Option<f64>,
    warmup: Option<f64>,
    seed: Option<u64>,
    replications: u32,
}

/// Text, or the path of a file.
#[derive(FromPyObject)]
pub enum Source {
    Text(String),
    Path(PathBuf),
}

impl Network {
    fn of(text: String, path: Option<&Path>) -> PyResult<Self> {
        is_no_fork()?;
        let place = path.map(|path| format!("{}, ", path.display())).unwrap_or_default();
        let described = queueing::Network::from_toml(&text).map_err(|error| of_model(format!("{place}{error}")))?;
        let network = Self { text, described };
        network.check(network.described.clone())?;
        Ok(network)
    }

    /// The network with what overrides its file.
    fn check(&self, network: queueing::Network) -> PyResult<NetworkModel> {
        network.check().map_err(|error| {
            let (line, said) = said_of(&self.text, &error);
            of_model(line.map(|line| format!("line {line}: ")).unwrap_or_default() + &said)
        })
    }

    /// Runs replications.
    pub fn runs(this: &Py<Self>, py: Python<'_>, arguments: Arguments, backend: &str, progress: bool) -> PyResult<Run> {
        is_no_fork()?;
        let network = this.get();
        let Arguments { until, warmup, seed, replications } = arguments;
        if replications == 0 {
            return Err(of_argument("replications", 0, "1 or more"));
        }
        let described = network.described.clone();
        let described = until.into_iter().fold(described, queueing::Network::until);
        let described = warmup.into_iter().fold(described, queueing::Network::warmup);
        let described = seed.into_iter().fold(described, queueing::Network::seed);
        let model = Arc::new(network.check(described)?);
        let mut watch = Signals::new(py, progress)?;
        let backend = py.detach(|| Backend::named(backend, || tickless::cli::suits_a_gpu(&model, replications)))?;
        let run =
            py.detach(|| queueing::run(&*model, 0..replications, backend.target(), Default::default(), &mut watch));
        watch.ended(py)?;
        let run = run.map_err(|error| of_run(&error, error.to_string()))?;
        Ok(Run {
            network: this.clone_ref(py),
            arguments,
            model,
            outcomes: run.outcome,
            backend: backend.name,
            adapter: backend.adapter(),
            events: run.events,
            wall_seconds: run.wall.as_secs_f64(),
            setup_seconds: run.setup.as_secs_f64(),
        })
    }
}

/// The text of a file.
fn read(path: &Path) -> PyResult<String> {
    let text = std::fs::read_to_string(path);
    Ok(text.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?)
}

#[pymethods]
impl Network {
    /// A network file.
    #[staticmethod]
    fn from_toml(py: Python<'_>, source: Source) -> PyResult<Self> {
        // A path has no line break; a text of one line is no network.
        let path = match source {
            Source::Text(text) if text.contains('\n') => return py.detach(|| Self::of(text, None)),
            Source::Text(path) => PathBuf::from(path),
            Source::Path(path) => path,
        };
        py.detach(|| {
            let text = read(&path)?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let whole = with_numbers(&text, folder);
            let whole = whole.map_err(|error| of_model(format!("{}, {error}", path.display())))?.into_owned();
            Self::of(whole, Some(&path))
        })
    }

    /// A file of JMT.
    #[staticmethod]
    fn from_jsimg(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| {
            let wrong = |error: JmtError| of_model(format!("{}, {error}", path.display()));
            Self::of(from_jmt(&read(&path)?).map_err(wrong)?.toml, None)
        })
    }

    /// The file, as text.
    #[getter]
    fn toml(&self) -> &str {
        &self.text
    }

    /// The names of the stations.
    #[getter]
    fn stations(&self) -> PyResult<Vec<String>> {
        let model = self.check(self.described.clone())?;
        Ok((0..model.stations()).map(|id| model.station_name(id).into_owned()).collect())
    }

    /// Runs replications of the network.
    #[pyo3(signature = (*, until=None, warmup=None, replications=1, seed=None, backend="auto", progress=false))]
    #[allow(clippy::too_many_arguments)] // as Python calls them by name
    fn run(
        slf: Py<Self>,
        py: Python<'_>,
        until: Option<f64>,
        warmup: Option<f64>,
        replications: u32,
        seed: Option<u64>,
        backend: &str,
        progress: bool,
    ) -> PyResult<Run> {
        Self::runs(&slf, py, Arguments { until, warmup, seed, replications }, backend, progress)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("tickless.Network of {} stations", slf.get().stations()?.len()))
    }
}
