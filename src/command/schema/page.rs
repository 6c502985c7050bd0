//! A schema as a page for people: a table for each object, a row for each field.

use std::collections::HashSet;
use std::fmt::Write as _;

use schemars::Schema;
use serde_json::{Map, Value};

use super::repeats::{Row, Table, parted, written as rows_written};

/// From so many fields on a page that has all fields of another says so, and does not name them.
const MANY_FIELDS: usize = 6;
/// A meaning of more words than these is left to the page that says it.
const SHORT_MEANING: usize = 6;

/// The words for a Boolean value.
const EITHER: &str = "`true` or `false`";

/// The fields of a schema.
type Fields = Map<String, Value>;

/// Another format, whose page describes fields that this one has as well.
pub struct Other<'a> {
    /// Its page, without the ending.
    pub page: &'a str,
    /// Its subject.
    pub about: &'a str,
    /// Its schema.
    pub schema: &'a Schema,
}

/// The page of a format. Fields that the pages of other formats describe are only linked.
pub fn page(name: &str, schema: &Schema, others: &[Other<'_>], is_toml: bool) -> String {
    let others: Vec<_> = others.iter().filter_map(|other| Some((other, Page::of(other.schema, &[], false)?))).collect();
    let Some(page) = Page::of(schema, &others, is_toml) else { return String::new() };
    let mut text = format!("# {name}\n\n{}\n", linked(described(page.root)));
    page.fields(page.root, &[], &mut text);
    let mut tables: Vec<_> = others.iter().flat_map(|(other, page)| page.tables(other.page)).collect();
    for section in &page.sections {
        let about = linked(described(section.schema));
        let is_said = text.lines().any(|row| is_of(row, &section.anchor, &about));
        _ = writeln!(text, "\n## {}", section.title);
        if !about.is_empty() && !is_said {
            _ = writeln!(text, "\n{about}");
        }
        let rows = page.fields(section.schema, &tables, &mut text);
        tables.push(Table { title: section.title.clone(), link: format!("#{}", section.anchor), rows });
    }
    text
}

/// Whether a row of a table is of the type of a section and says no more of it than the section would.
fn is_of(row: &str, anchor: &str, about: &str) -> bool {
    row.contains(&format!("](#{anchor})")) && row.ends_with(&format!("| {} |", about.replace('|', "\\|")))
}

/// A definition of the schema under the path at which it is reached first.
struct Section<'a> {
    name: &'a str,
    title: String,
    anchor: String,
    schema: &'a Fields,
}

struct Page<'a> {
    root: &'a Fields,
    /// The pages of other formats with which this one shares fields.
    others: &'a [(&'a Other<'a>, Page<'a>)],
    is_toml: bool,
    sections: Vec<Section<'a>>,
    seen: HashSet<&'a str>,
}

