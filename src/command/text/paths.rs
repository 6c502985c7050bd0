//! Paths of network files in words.

/// The words of a path, between points outside of quotes.
pub fn words_of(path: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let is_end = |c: char| {
        is_quoted ^= c == '"';
        c == '.' && !is_quoted
    };
    path.split(is_end).map(|word| word.trim_matches('"')).collect()
}

/// `mean waiting time at desk` for `station.desk.mean_waiting_time`.
pub fn path_in_words(path: &str) -> String {
    let words = words_of(path);
    match &words[..] {
        ["network", figure @ ..] if !figure.is_empty() => figure_in_words(figure),
        [kind @ ("station" | "sink" | "source" | "resource" | "class"), name, rest @ ..] if !rest.is_empty() => {
            let (class, figure) = match rest {
                ["class", class, figure @ ..] if !figure.is_empty() => (format!(" of {class}"), figure),
                figure => (String::new(), figure),
            };
            let at = if matches!(*kind, "station" | "sink") { "at" } else { "of" };
            format!("{}{class} {at} {name}", figure_in_words(figure))
        }
        all => figure_in_words(all),
    }
}

/// The words of a figure; a number behind it may have a point.
fn figure_in_words(words: &[&str]) -> String {
    let mut text = String::new();
    let mut was_number = false;
    for word in words {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        text += match (text.is_empty(), was_number && is_number) {
            (true, _) => "",
            (_, true) => ".",
            _ => " ",
        };
        text += &word.replace('_', " ");
        was_number = is_number;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_in_words() {
        for (path, told) in [
            ("station.desk.mean_waiting_time", "mean waiting time at desk"),
            ("station.\"sales desk\".class.urgent.mean_waiting_time", "mean waiting time of urgent at sales desk"),
            ("station.desk.waiting_within.60.5", "waiting within 60.5 at desk"),
            ("station.mill.failures.use", "failures use at mill"),
            ("sink.home.time_quantile.0.95", "time quantile 0.95 at home"),
            ("source.in.interval", "interval of in"),
            ("resource.\"a.b\".units", "units of a.b"),
            ("network.throughput", "throughput"),
            ("routes.noon.limit", "routes noon limit"),
            ("first_hop", "first hop"),
            ("station", "station"),
            ("", ""),
        ] {
            assert_eq!(path_in_words(path), told);
        }
    }
}
