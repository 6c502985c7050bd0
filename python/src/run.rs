//! A run of a network, and its figures.

use numpy::{PyArray1, ToPyArray as _};
use pyo3::prelude::*;
use tickless::experiments::{Measure, Sample};
use tickless::queueing::{NetworkModel, NetworkOutcome};
use tickless_core::statistics::Estimate;

use crate::errors::of_model;
use crate::process::is_no_fork;
use crate::result::Ended;
use crate::table::Table;

/// A figure over the replications of a run.
#[pyclass(frozen, module = "tickless")]
pub struct Figure {
    measure: Measure,
    unit: String,
    /// One a replication; not a number where a replication has none.
    values: Vec<f64>,
    estimate: Estimate,
}

#[pymethods]
impl Figure {
    #[getter]
    fn name(&self) -> &str {
        self.measure.name()
    }

    #[getter]
    fn unit(&self) -> &str {
        &self.unit
    }

    #[getter]
    fn mean(&self) -> f64 {
        if self.estimate.count == 0 { f64::NAN } else { self.estimate.mean }
    }

    #[getter]
    fn standard_deviation(&self) -> Option<f64> {
        self.estimate.standard_deviation
    }

    #[getter]
    fn half_width(&self) -> Option<f64> {
        self.estimate.half_width
    }

    #[getter]
    fn count(&self) -> u64 {
        self.estimate.count
    }

    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.values.to_pyarray(py)
    }

    /// Draws how the values of the replications are distributed, with their mean and its 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// ax
    ///     The axes of matplotlib to draw on; new ones without it.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    ///     The axes.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where matplotlib is missing.
    #[pyo3(signature = (*, ax=None))]
    fn plot<'py>(slf: &Bound<'py, Self>, ax: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._plots")?.call_method1("distribution", (slf, ax))
    }

    fn __float__(&self) -> f64 {
        self.mean()
    }

    fn __repr__(&self) -> String {
        let interval = self.half_width().map(|half| format!(" ± {half:.3}")).unwrap_or_default();
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        format!("{}: {:.6}{interval}{unit}", self.name(), self.mean())
    }
}

/// A run of a network that has come to its end.
#[pyclass(frozen, extends = Ended, module = "tickless")]
pub struct Run;

impl Run {
    /// The model and the outcomes of its replications.
    fn network<'a>(this: &'a PyRef<'_, Self>) -> PyResult<(&'a NetworkModel, &'a [NetworkOutcome])> {
        is_no_fork()?;
        this.as_super().ran.network().ok_or_else(|| of_model("no run of a network"))
    }
}

#[pymethods]
impl Run {
    #[getter]
    fn replications(slf: PyRef<'_, Self>) -> PyResult<usize> {
        Ok(Self::network(&slf)?.1.len())
    }

    #[getter]
    fn until(slf: PyRef<'_, Self>) -> PyResult<f64> {
        Ok(Self::network(&slf)?.0.until().units())
    }

    #[getter]
    fn warmup(slf: PyRef<'_, Self>) -> PyResult<f64> {
        Ok(Self::network(&slf)?.0.warmup().units())
    }

    /// A figure by its path.
    fn __getitem__(slf: PyRef<'_, Self>, py: Python<'_>, path: &str) -> PyResult<Figure> {
        let (model, outcomes) = Self::network(&slf)?;
        let measure = Measure::parse(path).map_err(of_model)?;
        let pairs = py.detach(|| measure.of(model, outcomes)).map_err(of_model)?;
        let sample = Sample::of(&pairs);
        let values = sample.values().zip(&pairs).map(|(value, [_, below])| if *below > 0.0 { value } else { f64::NAN });
        let values = values.collect();
        let estimate = Estimate::ratio(pairs);
        Ok(Figure { unit: measure.unit(model.words()), measure, values, estimate })
    }

    /// The paths of all figures.
    fn keys(slf: PyRef<'_, Self>, py: Python<'_>) -> PyResult<Vec<String>> {
        let (model, outcomes) = Self::network(&slf)?;
        let all = py.detach(|| Measure::all(model, outcomes));
        Ok(all.iter().map(|(measure, _)| measure.name().to_owned()).collect())
    }

    /// All figures.
    fn figures(slf: PyRef<'_, Self>, py: Python<'_>) -> PyResult<Table> {
        let (model, outcomes) = Self::network(&slf)?;
        let all = py.detach(|| Measure::all(model, outcomes));
        let with_unit = |(measure, estimate): (Measure, Estimate)| {
            let unit = measure.unit(model.words());
            (measure, unit, estimate)
        };
        Table::of_figures(&all.into_iter().map(with_unit).collect::<Vec<_>>())
    }

    /// The values of figures as a frame of pandas: a line a replication, a column a figure.
    ///
    /// Parameters
    /// ----------
    /// figures
    ///     A path of figures or several, in which ``*`` stands for any text; all figures without it.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     With the paths as columns and ``replication``, from 0 on, as index; not a number where a replication has no value.
    ///     ``run.figures().to_pandas()`` has means and intervals in place of values.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where pandas is missing.
    /// ModelError
    ///     A path that leads nowhere.
    #[pyo3(signature = (figures=None))]
    fn to_pandas<'py>(slf: &Bound<'py, Self>, figures: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._conversions")?.call_method1("frame", (slf, figures))
    }

    /// The values of figures as a dataset of xarray, by replications, stations, classes, groups of servers, sinks and resources.
    ///
    /// Parameters
    /// ----------
    /// figures
    ///     A path of figures or several, in which ``*`` stands for any text; all figures without it.
    ///
    /// Returns
    /// -------
    /// xarray.Dataset
    ///     A variable a kind of figure, by its path without names: ``station.utilization`` has dimensions ``replication`` and
    ///     ``station``, ``station.class.mean_waiting_time`` has ``class``, too. Names are coordinates; what there is not is not a number.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where xarray is missing.
    /// ModelError
    ///     A path that leads nowhere.
    #[pyo3(signature = (figures=None))]
    fn to_xarray<'py>(slf: &Bound<'py, Self>, figures: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._conversions")?.call_method1("dataset", (slf, figures))
    }

    /// Draws means of figures with their 95 % intervals.
    ///
    /// Parameters
    /// ----------
    /// figures
    ///     A path of figures or several, of one unit, in which ``*`` stands for any text: ``station.*.utilization``.
    /// ax
    ///     The axes of matplotlib to draw on; new ones without it.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    ///     The axes.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where matplotlib is missing.
    /// ModelError
    ///     A path that leads nowhere.
    /// ValueError
    ///     Figures of several units.
    #[pyo3(signature = (figures, *, ax=None))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        figures: Bound<'py, PyAny>,
        ax: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._plots")?.call_method1("intervals", (slf, figures, ax))
    }

    fn __repr__(slf: PyRef<'_, Self>) -> PyResult<String> {
        let (model, outcomes) = Self::network(&slf)?;
        let (count, until) = (outcomes.len(), model.until().units());
        Ok(format!("tickless.Run of {count} replications until {until} on {}", slf.as_super().place()))
    }
}