impl<'a> Page<'a> {
    fn of(schema: &'a Schema, others: &'a [(&'a Other<'a>, Page<'a>)], is_toml: bool) -> Option<Self> {
        let root = schema.as_object()?;
        let mut page = Page { root, others, is_toml, sections: vec![], seen: HashSet::new() };
        page.visit(root, &[]);
        Some(page)
    }

    /// The other format that has an equal field of this name, with all types that it refers to.
    fn other(&self, (name, inner): &(&'a String, &'a Value)) -> Option<&'a Other<'a>> {
        let mut targets = vec![];
        self.targets(inner, &mut targets);
        let has = |(_, page): &&(&Other<'_>, Page<'_>)| {
            page.root.get("properties").and_then(|fields| fields.get(name.as_str())) == Some(*inner)
                && targets.iter().all(|(name, target)| page.section(name, target).is_some())
        };
        self.others.iter().find(has).map(|(other, _)| *other)
    }

    /// Adds all types that a schema refers to.
    fn targets(&self, schema: &'a Value, found: &mut Vec<(&'a str, &'a Fields)>) {
        let Some(fields) = schema.as_object() else { return };
        let within = |fields: &'a Fields| {
            let inner = ["items", "additionalProperties"].into_iter().filter_map(|key| fields.get(key));
            inner.chain(branches(fields)).chain(properties(fields).map(|(_, inner)| inner)).collect::<Vec<_>>()
        };
        let mut inner = within(fields);
        if let Some((name, target)) =
            self.target(fields).filter(|(name, _)| found.iter().all(|(known, _)| known != name))
        {
            found.push((name, target));
            inner.extend(within(target));
        }
        inner.into_iter().for_each(|inner| self.targets(inner, found));
    }

    /// The section of an equal definition.
    fn section(&self, name: &str, target: &Fields) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.name == name && section.schema == target)
    }

    /// The equal section of the page of another format, and that page.
    fn elsewhere(&self, name: &str, target: &Fields) -> Option<(&'a str, &'a Section<'a>)> {
        self.others.iter().find_map(|(other, page)| Some((other.page, page.section(name, target)?)))
    }

    /// The type that a schema refers to.
    fn target(&self, schema: &'a Fields) -> Option<(&'a str, &'a Fields)> {
        let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
        Some((name, self.root.get("$defs")?.get(name)?.as_object()?))
    }

    /// The tables of its sections, for another page that links to this one by its name.
    fn tables(&self, name: &str) -> Vec<Table> {
        let mut tables = vec![];
        for section in &self.sections {
            let rows = self.fields(section.schema, &tables, &mut String::new());
            tables.push(Table { title: section.title.clone(), link: format!("#{}", section.anchor), rows });
        }
        let here = |text: &str| text.replace("(#", &format!("({name}.md#"));
        for table in &mut tables {
            (table.title, table.link) = (format!("{} of {name}", table.title), format!("{name}.md{}", table.link));
            table.rows.iter_mut().for_each(|row| row.words = here(&row.words));
        }
        tables
    }

    /// Adds sections of all types below a schema, at this path.
    fn visit(&mut self, schema: &'a Fields, path: &[String]) {
        for (name, inner) in properties(schema).filter(|field| self.other(field).is_none()).collect::<Vec<_>>() {
            self.reach(inner, &[path, std::slice::from_ref(name)].concat());
        }
        if let Some(inner) = schema.get("additionalProperties") {
            self.reach(inner, &[path, &["NAME".to_owned()]].concat());
        }
        branches(schema).for_each(|branch| self.reach(branch, path));
    }

    /// Adds the types that a schema refers to.
    fn reach(&mut self, schema: &'a Value, path: &[String]) {
        let Some(schema) = schema.as_object() else { return };
        if let Some(items) = schema.get("items") {
            let mut path = path.to_vec();
            path.last_mut().into_iter().for_each(|last| last.push_str("[]"));
            self.reach(items, &path);
        }
        let Some((name, target)) = self.target(schema) else { return self.visit(schema, path) };
        if self.elsewhere(name, target).is_none() && self.seen.insert(name) {
            let title = match target.get("title").and_then(Value::as_str) {
                Some(title) => title.to_owned(),
                None => format!("`{}`", self.shown(path)),
            };
            let anchor = self.anchor(&title);
            self.sections.push(Section { name, title, anchor, schema: target });
            self.visit(target, path);
        }
    }

    /// A path as the format has it.
    fn shown(&self, path: &[String]) -> String {
        let plain = path.join(".");
        match (self.is_toml, plain.ends_with("[]")) {
            (false, _) => plain,
            (true, true) => format!("[[{}]]", plain.replace("[]", "")),
            (true, false) => format!("[{}]", plain.replace("[]", "")),
        }
    }

    /// The target of a link to a heading, as GitHub and mdBook name it.
    fn anchor(&self, title: &str) -> String {
        let name = title.to_lowercase().replace(' ', "-");
        let name = name.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "");
        let is_of =
            |section: &&Section<'_>| section.anchor.trim_end_matches(|c: char| c == '-' || c.is_numeric()) == name;
        match self.sections.iter().filter(is_of).count() {
            0 => name,
            again => format!("{name}-{again}"),
        }
    }

    /// Writes the tables of a schema: its fields, its words, and its forms. The rows of fields that are written, not named as those of
    /// an earlier table, are returned.
    fn fields(&self, schema: &'a Fields, earlier: &[Table], text: &mut String) -> Vec<Row> {
        let (shared, own): (Vec<_>, Vec<_>) = properties(schema).partition(|field| self.other(field).is_some());
        self.shared(schema, &shared, text);
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut rows: Vec<Row> = own
            .into_iter()
            .filter_map(|(name, inner)| self.row(name, inner, required.contains(&name.as_str())))
            .collect();
        rows.extend(schema.get("additionalProperties").and_then(|inner| self.row("NAME", inner, false)));
        if std::ptr::eq(schema, self.root) {
            rows.retain(|row| !self.is_said(row));
        }
        let (lines, rows) = parted(rows, earlier);
        *text += &lines;
        if !rows.is_empty() {
            *text += if self.is_toml {
                "\n| key | type | default | meaning |\n|---|---|---|---|\n"
            } else {
                "\n| field | type | meaning |\n|---|---|---|\n"
            };
            *text += &rows_written(&rows);
        }
        let words: Vec<_> =
            branches(schema).filter_map(|branch| Some((branch.get("const")?, branch.as_object()?))).collect();
        if !words.is_empty() {
            *text += "\n| word | meaning |\n|---|---|\n";
            for (word, branch) in words {
                _ = writeln!(text, "| {} | {} |", written(word), cell(described(branch)));
            }
        }
        for branch in branches(schema).filter_map(Value::as_object).filter(|branch| branch.get("const").is_none()) {
            self.form(branch, text);
        }
        rows
    }

    /// Writes which fields other pages describe.
    fn shared(&self, schema: &Fields, shared: &[(&'a String, &'a Value)], text: &mut String) {
        for (other, page) in self.others {
            let is_here =
                |field: &&(&'a String, &'a Value)| self.other(field).is_some_and(|found| found.page == other.page);
            let names: Vec<_> = shared.iter().filter(is_here).map(|(name, _)| format!("`{name}`")).collect();
            let (about, page_name) = (other.about, other.page);
            match names.len() {
                0 => {}
                MANY_FIELDS.. if has_all(schema, page.root) => {
                    _ = writeln!(text, "\nAll fields of [{about}]({page_name}.md).");
                }
                _ => _ = writeln!(text, "\nAs of [{about}]({page_name}.md): {}.", names.join(", ")),
            }
        }
    }

    /// Whether a page all of whose fields this one has says the same of a field of this name, with another type, which has a section here.
    fn is_said(&self, row: &Row) -> bool {
        self.others.iter().filter(|(_, page)| has_all(self.root, page.root)).any(|(_, page)| {
            properties(page.root).any(|(name, inner)| {
                let said = inner.as_object().map(described).unwrap_or_default();
                row.name == format!("`{name}`") && said.split(' ').count() > SHORT_MEANING && row.rest == cell(said)
            })
        })
    }

    /// One form of an object.
    fn form(&self, branch: &'a Fields, text: &mut String) {
        let tag = properties(branch).find_map(|(name, inner)| Some((name, inner.get("const")?)));
        let about = linked(described(branch));
        match tag {
            Some((name, word)) => _ = writeln!(text, "\nWith `{name}` {}: {about}", written(word)),
            None if properties(branch).next().is_some() => _ = writeln!(text, "\n{about}"),
            None => _ = writeln!(text, "\n{about} {}", capital(&self.words(branch, false))),
        }
        let rest: Vec<_> = properties(branch).filter(|(_, inner)| inner.get("const").is_none()).collect();
        for (place, row) in rest.into_iter().filter_map(|(name, inner)| self.row(name, inner, true)).enumerate() {
            let above = if place == 0 { "\n" } else { "" };
            _ = writeln!(text, "{above}- {}, {}: {}", row.name, row.words, row.rest);
        }
    }

    /// The row of a field. An example of a key is the line of a file that has it, below its meaning.
    fn row(&self, key: &str, schema: &'a Value, required: bool) -> Option<Row> {
        let fields = schema.as_object()?;
        let default = fields.get("default").filter(|default| !is_empty(default)).map(written);
        let name = if key == "NAME" { "any name".to_owned() } else { format!("`{key}`") };
        let (words, mut meaning) = (self.words(fields, false), cell(described(fields)));
        meaning.extend(examples(fields).map(|value| format!("<br>`{key} = {}`", in_toml(value).replace('|', "\\|"))));
        let (missing, rest) = match (self.is_toml, required) {
            (true, true) => ("", format!("required | {meaning}")),
            (true, false) => ("", format!("{} | {meaning}", default.unwrap_or_default())),
            (false, true) => ("", meaning),
            (false, false) => ("; may be missing", meaning),
        };
        Some(Row { name, words: cell(&words) + missing, rest })
    }

    /// A type in plain words, in the singular or plural.
    fn words(&self, schema: &'a Fields, many: bool) -> String {
        if let Some((name, target)) = self.target(schema) {
            let kind = match target.get("title").and_then(Value::as_str) {
                Some(title) => plural(title, many),
                None if is_of_words(target) => plural("word", many),
                None => self.words(target, many),
            };
            let own = self.sections.iter().find(|section| section.name == name);
            let link = own.map(|own| format!("#{}", own.anchor));
            let elsewhere =
                || self.elsewhere(name, target).map(|(page, section)| format!("{page}.md#{}", section.anchor));
            let link = link.or_else(elsewhere);
            return link.map_or(kind.clone(), |link| format!("[{kind}]({link})"));
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return alternatives(words.iter().map(written).collect());
        }
        if let Some(word) = schema.get("const") {
            return written(word);
        }
        match schema.get("type") {
            Some(Value::String(kind)) => self.of_kind(kind, schema, many),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                alternatives(kinds.map(|kind| self.of_kind(kind, schema, many)).collect())
            }
            _ => {
                let branches = branches(schema).filter_map(Value::as_object);
                alternatives(branches.map(|branch| self.words(branch, many)).collect())
            }
        }
    }

    fn of_kind(&self, kind: &str, schema: &'a Fields, many: bool) -> String {
        let least = schema.get("minimum").filter(|least| kind == "number" || least.as_f64() != Some(0.0));
        let least = least.map(|least| format!(" from {least}")).unwrap_or_default();
        let most = schema.get("maximum").map(|most| format!(" to {most}")).unwrap_or_default();
        match kind {
            "string" => plural("text", many),
            "integer" => format!("{}{least}{most}", plural("whole number", many)),
            "number" => format!("{}{least}{most}", plural("number", many)),
            "boolean" => EITHER.into(),
            "null" => "`null`".into(),
            "array" => {
                let list = plural("list", many);
                match (schema.get("items"), schema.get("prefixItems").and_then(Value::as_array)) {
                    (_, Some(items)) => {
                        let items = items.iter().filter_map(Value::as_object);
                        let items: Vec<_> = items.map(|item| format!("a {}", self.words(item, false))).collect();
                        format!("{list} of {}", items.join(" and "))
                    }
                    (Some(Value::Object(items)), _) => match self.words(items, true) {
                        items if items.contains(" or ") => format!("{list} of ({items})"),
                        items => format!("{list} of {items}"),
                    },
                    _ => list,
                }
            }
            _ => {
                let table = plural(if self.is_toml { "table" } else { "object" }, many);
                match schema.get("additionalProperties").and_then(Value::as_object) {
                    Some(inner) if properties(schema).next().is_none() && inner.contains_key("type") => {
                        format!("{table} of {}", self.words(inner, true))
                    }
                    _ => table,
                }
            }
        }
    }
}

