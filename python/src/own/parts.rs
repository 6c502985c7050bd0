//! What kernels of a user's own are made of.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use tickless::device::{BufferSpec, BufferUse};
use tickless::kernels::Source;
use tickless::random::{EffectiveLaw, ServiceLaw};
use tickless::run::Run;
use tickless::time::Time;

use crate::backend::Backend;
use crate::errors::{of_argument, of_model};

/// A buffer of the model: its name, whether it is uniform, and its contents.
pub type Buffer = (String, bool, Vec<u8>);

/// The text of a model with its laws and buffers.
pub struct Parts {
    pub kernels: Option<String>,
    pub laws: Arc<[EffectiveLaw]>,
    buffers: Vec<BufferSpec>,
}

impl Parts {
    pub fn new(kernels: Option<String>, laws: &[String], buffers: Vec<Buffer>) -> PyResult<Self> {
        let law = |text: &String| {
            let law = text.parse::<ServiceLaw>();
            law.map(|law| law.effective(None)).map_err(|error| of_model(format!("the law '{text}': {error}")))
        };
        let buffer = |(name, is_uniform, bytes): Buffer| {
            let usage = if is_uniform { BufferUse::Uniform } else { BufferUse::Storage };
            BufferSpec::filled(kept(&name), usage, bytes)
        };
        Ok(Self {
            kernels,
            laws: laws.iter().map(law).collect::<PyResult<_>>()?,
            buffers: buffers.into_iter().map(buffer).collect(),
        })
    }

    /// Where a run takes place; of `auto` a GPU where there is a text.
    pub fn backend(&self, py: Python<'_>, name: &str) -> PyResult<Backend> {
        py.detach(|| Backend::named(name, || self.kernels.is_some()))
    }

    /// The text, where there is one.
    pub fn source(&self) -> Option<Source> {
        self.kernels.clone().map(|text| Source::own("kernels", text))
    }

    pub fn laws(&self) -> Vec<EffectiveLaw> {
        self.laws.to_vec()
    }

    pub fn buffers(&self) -> Vec<BufferSpec> {
        self.buffers.clone()
    }
}

/// A name that lasts: buffers of programs are known by names of the program. Each is kept once.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = String::leak(name.to_owned());
    names.insert(name);
    name
}

/// A time of an argument, in time units.
pub fn time(name: &str, units: f64, allowed: &str) -> PyResult<Time> {
    Time::from_units(units).filter(|time| *time != Time::ZERO).ok_or_else(|| of_argument(name, units, allowed))
}

/// The digest, events, the backend and its adapter, seconds of the run and of what was before it.
pub type Said = (String, u64, &'static str, Option<String>, f64, f64);

/// What is said of a run of any model.
pub fn said<O, D>(run: &Run<O, D>, digest: String, backend: Backend) -> Said {
    (digest, run.events, backend.name, backend.adapter(), run.wall.as_secs_f64(), run.setup.as_secs_f64())
}
