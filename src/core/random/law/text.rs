//! Laws as text, `NAME:PARAMETERS`.

use std::{fmt, str::FromStr};

use super::check::MOST_STAGES;
use super::tabled::{TABLED, Tabled};
use super::{LawError, ServiceLaw};
use crate::number::Written;
use crate::reading::names;

/// The name of a law, its parameters and an example.
type Form = (&'static str, &'static str, &'static str);

/// Of laws with variates of their own.
const FIRST: [Form; 5] = [
    ("exponential", "MEAN", "exponential:10"),
    ("constant", "TIME", "constant:10"),
    ("uniform", "LOW,HIGH", "uniform:5,15"),
    ("erlang", "STAGES,MEAN", "erlang:3,10"),
    ("hyperexponential", "P,FIRST,SECOND", "hyperexponential:0.3,5,15"),
];
/// Of lists of numbers.
const LISTS: [Form; 5] = [
    ("coxian", "MEAN1,P1,MEAN2,...", "coxian:4,0.5,12"),
    ("phase-type", "P1,P2,...;R11,R12,...;R21,...", "phase-type:0.6,0.4;-2,1;0,-0.5"),
    ("discrete", "VALUE*WEIGHT,...", "discrete:5*3,10*2"),
    ("samples", "VALUE,...", "samples:4,7.5,9"),
    ("histogram", "EDGE*WEIGHT,...,EDGE", "histogram:0*3,10*5,20"),
];

/// Of all, in the order of their documentation.
fn forms() -> impl Iterator<Item = Form> {
    let tabled = TABLED.into_iter().map(|law| (law.name, law.parameters, law.example));
    FIRST.into_iter().chain(tabled).chain(LISTS)
}

impl ServiceLaw {
    /// Whether there is a law of this name.
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use tickless::random::ServiceLaw;
    /// assert!(ServiceLaw::is_name("erlang") && !ServiceLaw::is_name("Erlang"));
    /// ```
    pub fn is_name(name: &str) -> bool {
        forms().any(|form| form.0 == name)
    }

    /// Whether a parameter of the law of this name is a time, by its place among the parameters from 0 on.
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use tickless::random::ServiceLaw;
    /// // erlang:STAGES,MEAN
    /// assert!(!ServiceLaw::takes_time("erlang", 0) && ServiceLaw::takes_time("erlang", 1));
    /// ```
    pub fn takes_time(name: &str, place: usize) -> bool {
        let Some((_, parameters, _)) = forms().find(|form| form.0 == name) else { return false };
        match name {
            "phase-type" => false,
            // MEAN1,P1,MEAN2,...
            "coxian" => place.is_multiple_of(2),
            "discrete" | "samples" | "histogram" => true,
            _ => parameters
                .split(',')
                .nth(place)
                .is_some_and(|name| !["P", "SHAPE", "SHAPE1", "SHAPE2", "STAGES"].contains(&name)),
        }
    }
}

/// Numbers as a law has them.
pub(super) struct Numbers<'a>(pub(super) &'a [f64]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .enumerate()
            .try_for_each(|(place, number)| write!(f, "{}{}", if place == 0 { "" } else { "," }, Written(*number)))
    }
}

impl fmt::Display for ServiceLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exponential { mean } => write!(f, "exponential:{}", Written(*mean)),
            Self::Constant { time } => write!(f, "constant:{}", Written(*time)),
            Self::Uniform { low, high } => write!(f, "uniform:{}", Numbers(&[*low, *high])),
            Self::Erlang { stages, mean } => write!(f, "erlang:{stages},{}", Written(*mean)),
            Self::Hyperexponential { probability, first, second } => {
                write!(f, "hyperexponential:{}", Numbers(&[*probability, *first, *second]))
            }
            Self::Coxian { means, probabilities } => {
                f.write_str("coxian:")?;
                for (mean, probability) in means.iter().zip(probabilities.iter()) {
                    write!(f, "{},{},", Written(*mean), Written(*probability))?;
                }
                Numbers(means.get(probabilities.len()..).unwrap_or(&[])).fmt(f)
            }
            Self::PhaseType { first, rates } => {
                write!(f, "phase-type:{}", Numbers(first))?;
                rates.chunks(first.len().max(1)).try_for_each(|row| write!(f, ";{}", Numbers(row)))
            }
            Self::Discrete { values } => {
                f.write_str("discrete:")?;
                values.iter().enumerate().try_for_each(|(place, (value, weight))| {
                    write!(f, "{}{}", if place == 0 { "" } else { "," }, Written(*value))?;
                    if *weight == 1.0 { Ok(()) } else { write!(f, "*{}", Written(*weight)) }
                })
            }
            Self::Samples { values } => write!(f, "samples:{}", Numbers(values)),
            Self::Histogram { edges, weights } => {
                f.write_str("histogram:")?;
                for (edge, weight) in edges.iter().zip(weights.iter()) {
                    write!(f, "{}*{},", Written(*edge), Written(*weight))?;
                }
                Numbers(edges.get(weights.len()..).unwrap_or(&[])).fmt(f)
            }
            _ => self.tabled().map_or(Ok(()), |(law, numbers)| write!(f, "{}:{}", law.name, Numbers(&numbers))),
        }
    }
}

impl From<ServiceLaw> for String {
    fn from(law: ServiceLaw) -> Self {
        law.to_string()
    }
}

impl TryFrom<String> for ServiceLaw {
    type Error = LawError;
    fn try_from(text: String) -> Result<Self, LawError> {
        text.parse()
    }
}

