//! Figures as a table that dataframes take over without a copy, through the interface of Arrow.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray, StructArray};
use arrow_schema::Field;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};

use crate::errors::of_model;
use tickless::experiments::Measure;
use tickless_core::statistics::Estimate;

/// The names of the columns.
const COLUMNS: [&str; 5] = ["figure", "unit", "mean", "standard_deviation", "half_width"];

/// A line for each figure: its path, its unit, its mean over the replications, their standard deviation, and half of the 95 % interval.
#[pyclass(frozen, module = "tickless")]
pub struct Table(RecordBatch);

impl Table {
    /// Of figures with the words of their units.
    pub fn of(figures: &[(Measure, String, Estimate)]) -> PyResult<Self> {
        let texts = |of: fn(&(Measure, String, Estimate)) -> &str| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(figures.iter().map(of)))
        };
        let numbers = |of: fn(&Estimate) -> Option<f64>| -> ArrayRef {
            Arc::new(Float64Array::from_iter(figures.iter().map(|(.., estimate)| of(estimate))))
        };
        let columns = [
            texts(|(measure, ..)| measure.name()),
            texts(|(_, unit, _)| unit),
            numbers(|estimate| (estimate.count > 0).then_some(estimate.mean)),
            numbers(|estimate| estimate.standard_deviation),
            numbers(|estimate| estimate.half_width),
        ];
        let nullable = [false, false, true, true, true];
        let named = COLUMNS.into_iter().zip(columns).zip(nullable).map(|((name, column), null)| (name, column, null));
        RecordBatch::try_from_iter_with_nullable(named).map(Self).map_err(of_model)
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("tickless.Table of {} figures: {}", self.0.num_rows(), COLUMNS.join(", "))
    }

    /// The table as a frame of pandas, by pyarrow.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     With the same columns.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     Where pandas or pyarrow is missing.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tickless._conversions")?.call_method1("frame_of_table", (slf,))
    }

    /// The table as a stream of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let lines: ArrayRef = Arc::new(StructArray::from(self.0.clone()));
        let field = Arc::new(Field::new("", lines.data_type().clone(), false));
        let reader = Box::new(ArrayIterator::new([Ok(lines)], field));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }
}
