//! Unknown names: the name that was probably meant, and the known names.

use std::path::{Path, PathBuf};

/// How alike two names must be (Jaro and Winkler, from 0 to 1) for one to stand for the other.
const ALIKE: f64 = 0.75;
/// The most names that are listed.
const LISTED: usize = 8;

/// The name that was probably meant.
pub fn meant<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let alike = known.map(|known| (alike(&name, &known.to_lowercase()), known));
    let best = alike.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(alike, _)| *alike >= ALIKE).map(|(_, known)| known)
}

/// How alike two names are. Names of as many words are as alike as their words that are least so: two shares that are alike in `_share` alone
/// are shares of different things.
fn alike(one: &str, other: &str) -> f64 {
    let words = [one, other].map(|name| name.split('_').collect::<Vec<_>>());
    let whole = strsim::jaro_winkler(one, other);
    if words[0].len() != words[1].len() {
        return whole;
    }
    words[0].iter().zip(&words[1]).map(|(one, other)| strsim::jaro_winkler(one, other)).fold(whole, f64::min)
}

/// The names that there are, of many only some, and the one that was probably meant.
pub fn known<'a>(name: &str, known: impl ExactSizeIterator<Item = &'a str> + Clone) -> String {
    let count = known.len();
    let mut listed: Vec<String> = known.clone().take(LISTED).map(|known| format!("'{known}'")).collect();
    let end = match (count.checked_sub(LISTED).filter(|more| *more > 0), listed.len()) {
        (Some(more), _) => format!(" and {more} more"),
        (None, 2..) => format!(" and {}", listed.pop().unwrap_or_default()),
        (None, 1) => String::new(),
        (None, _) => return "there is none".into(),
    };
    let verb = if count == 1 { "is" } else { "are" };
    let meant = meant(name, known).map(|known| format!("; '{known}' is probably meant")).unwrap_or_default();
    format!("there {verb} {}{end}{meant}", listed.join(", "))
}

/// The file in a folder whose name matches in any mix of capital and small letters, with `\\` or `/` between folders: of
/// several files the first by the alphabet.
pub fn of_any_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in name.split(['/', '\\']).map(str::trim) {
        let exact = path.join(part);
        let is_empty = path.as_os_str().is_empty();
        path = if matches!(part, "" | "." | "..") || exact.exists() {
            exact
        } else {
            let beside = std::fs::read_dir(if is_empty { Path::new(".") } else { &path }).ok()?;
            let names = beside.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            path.join(names.filter(|other| other.eq_ignore_ascii_case(part)).min()?)
        };
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_a_name_in_other_letters() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let found = folder.join("cells").join("heat.inc");
        assert_eq!(of_any_case(&folder, "Cells\\HEAT.inc"), Some(found.clone()));
        assert_eq!(of_any_case(&folder.join("cells"), "heat.inc"), Some(found));
        assert_eq!(of_any_case(&folder, "cells/cold.inc"), None);
    }

    #[test]
    fn few_names_are_listed_and_of_many_some() {
        assert_eq!(known("x", [].into_iter()), "there is none");
        assert_eq!(known("x", ["desk"].into_iter()), "there is 'desk'");
        assert_eq!(known("x", ["a", "b", "c"].into_iter()), "there are 'a', 'b' and 'c'");
        let names: Vec<String> = (0..100).map(|number| format!("s{number}")).collect();
        let all = names.iter().map(String::as_str);
        let said = "there are 's0', 's1', 's2', 's3', 's4', 's5', 's6', 's7' and 92 more";
        assert_eq!(known("oven", all.clone()), said);
        assert_eq!(known("S57", all), format!("{said}; 's57' is probably meant"));
        assert_eq!(meant("docter", ["nurse", "doctor"].into_iter()), Some("doctor"));
        assert_eq!(meant("docter", ["nurse", "desk"].into_iter()), None);
        let keys = ["down_share", "idle_share", "mean_waiting_time"];
        assert_eq!(meant("joining_share", keys.into_iter()), None);
        let found = ["idel_share", "mean_wait_time", "waiting_time"].map(|name| meant(name, keys.into_iter()));
        assert_eq!(found, [Some("idle_share"), Some("mean_waiting_time"), Some("mean_waiting_time")]);
    }
}