impl FromStr for ServiceLaw {
    type Err = LawError;

    fn from_str(text: &str) -> Result<Self, LawError> {
        let fail = |fault: String| LawError { law: text.to_owned(), fault };
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let (name, parameters, example) =
            forms().find(|form| form.0 == name.trim()).ok_or_else(|| fail(unknown(name.trim())))?;
        let rest = rest.ok_or_else(|| fail(format!("write NAME:PARAMETERS, as in {example}")))?;
        let law = read(name, rest).map_err(fail)?;
        let law = law.ok_or_else(|| fail(format!("write {name}:{parameters}, as in {example}")))?;
        match law.check() {
            Err(LawError { fault, .. }) => Err(fail(as_written(fault, rest))),
            checked => checked.map(|()| law),
        }
    }
}

/// The characters between two numbers of a list.
const BETWEEN: [char; 3] = [',', ';', '*'];

fn number(part: &str) -> Result<f64, String> {
    part.trim().parse().map_err(|_| format!("'{part}' is not a number"))
}

fn numbers(parameters: &str) -> Result<Vec<f64>, String> {
    parameters.split(',').map(number).collect()
}

/// Values with their weights, where these are given.
fn pairs(parameters: &str) -> Result<Vec<(f64, Option<f64>)>, String> {
    let pair = |part: &str| match part.split_once('*') {
        None => Ok((number(part)?, None)),
        Some((value, weight)) => Ok((number(value)?, Some(number(weight)?))),
    };
    parameters.split(',').map(pair).collect()
}

/// The law of this name with these parameters, if their number is right.
fn read(name: &str, parameters: &str) -> Result<Option<ServiceLaw>, String> {
    match name {
        "phase-type" => return phases(parameters).map(Some),
        "discrete" => {
            let values = pairs(parameters)?.into_iter().map(|(value, weight)| (value, weight.unwrap_or(1.0)));
            return Ok(Some(ServiceLaw::Discrete { values: values.collect() }));
        }
        "histogram" => return Ok(histogram(&pairs(parameters)?)),
        _ => {}
    }
    let law = match (name, numbers(parameters)?.as_slice()) {
        ("exponential", &[mean]) => ServiceLaw::Exponential { mean },
        ("constant", &[time]) => ServiceLaw::Constant { time },
        ("uniform", &[low, high]) => ServiceLaw::Uniform { low, high },
        ("erlang", &[stages, mean]) => {
            if stages.fract() != 0.0 || !(1.0..=f64::from(MOST_STAGES)).contains(&stages) {
                return Err(format!("{stages} stages; a whole number from 1 to {MOST_STAGES} is allowed"));
            }
            ServiceLaw::Erlang { stages: stages as u32, mean }
        }
        ("hyperexponential", &[probability, first, second]) => {
            ServiceLaw::Hyperexponential { probability, first, second }
        }
        ("coxian", values) if values.len() % 2 == 1 => ServiceLaw::Coxian {
            means: values.iter().copied().step_by(2).collect(),
            probabilities: values.iter().copied().skip(1).step_by(2).collect(),
        },
        ("samples", values) => ServiceLaw::Samples { values: values.into() },
        (name, numbers) => {
            let takes = |law: &&&Tabled| law.name == name && law.parameters.split(',').count() == numbers.len();
            return Ok(TABLED.iter().find(takes).map(|law| (law.make)(numbers)));
        }
    };
    Ok(Some(law))
}

fn phases(parameters: &str) -> Result<ServiceLaw, String> {
    let mut rows = parameters.split(';');
    let first = numbers(rows.next().unwrap_or(""))?;
    let mut rates = vec![];
    for (place, row) in rows.enumerate() {
        let row = numbers(row)?;
        if row.len() != first.len() {
            let (place, found, all) = (place + 1, row.len(), first.len());
            return Err(format!(
                "row {place} has {found} rates; as many as there are first probabilities are allowed, {all}"
            ));
        }
        rates.extend(row);
    }
    Ok(ServiceLaw::PhaseType { first: first.into(), rates: rates.into() })
}

/// Each edge has the weight of the part behind it.
fn histogram(pairs: &[(f64, Option<f64>)]) -> Option<ServiceLaw> {
    let (last, parts) = pairs.split_last()?;
    let weights = parts.iter().map(|(_, weight)| *weight).collect::<Option<Vec<f64>>>()?;
    let edges = pairs.iter().map(|(edge, _)| *edge).collect();
    last.1.is_none().then(|| ServiceLaw::Histogram { edges, weights: weights.into() })
}

/// A fault of a number, with the number as it was written.
fn as_written(fault: String, parameters: &str) -> String {
    let shown = |part: &str| format!(" is {};", Written(part.trim().parse().unwrap_or(f64::NAN)));
    let found = parameters.split(BETWEEN).find(|part| fault.contains(&shown(part)));
    found.map_or_else(|| fault.clone(), |part| fault.replacen(&shown(part), &format!(" is {};", part.trim()), 1))
}

/// The fault of an unknown name.
fn unknown(name: &str) -> String {
    if name == "empirical" {
        return "its numbers are read where a command reads a network file: here write samples:VALUE,...".to_owned();
    }
    let meant = names::meant(name, forms().map(|form| form.0));
    let meant = meant.map(|known| format!("; {known} is probably meant")).unwrap_or_default();
    let known: Vec<String> = forms().map(|(name, parameters, _)| format!("{name}:{parameters}")).collect();
    format!("'{name}' is no law{meant}; known laws are {}", known.join("; "))
}