fn properties(schema: &Fields) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// Whether a schema has all fields of another one.
fn has_all(schema: &Fields, other: &Fields) -> bool {
    properties(other).all(|(name, _)| properties(schema).any(|(own, _)| own == name))
}

/// The forms of a value.
fn branches(schema: &Fields) -> impl Iterator<Item = &Value> {
    ["oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten()
}

/// Whether it is one of some words.
fn is_of_words(schema: &Fields) -> bool {
    schema.contains_key("enum")
        || branches(schema).all(|branch| branch.get("const").is_some()) && branches(schema).next().is_some()
}

/// Whether it is the default of a list or an object that is left out.
fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty) || value.is_object()
}

fn described(schema: &Fields) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn examples(schema: &Fields) -> impl Iterator<Item = &Value> {
    schema.get("examples").and_then(Value::as_array).into_iter().flatten()
}

/// A value in TOML, in one line.
fn in_toml(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", joined(items.iter().map(in_toml).collect())),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key} = {}", in_toml(value)));
            format!("{{ {} }}", joined(fields.collect()))
        }
        // Texts, numbers and truth are as in JSON.
        other => other.to_string(),
    }
}

/// A value as a file has it.
fn written(value: &Value) -> String {
    match value.as_f64() {
        Some(number) => format!("`{number}`"),
        None => format!("`{value}`"),
    }
}

