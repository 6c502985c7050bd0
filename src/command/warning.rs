//! Warnings for the user about a run without an error.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::arguments::Format;
use super::output::complain;
use super::version::VERSION;
use tickless_core::number::Written;

/// A remark on a run. Its text is one line; its kind and fields are part of the JSON output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Warning {
    /// Of a torus alone: the window changes the shape of the service law, not its mean.
    #[error(
        "the window of {} shifts the service law: its mean stays {mean}, its coefficient of variation is \
             {coefficient_of_variation:.4} instead of {unshifted_coefficient_of_variation:.4}",
        Written(*.window)
    )]
    ShiftedLaw {
        /// The d of the shift.
        window: f64,
        /// The mean of both laws.
        mean: f64,
        /// Standard deviation by mean of the law that runs.
        coefficient_of_variation: f64,
        /// The same of the law as written.
        unshifted_coefficient_of_variation: f64,
    },
    /// The processor does a GPU's work.
    #[error("{adapter} is a software adapter: the processor runs the rounds")]
    SoftwareAdapter {
        /// Its name.
        adapter: String,
    },
    /// `auto` took the heap.
    #[error("running on the heap: {reason}")]
    HeapFallback {
        /// Why.
        reason: String,
    },
    /// `auto` found NVIDIA's driver and could not use CUDA.
    #[error("running without CUDA: {reason}")]
    CudaUnused {
        /// Why.
        reason: String,
    },
    /// A GPU that `auto` took refused a kernel, or did not compile it in time, and the next one runs.
    #[error("running without {adapter}: {reason}")]
    AdapterUnused {
        /// Its name and interface.
        adapter: String,
        /// Why.
        reason: String,
    },
    /// The model can run, and probably is not meant.
    #[error("{about}")]
    Model {
        /// What is odd.
        about: String,
    },
    /// A pilot would begin to count later than the run does.
    #[error(
        "the warm-up of {warmup} looks too short: a pilot of {replications} replications finds {0}; give --warmup {0} or \
             more, or --warmup auto",
        rounded_up(*.found)
    )]
    WarmupTooShort {
        /// Where the counting begins, in time units.
        warmup: f64,
        /// Where the pilot would begin.
        found: f64,
        /// The replications of the pilot.
        replications: u32,
    },
    /// The pilot of `--warmup auto` could not tell the warm-up.
    #[error(
        "the horizon of {until} is too short to tell the warm-up: the {} that the pilot found is too early, if anything; \
             give a longer --until",
        rounded_up(*.warmup)
    )]
    HorizonTooShort {
        /// The horizon, in time units.
        until: f64,
        /// The warm-up that the run took.
        warmup: f64,
    },
    /// Of PHOLD: the horizon is at the lookahead or before it, so no event comes.
    #[error(
        "nothing happens before the horizon of {until}: no event comes before the lookahead of {lookahead}; give a longer \
             --until"
    )]
    NothingHappens {
        /// The horizon, in time units.
        until: f64,
        /// The lookahead, in time units.
        lookahead: f64,
    },
    /// Ctrl-C ended the pilot of `--warmup auto`.
    #[error(
        "Ctrl-C ended the pilot after {replications} replications, before it found a warm-up: what was measured is counted \
             from time 0 on"
    )]
    PilotInterrupted {
        /// Those that were finished.
        replications: u32,
    },
    /// The time limit, or a million replications, ended `--precision`.
    #[error(
        "a precision of {asked} is not reached after {replications} replications ({}): give a longer --time-limit, a longer \
             --until or a larger --precision",
        .reached.map_or("there is no interval yet".to_owned(), |reached| format!("it is {}", rounded_up(reached)))
    )]
    PrecisionNotReached {
        /// The relative half width that was asked.
        asked: f64,
        /// The largest that there is; missing, in JSON `null`, without an interval.
        reached: Option<f64>,
        /// The replications that were run.
        replications: usize,
    },
    /// The means of batches are no means of independent runs.
    #[error(
        "the means of {batches} batches follow each other (correlation {correlation:.2}), so that intervals are too short: give a \
             longer --until, or fewer --batch-means"
    )]
    DependentBatches {
        /// How many there are.
        batches: usize,
        /// That of the mean number present.
        correlation: f64,
    },
    /// Another version wrote the result that is repeated, or what is gone on from.
    #[error(
        "what the file has is of version {version}, this is {own}: where the changelog names a change, digests differ"
    )]
    OtherVersion {
        /// That of the result.
        version: String,
        /// The version of this command.
        own: String,
    },
    /// In a comparison: the adapter has no native 64-bit integers, so `wgpu` and `wgpu-words` are the same.
    #[error("{adapter} has no native 64-bit integers: wgpu and wgpu-words ran the same kernels")]
    SameKernels {
        /// Its name.
        adapter: String,
    },
}

impl Warning {
    /// A warning about a file of this version.
    pub fn of_version(version: &str) -> Option<Self> {
        (version != VERSION).then(|| Self::OtherVersion { version: version.into(), own: VERSION.into() })
    }
}

/// Shows warnings where they are found. JSON carries them itself, and a shifted law is a line of the table.
pub fn tell(format: Format, warnings: &[Warning]) {
    if format == Format::Text {
        let told = warnings.iter().filter(|warning| !matches!(warning, Warning::ShiftedLaw { .. }));
        told.for_each(|warning| complain("note", warning));
    }
}

/// A remark on a run, with its text. Text output has it as `tickless: note: ...` on standard error, but for a shifted law, which is a line of
/// the table; `--quiet` leaves it out there, and JSON has it all the same.
#[derive(Serialize, JsonSchema)]
pub struct Told<'a> {
    /// What it is, and fields of its own.
    #[serde(flatten)]
    warning: &'a Warning,
    /// In one line.
    message: String,
}

/// Warnings with their texts, as JSON has them.
pub fn with_messages<S: Serializer>(warnings: &[Warning], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(warnings.iter().map(|warning| Told { warning, message: warning.to_string() }))
}

/// A time of three digits, no earlier than this one.
fn rounded_up(time: f64) -> f64 {
    if time <= 0.0 {
        return time;
    }
    let digits = 2 - time.log10().floor() as i32;
    let (scale, scaled) =
        (10.0_f64.powi(digits.abs()), |scale: f64| if digits < 0 { time / scale } else { time * scale });
    let whole = scaled(scale).ceil();
    if digits < 0 { whole * scale } else { whole / scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_kind_fields_and_message() {
        #[derive(Serialize)]
        struct Report {
            #[serde(serialize_with = "with_messages")]
            warnings: Vec<Warning>,
        }
        let report = Report { warnings: vec![Warning::HeapFallback { reason: "no adapter".into() }] };
        let expected = r#"{"warnings":[{"kind":"heap_fallback","reason":"no adapter","message":"running on the heap: no adapter"}]}"#;
        assert_eq!(serde_json::to_string(&report).unwrap(), expected);
    }

    #[test]
    fn times_are_rounded_up() {
        for (time, shown) in [
            (2.499_999_944_1, "2.5"),
            (2.5, "2.5"),
            (1234.5, "1240"),
            (0.001_234_1, "0.00124"),
            (0.0, "0"),
            (99.91, "100"),
            (7e7, "70000000"),
        ] {
            assert_eq!(rounded_up(time).to_string(), shown);
        }
    }
}
