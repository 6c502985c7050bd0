//! Networks from files, and their runs.

use std::io;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tickless::cli::prepare_network;
use tickless::queueing::{self, JmtError, NetworkModel, from_jmt, said_of, with_numbers};

use crate::errors::{of_command, of_model};
use crate::options::given;
use crate::process::is_no_fork;
use crate::result::Ended;

/// A queueing network.
#[pyclass(frozen, module = "tickless")]
pub struct Network {
    /// Its file, with the numbers of the tables that the file names.
    pub text: String,
    /// What errors and pages call it.
    file: String,
    pub described: queueing::Network,
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
        let file = path.map_or("network.toml".into(), |path| path.display().to_string());
        let network = Self { text, file, described };
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
    ///
    /// Parameters
    /// ----------
    /// until, warmup : float
    ///     The horizon, and the time from which on figures are measured, in place of those of the file; `warmup="auto"` finds it.
    /// replications : int
    ///     How many there are.
    /// seed : int
    ///     One seed, one sample path.
    /// precision : float
    ///     In place of replications: so many run that the 95 % half widths of the main figures are at most this share of their means.
    /// backend : str
    ///     `auto`, `heap`, `wgpu` or `cuda`.
    /// progress : bool
    ///     Whether a bar of tqdm shows how far the run is.
    /// **options
    ///     Further options of `tickless network` by their names, with `_` for `-`, such as `series_step=10` and `distributions=True`.
    ///
    /// Returns
    /// -------
    /// Run
    ///     What came of it. What the command notes of a run is a `UserWarning`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     An option that there is not, with the nearest name, or a value that it does not take.
    /// ModelError
    ///     A network that cannot run.
    /// DeviceError
    ///     A device that does not open or cannot run the network.
    /// RunError
    ///     A run that ended without a result.
    /// KeyboardInterrupt
    ///     Ctrl-C, which ends the run at its next batch.
    #[pyo3(
        signature = (*, backend="auto", progress=false, **options),
        text_signature = "($self, *, until=None, warmup=None, replications=1, seed=None, precision=None, backend='auto', progress=False, **options)"
    )]
    fn run(
        &self,
        py: Python<'_>,
        backend: &str,
        progress: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Ended>> {
        is_no_fork()?;
        let given = given(options)?;
        let prepared = py.detach(|| prepare_network(&self.file, self.text.clone(), &given)).map_err(of_command)?;
        Ended::of(py, prepared, backend, progress)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("tickless.Network of {} stations", slf.get().stations()?.len()))
    }
}