/// A word in the singular or plural.
fn plural(word: &str, many: bool) -> String {
    if many { format!("{word}s") } else { word.to_owned() }
}

/// `a, b or c`
fn alternatives(mut words: Vec<String>) -> String {
    if let (2.., Some(place)) = (words.len(), words.iter().position(|word| word == EITHER)) {
        words.splice(place..=place, ["`true`", "`false`"].map(String::from));
    }
    match &words[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// With a capital letter at the beginning, and a full stop at the end.
fn capital(words: &str) -> String {
    let place = words.find(char::is_alphabetic).filter(|_| !words.starts_with('`')).unwrap_or(0);
    let (head, tail) = words.split_at(place);
    let mut letters = tail.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{head}{first}{}.", letters.as_str())
}

/// A text in a table.
fn cell(text: &str) -> String {
    linked(text).replace('|', "\\|")
}

/// With links to the documents that it names.
fn linked(text: &str) -> String {
    let mut linked = String::new();
    let mut rest = text;
    while let Some(place) = rest.find("docs/") {
        let name = &rest[place + "docs/".len()..];
        let Some(end) = name.find(".md") else { break };
        _ = write!(linked, "{}[{}.md](../{}.md)", &rest[..place], &name[..end], &name[..end]);
        rest = &name[end + ".md".len()..];
    }
    linked + rest
}
