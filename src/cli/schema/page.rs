//! A schema as a page for people: a table for each object, a row for each field.

use std::collections::HashSet;
use std::fmt::Write as _;

use schemars::Schema;
use serde_json::{Map, Value};

/// The fields of a schema.
type Fields = Map<String, Value>;

/// The page of a format. Fields that `known` has as well are on the page of every run.
pub fn page(name: &str, schema: &Schema, known: Option<&Schema>, is_toml: bool) -> String {
    let Some(root) = schema.as_object() else { return String::new() };
    let known = known.and_then(Schema::as_object).and_then(|known| known["properties"].as_object());
    let mut page = Page { root, is_toml, sections: vec![], seen: HashSet::new() };
    page.visit(root, &[], known);
    let mut text = format!("# {name}\n\n{}\n\n", linked(described(root)));
    _ = writeln!(
        text,
        "`tickless schema {name} --format markdown` prints this page, and `tickless schema {name}` a JSON Schema."
    );
    if known.is_some() {
        text += "Beside the fields below there are those of [every run](run.md).\n";
    }
    page.fields(root, known, &mut text);
    for section in &page.sections {
        _ = writeln!(text, "\n## {}", section.title);
        if !described(section.schema).is_empty() {
            _ = writeln!(text, "\n{}", linked(described(section.schema)));
        }
        page.fields(section.schema, None, &mut text);
    }
    text
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
    is_toml: bool,
    sections: Vec<Section<'a>>,
    seen: HashSet<&'a str>,
}

impl<'a> Page<'a> {
    /// What a schema refers to.
    fn target(&self, schema: &'a Fields) -> Option<(&'a str, &'a Fields)> {
        let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
        Some((name, self.root.get("$defs")?.get(name)?.as_object()?))
    }

    /// Adds sections of all that is below a schema but not known, at this path.
    fn visit(&mut self, schema: &'a Fields, path: &[String], known: Option<&Fields>) {
        for (name, inner) in properties(schema) {
            if known.and_then(|known| known.get(name)) != Some(inner) {
                self.reach(inner, &[path, &[name.clone()]].concat());
            }
        }
        if let Some(inner) = schema.get("additionalProperties") {
            self.reach(inner, &[path, &["NAME".to_owned()]].concat());
        }
        branches(schema).for_each(|branch| self.reach(branch, path));
    }

