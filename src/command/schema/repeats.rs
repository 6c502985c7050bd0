//! Rows that a table of a page has in common with an earlier one: they stand there, and are only named here.

/// The fewest rows in common that are named instead of written again: a shorter table is read faster than a link is followed.
const FEWEST: usize = 3;

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The field.
    pub name: String,
    /// Its type in words, with links.
    pub words: String,
    /// Its default in a file, and what it means.
    pub rest: String,
}

impl Row {
    fn is_like(&self, other: &Self) -> bool {
        (&self.name, &self.rest) == (&other.name, &other.rest)
    }

    fn written(&self) -> String {
        format!("| {} | {} | {} |\n", self.name, self.words, self.rest)
    }
}

/// A table of which the reader knows where it stands.
#[derive(Debug)]
pub struct Table {
    /// The heading over it.
    pub title: String,
    /// The target of links to that heading.
    pub link: String,
    /// The rows that are written there.
    pub rows: Vec<Row>,
}

/// What a table is written as: lines that name rows of earlier tables, and the rows that are left.
pub fn parted(mut rows: Vec<Row>, earlier: &[Table]) -> (String, Vec<Row>) {
    let mut lines = String::new();
    loop {
        let in_common = |table: &Table| rows.iter().filter(|row| table.rows.iter().any(|own| own.is_like(row))).count();
        // Of several the first.
        let Some(table) = earlier.iter().rev().max_by_key(|table| in_common(table)) else { break };
        if in_common(table) < FEWEST {
            break;
        }
        lines += &line(table, &rows);
        rows.retain(|row| !table.rows.iter().any(|own| own.is_like(row)));
    }
    (lines, rows)
}

/// The line that names the rows of a table that it has in common with these; where types differ, it says those of these.
fn line(table: &Table, rows: &[Row]) -> String {
    let mut kinds: Vec<(Option<&str>, Vec<&str>)> = vec![(None, vec![])];
    for row in rows {
        let Some(own) = table.rows.iter().find(|own| own.is_like(row)) else { continue };
        let kind = (own.words != row.words).then_some(row.words.as_str());
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(&row.name),
            None => kinds.push((kind, vec![&row.name])),
        }
    }
    let kinds = kinds.iter().filter(|(_, names)| !names.is_empty()).map(|(kind, names)| match kind {
        None => names.join(", "),
        Some(kind) => format!("{} ({kind})", names.join(", ")),
    });
    format!("\nAs of [{}]({}): {}.\n", table.title, table.link, kinds.collect::<Vec<_>>().join("; "))
}

/// Rows as a page has them.
pub fn written(rows: &[Row]) -> String {
    rows.iter().map(Row::written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, words: &str, rest: &str) -> Row {
        Row { name: format!("`{name}`"), words: words.into(), rest: rest.into() }
    }

    fn stations() -> Table {
        let rows = ["busy", "waiting", "lost"].map(|name| row(name, "number", &format!("Of {name}.")));
        Table { title: "`stations[]`".into(), link: "#stations".into(), rows: rows.to_vec() }
    }

    #[test]
    fn rows_in_common_are_named_and_others_written() {
        let own = row("class", "text", "Its name.");
        let mut rows = [vec![own.clone()], stations().rows].concat();
        // Of two tables that have as many of them the first is named, of others that with the most.
        let classes = Table { title: "`classes[]`".into(), link: "#classes".into(), ..stations() };
        let mut sinks = Table { title: "`sinks[]`".into(), link: "#sinks".into(), ..stations() };
        sinks.rows[1].rest = "Of sinks.".into();
        let found = parted(rows.clone(), &[sinks, stations(), classes]);
        assert_eq!(found, ("\nAs of [`stations[]`](#stations): `busy`, `waiting`, `lost`.\n".into(), vec![own]));
        assert_eq!(written(&found.1), "| `class` | text | Its name. |\n");
        // Another type is said.
        rows[2].words = "`null`".into();
        let (lines, _) = parted(rows.clone(), &[stations()]);
        assert_eq!(lines, "\nAs of [`stations[]`](#stations): `busy`, `lost`; `waiting` (`null`).\n");
        // Another meaning is written, and two rows in common are too few.
        rows[2].rest = "Of others.".into();
        assert_eq!(parted(rows.clone(), &[stations()]), (String::new(), rows));
    }
}
