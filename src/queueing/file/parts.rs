//! Long files, on all cores: a text is cut where a table begins, and each part is read as a file of its own.

use rayon::prelude::*;
use toml::Table;

use super::File;
use tickless_core::reading::parts::cut;
use tickless_core::reading::without_mark;

/// The tables at the top of a file.
pub(super) const TABLES: [&str; 10] = [
    "generate",
    EXPERIMENTS[0],
    EXPERIMENTS[1],
    "class",
    "resource",
    "attribute",
    "station",
    "source",
    "sink",
    "route",
];

/// Tables that do not belong to the network.
const EXPERIMENTS: [&str; 2] = ["experiment", "optimize"];

/// The contents of the file, if it has two parts or more of at least `part` bytes and every part can be read. Otherwise the
/// caller reads the whole file and finds the fault and its line. Places in the text are those in its part.
pub(super) fn read(text: &str, part: usize) -> Option<File> {
    // A text over several lines may contain a line that looks like a heading.
    if text.len() < 2 * part || text.contains("\"\"\"") || text.contains("'''") {
        return None;
    }
    let text = without_mark(text);
    let first = if text.starts_with("[[") { 0 } else { text.find("\n[[")? + 1 };
    let (top, tables) = text.split_at(first);
    // No heading may add to a list that is written as a value, not even to an empty one.
    let keys: Table = toml::from_str(top).ok()?;
    if TABLES.iter().any(|key| !EXPERIMENTS.contains(key) && keys.contains_key(*key)) {
        return None;
    }
    let parts = cut(tables, part, heading).into_par_iter().map(|part| toml::from_str(part).ok());
    let mut file: File = toml::from_str(top).ok()?;
    for part in parts.collect::<Option<Vec<File>>>()? {
        // A `[generate]` table stands alone in a file, so not in one with these tables.
        let is_twice = part.experiment.is_some() && file.experiment.is_some()
            || part.optimize.is_some() && file.optimize.is_some();
        if part.generate.is_some() || is_twice {
            return None;
        }
        file.experiment = file.experiment.or(part.experiment);
        file.optimize = file.optimize.or(part.optimize);
        file.class.extend(part.class);
        file.resource.extend(part.resource);
        file.attribute.extend(part.attribute);
        file.station.extend(part.station);
        file.source.extend(part.source);
        file.sink.extend(part.sink);
        file.route.extend(part.route);
    }
    Some(file)
}