    /// Adds what a schema refers to.
    fn reach(&mut self, schema: &'a Value, path: &[String]) {
        let Some(schema) = schema.as_object() else { return };
        if let Some(items) = schema.get("items") {
            let mut path = path.to_vec();
            path.last_mut().into_iter().for_each(|last| last.push_str("[]"));
            self.reach(items, &path);
        }
        let Some((name, target)) = self.target(schema) else { return self.visit(schema, path, None) };
        if self.seen.insert(name) {
            let title = match target.get("title").and_then(Value::as_str) {
                Some(title) => title.to_owned(),
                None => format!("`{}`", self.shown(path)),
            };
            let anchor = self.anchor(&title);
            self.sections.push(Section { name, title, anchor, schema: target });
            self.visit(target, path, None);
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

    /// Where a link to a heading leads, as GitHub and mdBook name it.
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

    /// The tables of a schema: its fields, its words, and the forms that it has.
    fn fields(&self, schema: &'a Fields, known: Option<&Fields>, text: &mut String) {
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let rows = properties(schema).filter(|(name, inner)| known.and_then(|known| known.get(*name)) != Some(inner));
        let mut rows: Vec<String> =
            rows.map(|(name, inner)| self.row(name, inner, required.contains(&name.as_str()))).collect();
        if let Some(inner) = schema.get("additionalProperties").filter(|inner| inner.is_object()) {
            rows.push(self.row("NAME", inner, false));
        }
        if !rows.is_empty() {
            *text += if self.is_toml {
                "\n| key | type | default | meaning |\n|---|---|---|---|\n"
            } else {
                "\n| field | type | meaning |\n|---|---|---|\n"
            };
            *text += &rows.concat();
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
    }

    /// One of the forms that an object has.
    fn form(&self, branch: &'a Fields, text: &mut String) {
        let tag = properties(branch).find_map(|(name, inner)| Some((name, inner.get("const")?)));
        let about = linked(described(branch));
        match tag {
            Some((name, word)) => _ = writeln!(text, "\nWith `{name}` {}: {about}", written(word)),
            None if properties(branch).next().is_some() => _ = writeln!(text, "\n{about}"),
            None => _ = writeln!(text, "\n{about} {}", capital(&self.words(branch))),
        }
        let rest: Vec<_> = properties(branch).filter(|(_, inner)| inner.get("const").is_none()).collect();
        if !rest.is_empty() {
            *text += "\n| field | type | meaning |\n|---|---|---|\n";
            rest.into_iter().for_each(|(name, inner)| *text += &self.row(name, inner, true));
        }
    }

    /// The row of a field.
    fn row(&self, name: &str, schema: &'a Value, required: bool) -> String {
        let Some(fields) = schema.as_object() else { return String::new() };
        let default = fields.get("default").filter(|default| !is_empty(default)).map(written);
        let name = if name == "NAME" { "any name".to_owned() } else { format!("`{name}`") };
        let (words, meaning) = (cell(&self.words(fields)), cell(described(fields)));
        match (self.is_toml, required) {
            (true, true) => format!("| {name} | {words} | required | {meaning} |\n"),
            (true, false) => format!("| {name} | {words} | {} | {meaning} |\n", default.unwrap_or_default()),
            (false, true) => format!("| {name} | {words} | {meaning} |\n"),
            (false, false) => format!("| {name} | {words}; may be missing | {meaning} |\n"),
        }
    }

    /// A type in plain words.
    fn words(&self, schema: &'a Fields) -> String {
        if let Some((name, target)) = self.target(schema) {
            let section = self.sections.iter().find(|section| section.name == name);
            let kind = if is_of_words(target) { "word".into() } else { self.words(target) };
            return section.map_or(kind.clone(), |section| format!("[{kind}](#{})", section.anchor));
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return alternatives(words.iter().map(written).collect());
        }
        if let Some(word) = schema.get("const") {
            return written(word);
        }
        match schema.get("type") {
            Some(Value::String(kind)) => self.of_kind(kind, schema),
            Some(Value::Array(kinds)) => {
                alternatives(kinds.iter().filter_map(Value::as_str).map(|kind| self.of_kind(kind, schema)).collect())
            }
            _ => alternatives(branches(schema).filter_map(Value::as_object).map(|branch| self.words(branch)).collect()),
        }
    }

    fn of_kind(&self, kind: &str, schema: &'a Fields) -> String {
        let least = schema.get("minimum").filter(|least| least.as_f64() != Some(0.0));
        let least = least.map(|least| format!(" from {least}")).unwrap_or_default();
        let most = schema.get("maximum").map(|most| format!(" up to {most}")).unwrap_or_default();
        match kind {
            "string" => "text".into(),
            "integer" => format!("whole number{least}{most}"),
            "number" => format!("number{least}{most}"),
            "boolean" => "`true` or `false`".into(),
            "null" => "`null`".into(),
            "array" => match (schema.get("items"), schema.get("prefixItems").and_then(Value::as_array)) {
                (_, Some(items)) => {
                    let items: Vec<_> =
                        items.iter().filter_map(Value::as_object).map(|item| self.words(item)).collect();
                    format!("list of {}", items.join(" and "))
                }
                (Some(Value::Object(items)), _) => format!("list: {}", self.words(items)),
                _ => "list".into(),
            },
            _ => match schema.get("additionalProperties").and_then(Value::as_object) {
                Some(inner) if properties(schema).next().is_none() && inner.contains_key("type") => {
                    format!("table: {}", self.words(inner))
                }
                _ => if self.is_toml { "table" } else { "object" }.into(),
            },
        }
    }
}

fn properties(schema: &Fields) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// The forms that a value may have.
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

/// A value as a file has it.
fn written(value: &Value) -> String {
    format!("`{value}`")
}

/// `a, b or c`
fn alternatives(words: Vec<String>) -> String {
    match &words[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// With a capital letter in front, and a full stop behind.
fn capital(words: &str) -> String {
    let place = words.find(char::is_alphabetic).unwrap_or(0);
    format!(
        "{}{}{}.",
        &words[..place],
        words[place..].chars().take(1).flat_map(char::to_uppercase).collect::<String>(),
        words.chars().skip(place + 1).collect::<String>()
    )
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
