//! Long files, on all cores: a text is cut where a table begins, and each part is read as a file of its own.

use rayon::prelude::*;

use super::File;
use crate::reading::parts::{PART, cut};

/// What the file says, where it can be cut and every part can be read. Nothing is said of what is wrong with a file: whoever
/// reads the whole of it finds that too, and on which line. Places in the text are those in its part.
pub(super) fn read(text: &str) -> Option<File> {
    // A text over several lines may have one in it that looks like a heading.
    if text.len() < 2 * PART || text.contains("\"\"\"") || text.contains("'''") {
        return None;
    }
    let (head, tables) = text.split_at(text.find("\n[[")? + 1);
    let mut file: File = toml::from_str(head).ok()?;
    // No heading may add to a list that is written as a value.
    if !(file.station.is_empty() && file.source.is_empty() && file.sink.is_empty() && file.route.is_empty()) {
        return None;
    }
    let parts: Vec<File> =
        cut(tables, heading).into_par_iter().map(|part| toml::from_str(part).ok()).collect::<Option<_>>()?;
    for part in parts {
        if part.generate.is_some() && file.generate.is_some() {
            return None;
        }
        file.generate = file.generate.or(part.generate);
        file.station.extend(part.station);
        file.source.extend(part.source);
        file.sink.extend(part.sink);
        file.route.extend(part.route);
    }
    Some(file)
}

/// Where the next heading of a table begins of which there may be several.
fn heading(text: &[u8]) -> Option<usize> {
    Some(text.windows(3).position(|bytes| bytes == b"\n[[")? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::Network;

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
        let parts = cut(tables, heading);
        assert!(parts.len() > 5 && parts.concat() == tables);
        assert!(parts.iter().all(|part| part.starts_with("[[")), "{}", parts.len());
    }

    #[test]
    fn parts_are_the_whole() {
        let text = ring(9_000);
        let network = Network::from_toml(&text).unwrap();
        let read = read(&text).expect("all parts can be read");
        assert_eq!((read.station.len(), read.route.len(), read.sink.len()), (9_000, 9_000, 1));
        // A text over several lines has it read in one go.
        let whole = text.replacen("\"sör 0\"", "\"\"\"sör 0\"\"\"", 3);
        assert!(super::read(&whole).is_none());
        assert_eq!(Network::from_toml(&whole), Ok(network.clone()));
        let other = text.replacen("tokens = 2", "tokens = 1", 1);
        assert_ne!(Network::from_toml(&other), Ok(network));
    }

    /// What is wrong is said as of a short file, with the line in the whole.
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
        let listed = "sink = [{ name = \"in\" }]\n".to_owned() + &text;
        assert!(Network::from_toml(&listed).is_err());
        let generate = "[generate]\nkind = \"torus\"\nwidth = 3\nheight = 3\nservice = \"constant:1\"\n";
        let twice = format!("{generate}{text}{generate}");
        assert!(Network::from_toml(&twice).unwrap_err().fault.contains("twice"));
    }
}
