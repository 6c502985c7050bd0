//! Tables that dataframes take over without a copy, through the interface of Arrow.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, StructArray};
use arrow_schema::Field;
use csv::StringRecord;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};

use crate::errors::of_model;
use tickless::experiments::Measure;
use tickless_core::statistics::Estimate;

/// The names of the columns of figures.
const COLUMNS: [&str; 5] = ["figure", "unit", "mean", "standard_deviation", "half_width"];

/// Lines of columns. Of figures there is a line for each: its path, its unit, its mean over the replications, their standard deviation, and
/// half of the 95 % interval.
#[pyclass(frozen, module = "tickless")]
pub struct Table(RecordBatch);

impl Table {
    /// Of figures with the words of their units.
    pub fn of_figures(figures: &[(Measure, String, Estimate)]) -> PyResult<Self> {
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

    /// Of a CSV file. A column has whole numbers, numbers or texts, whichever all of its fields are; an empty field is null.
    pub fn of_csv(text: &[u8]) -> PyResult<Self> {
        let mut reader = csv::Reader::from_reader(text);
        let names = reader.headers().map_err(of_model)?.clone();
        let lines = reader.records().collect::<Result<Vec<_>, _>>().map_err(of_model)?;
        let columns = names.iter().enumerate().map(|(place, name)| (name, column(&lines, place), true));
        RecordBatch::try_from_iter_with_nullable(columns).map(Self).map_err(of_model)
    }
}

/// A column of lines.
fn column(lines: &[StringRecord], place: usize) -> ArrayRef {
    let fields = || lines.iter().map(|line| line.get(place).filter(|field| !field.is_empty()));
    let parsed = |field: Option<&str>| field.map(str::parse).transpose();
    match fields().map(parsed).collect::<Result<Vec<Option<i64>>, _>>() {
        Ok(whole) if whole.iter().any(Option::is_some) => return Arc::new(Int64Array::from(whole)),
        _ => {}
    }
    let parsed = |field: Option<&str>| field.map(str::parse).transpose();
    match fields().map(parsed).collect::<Result<Vec<Option<f64>>, _>>() {
        Ok(numbers) => Arc::new(Float64Array::from(numbers)),
        Err(_) => Arc::new(StringArray::from_iter(fields())),
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("tickless.Table of {} lines: {}", self.0.num_rows(), self.column_names().join(", "))
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
