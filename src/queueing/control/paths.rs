//! Paths of decisions and of what is seen.

use super::ControlError;
use crate::describe::Network;
use crate::model::control::{Kind, Looked};
use tickless_core::reading::names;

/// What a path asks to decide.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    Servers(u32),
    Priorities(u32),
    Route(u32),
    RouteOfSource(u32),
}

/// The names of a network.
pub(super) struct Names {
    stations: Vec<String>,
    sources: Vec<String>,
    sinks: Vec<String>,
    classes: Vec<String>,
}

/// What a path is not.
pub(super) const NO_DECISION: &str = "no decision";
pub(super) const NO_NUMBER: &str = "no number that is seen";

fn place_of(names: &[String], name: &str) -> Option<u32> {
    names.iter().position(|other| other == name).map(|place| place as u32)
}

/// What there is in place of a name.
fn instead(kind: &str, name: &str, known: &[&str]) -> String {
    let meant = names::meant(name, known.iter().copied());
    let meant = meant.map(|meant| format!("; '{meant}' is probably meant")).unwrap_or_default();
    match known {
        [] => format!("there is no {kind}"),
        _ => format!("there is no {kind} '{name}', but {}{meant}", known.join(", ")),
    }
}

impl Names {
    pub(super) fn of(network: &Network) -> Self {
        Self {
            stations: network.stations.iter().map(|of| of.name.clone()).collect(),
            sources: network.sources.iter().map(|of| of.name.clone()).collect(),
            sinks: network.sinks.iter().map(|of| of.name.clone()).collect(),
            classes: network.classes.iter().map(|of| of.name().to_owned()).collect(),
        }
    }

    fn find(
        &self,
        path: &str,
        what: &'static str,
        (kind, of): (&str, &[String]),
        name: &str,
    ) -> Result<u32, ControlError> {
        let known: Vec<&str> = of.iter().map(String::as_str).collect();
        let about = || instead(kind, name, &known);
        place_of(of, name).ok_or_else(|| ControlError::Path { path: path.to_owned(), what, about: about() })
    }

    pub(super) fn decision(&self, path: &str) -> Result<Wanted, ControlError> {
        let wrong = |about| ControlError::Path { path: path.to_owned(), what: NO_DECISION, about };
        let split = path.split_once('.').and_then(|(whose, rest)| Some((whose, rest.rsplit_once('.')?)));
        let Some((whose, (name, key))) = split else {
            return Err(wrong(
                "decisions are station.NAME.servers, station.NAME.priorities, station.NAME.route and source.NAME.route"
                    .into(),
            ));
        };
        let station = |name| self.find(path, NO_DECISION, ("station", &self.stations), name);
        match (whose, key) {
            ("station", "servers") => Ok(Wanted::Servers(station(name)?)),
            ("station", "priorities") => Ok(Wanted::Priorities(station(name)?)),
            ("station", "route") => Ok(Wanted::Route(station(name)?)),
            ("source", "route") => {
                Ok(Wanted::RouteOfSource(self.find(path, NO_DECISION, ("source", &self.sources), name)?))
            }
            ("station", key) => Err(wrong(instead("decision", key, &["servers", "priorities", "route"]))),
            ("source", key) => Err(wrong(instead("decision", key, &["route"]))),
            (whose, _) => Err(wrong(instead("kind", whose, &["station", "source"]))),
        }
    }

    /// A number that is observed, or `earned`.
    pub(super) fn look(&self, path: &str, earned: bool) -> Result<Looked, ControlError> {
        let wrong = |about| ControlError::Path { path: path.to_owned(), what: NO_NUMBER, about };
        let split = path.split_once('.').and_then(|(whose, rest)| Some((whose, rest.rsplit_once('.')?)));
        let Some((whose, (name, key))) = split else {
            return Err(wrong(
                "such numbers are station.NAME.present, station.NAME.class.NAME.present, sink.NAME.tokens and the like"
                    .into(),
            ));
        };
        let kinds = Kind::OF_STATIONS.iter().filter(|(_, kind)| earned || kind.is_over_time());
        let kinds: Vec<_> = kinds.map(|(key, kind)| (*key, *kind)).collect();
        let (names, kinds) = match whose {
            "station" => (("station", &self.stations), kinds),
            "sink" if earned => (("sink", &self.sinks), vec![("tokens", Kind::Left)]),
            _ => {
                let known: &[&str] = if earned { &["station", "sink"] } else { &["station"] };
                return Err(wrong(instead("kind", whose, known)));
            }
        };
        let keys: Vec<&str> = kinds.iter().map(|(key, _)| *key).collect();
        let kind = kinds.iter().find(|(known, _)| *known == key).ok_or_else(|| wrong(instead("number", key, &keys)))?.1;
        let find = |name| self.find(path, NO_NUMBER, (names.0, names.1), name);
        // A name may have dots.
        let (place, class) = match name.rsplit_once(".class.") {
            Some((name, class)) if place_of(names.1, name).is_some() => {
                (find(name)?, Some(self.find(path, NO_NUMBER, ("class", &self.classes), class)?))
            }
            _ => (find(name)?, None),
        };
        if class.is_some() && !kind.is_by_class() {
            return Err(wrong(format!("'{key}' is of all classes together: leave the class out")));
        }
        Ok(Looked { kind, place, class })
    }
}