/// The beginning of the next heading of a table that may be repeated.
fn heading(text: &[u8]) -> Option<usize> {
    Some(text.windows(3).position(|bytes| bytes == b"\n[[")? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Network;
    use tickless_core::reading::parts::PART;

    /// A ring of so many stations with names of several bytes a letter.
    fn ring(stations: u32) -> String {
        let mut text = "# a ring\nuntil = 70.0\nseed = 9\n".to_owned();
        for id in 0..stations {
            text += &format!("[[station]]\nname = \"sör {id}\"\nservice = \"exponential:10\"\ntokens = {}\n", id % 3);
            text += &format!("[[route]]\nfrom = \"sör {id}\"\nto = \"sör {}\"\n\n", (id + 1) % stations);
        }
        text + "[[sink]]\nname = \"exit\"\n"
    }

    #[test]
    fn every_part_begins_with_a_heading() {
        let text = ring(9_000);
        let tables = &text[text.find("[[").unwrap()..];
        let parts = cut(tables, PART, heading);
        assert!(parts.len() > 5 && parts.concat() == tables);
        assert!(parts.iter().all(|part| part.starts_with("[[")), "{}", parts.len());
    }

    #[test]
    fn parts_are_the_whole() {
        let text = ring(9_000);
        let network = Network::from_toml(&text).unwrap();
        let read = read(&text, PART).expect("all parts can be read");
        assert_eq!((read.station.len(), read.route.len(), read.sink.len()), (9_000, 9_000, 1));
        // A text over several lines makes the file be read in one go.
        let whole = text.replacen("\"sör 0\"", "\"\"\"sör 0\"\"\"", 3);
        assert!(super::read(&whole, PART).is_none());
        assert_eq!(Network::from_toml(&whole), Ok(network.clone()));
        let other = text.replacen("tokens = 2", "tokens = 1", 1);
        assert_ne!(Network::from_toml(&other), Ok(network));
    }

    /// Short files in parts of a few bytes: the parts give the contents of the whole.
    #[test]
    fn no_part_says_what_the_whole_does_not() {
        let desk = "[[station]]\nname = \"a\"\nservice = \"constant:1\"\n";
        let way = "[[route]]\nfrom = \"a\"\nto = \"a\"\n";
        let texts = [
            (format!("until = 5\n{desk}{way}"), true),
            (format!("{desk}{way}"), true),
            (format!("\u{feff}{desk}{way}"), true),
            (format!("until = 5\n{desk}{way}").replace('\n', "\r\n"), true),
            (format!("# [[station]]\n\n{desk}# a comment\n[[sink]]\nname = \"b\" # [[sink]]\n{way}"), true),
            (format!("{desk}[[ route ]]\nfrom = \"a\"\nto = \"a\"\n"), true),
            (format!("station = []\n{desk}{way}"), false),
            (format!("sink = [{{ name = \"in\" }}]\n{desk}{way}"), false),
            (format!("distributions = [\n[[\"a\"]]\n]\n{desk}{way}"), false),
            (format!("{desk}[station.more]\nname = \"b\"\n{way}"), false),
            (format!("{desk}{way}[sink]\nname = \"b\"\n"), false),
            (format!("{desk}{way}until = 5\n"), false),
            (format!("[generate]\nkind = \"torus\"\n{desk}"), false),
            (format!("{desk}[generate]\nkind = \"torus\"\n{way}[generate]\nkind = \"torus\"\n"), false),
            (format!("{desk}{way}[[until]]\n"), false),
        ];
        for (text, in_parts) in texts {
            let parts = read(&text, 8);
            assert_eq!(parts.is_some(), in_parts, "{text}");
            let whole = toml::from_str::<File>(without_mark(&text));
            if let Some(parts) = parts {
                let names =
                    |file: &File| file.station.iter().map(|entry| entry.name.as_ref().clone()).collect::<Vec<_>>();
                let whole = whole.expect("what parts can be read as");
                assert_eq!((parts.until, names(&parts)), (whole.until, names(&whole)), "{text}");
                assert_eq!((parts.route.len(), parts.sink.len()), (whole.route.len(), whole.sink.len()), "{text}");
            }
        }
    }

    /// All routes lead to an unknown name, and only the first is reported, at once.
    #[test]
    fn one_wrong_name_for_many_is_told_once() {
        let text = ring(9_000).replace("to = \"sör ", "to = \"sor ");
        let error = Network::from_toml(&text).unwrap_err();
        assert_eq!(error.line, text.lines().position(|line| line.starts_with("to = ")).unwrap() + 1);
        assert!(error.fault.contains("no station or sink is named 'sor 1'"), "{error}");
    }

    /// Faults are reported as for a short file, with the line in the whole.
    #[test]
    fn faults_of_long_files_name_their_line() {
        let text = ring(9_000);
        let end = text.lines().count();
        for (more, line, part) in [
            ("[[route]]\nfrom = \"sör 1\"\nto = \"till\"\n", end + 3, "no station or sink is named 'till'"),
            ("[[station]]\nname = \"sör 1\"\nservice = \"constant:1\"\n", end + 2, "'sör 1' is taken already"),
            ("speed = 3\n", end + 1, "there is no key `speed` here"),
            ("[[route]\n", end + 1, "the heading has no end"),
            ("[station]\nname = \"a\"\n", end + 1, "the key stands there twice"),
            ("[generate]\nkind = \"torus\"\nwidth = 3\nheight = 3\nservice = \"constant:1\"\n", 5, "beside [generate]"),
        ] {
            let error = Network::from_toml(&(text.clone() + more)).unwrap_err();
            assert_eq!((error.line, error.fault.contains(part)), (line, true), "{error}");
        }
    }
}
