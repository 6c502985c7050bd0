//! `tickless schema`, and results and network files that are held against it.

use super::*;

/// The schema of a name.
pub fn schema(name: &str) -> Value {
    let (code, schema) = json(&["schema", name], &[]);
    assert_eq!(code, 0, "{name}");
    schema
}

/// A result as its schema has it: no field that the schema does not have, none missing, and every type is right.
pub fn assert_described(name: &str, value: &Value) {
    let schema = schema(name);
    assert_eq!(Checker { root: &schema, is_closed: true }.faults(&schema, value, name), Vec::<String>::new());
}

/// The keywords of JSON Schema that schemas of ours have; any other one is a panic.
struct Checker<'a> {
    root: &'a Value,
    /// Whether a field is refused that no keyword names, which JSON Schema allows.
    is_closed: bool,
}

impl<'a> Checker<'a> {
    /// What is wrong with a value at a path.
    fn faults(&self, schema: &'a Value, value: &Value, at: &str) -> Vec<String> {
        let mut faults = self.of_keywords(schema, value, at);
        if let (true, Some(fields), Some(known)) = (self.is_closed, value.as_object(), self.known(schema, value)) {
            let unknown = fields.keys().filter(|name| !known.contains(&name.as_str()));
            faults.extend(unknown.map(|name| format!("{at}: {name} is in no schema")));
        }
        faults
    }

    /// What a schema refers to.
    fn target(&self, schema: &'a Value) -> Option<&'a Value> {
        self.root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
    }

    /// The schemas that hold for a value beside this one: what it refers to, and the forms that the value has.
    fn beside(&self, schema: &'a Value, value: &Value) -> Vec<&'a Value> {
        let forms = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
        let forms = forms.filter(|form| self.of_keywords(form, value, "").is_empty());
        self.target(schema).into_iter().chain(forms).collect()
    }

    /// The fields that a schema names; `None` where it takes any.
    fn known(&self, schema: &'a Value, value: &Value) -> Option<Vec<&'a str>> {
        if schema.get("additionalProperties").is_some_and(|rest| *rest != Value::Bool(false)) {
            return None;
        }
        let mut known: Vec<&str> = schema.get("properties").map(keys).unwrap_or_default();
        for other in self.beside(schema, value) {
            known.extend(self.known(other, value)?);
        }
        Some(known)
    }

    fn of_keywords(&self, schema: &'a Value, value: &Value, at: &str) -> Vec<String> {
        let rules = schema.as_object().unwrap_or_else(|| panic!("{at}: {schema}"));
        rules.iter().flat_map(|(keyword, rule)| self.of_keyword(schema, (keyword, rule), value, at)).collect()
    }

    fn of_keyword(
        &self,
        schema: &'a Value,
        (keyword, rule): (&str, &'a Value),
        value: &Value,
        at: &str,
    ) -> Vec<String> {
        let fault =
            |holds: bool, said: &dyn Fn() -> String| if holds { vec![] } else { vec![format!("{at}: {}", said())] };
        let all = || rule.as_array().unwrap_or_else(|| panic!("{at}: {keyword} is {rule}"));
        let bound = || rule.as_f64().unwrap_or_else(|| panic!("{at}: {keyword} is {rule}"));
        let (number, length) = (value.as_f64(), value.as_array().map(|list| list.len() as f64));
        let fields = value.as_object().into_iter().flatten();
        match keyword {
            "$schema" | "$defs" | "title" | "description" | "default" | "examples" | "format" | "readOnly" => vec![],
            "$ref" => self.of_keywords(self.target(schema).expect(at), value, at),
            "type" => {
                let kinds = rule.as_array().map_or(vec![rule], |kinds| kinds.iter().collect());
                fault(kinds.iter().any(|kind| is_of(kind.as_str().expect(at), value)), &|| {
                    format!("{value} is no {rule}")
                })
            }
            "const" => fault(rule == value, &|| format!("{value} is not {rule}")),
            "enum" => fault(all().contains(value), &|| format!("{value} is none of {rule}")),
            "pattern" => {
                fault(value.as_str().is_none_or(|text| fits(rule, text)), &|| format!("{value} fits not {rule}"))
            }
            "minimum" => fault(number.is_none_or(|number| number >= bound()), &|| format!("{value} is below {rule}")),
            "maximum" => fault(number.is_none_or(|number| number <= bound()), &|| format!("{value} is above {rule}")),
            "minItems" => fault(length.is_none_or(|length| length >= bound()), &|| format!("fewer than {rule} items")),
            "maxItems" => fault(length.is_none_or(|length| length <= bound()), &|| format!("more than {rule} items")),
            "required" => {
                let missing =
                    all().iter().filter(|name| value.is_object() && value.get(name.as_str().expect(at)).is_none());
                missing.map(|name| format!("{at}: {name} is missing")).collect()
            }
            "properties" => fields
                .filter_map(|(name, inner)| Some(self.faults(rule.get(name)?, inner, &format!("{at}.{name}"))))
                .flatten()
                .collect(),
            "additionalProperties" => {
                let rest = fields.filter(|(name, _)| schema["properties"].get(name).is_none());
                rest.flat_map(|(name, inner)| match rule {
                    Value::Bool(allowed) => fault(*allowed, &|| format!("{name} is not allowed")),
                    rule => self.faults(rule, inner, &format!("{at}.{name}")),
                })
                .collect()
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.flat_map(|(place, item)| self.faults(rule, item, &format!("{at}[{place}]"))).collect()
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten().zip(all());
                items.flat_map(|(item, rule)| self.faults(rule, item, at)).collect()
            }
            "anyOf" | "oneOf" => {
                let forms: Vec<_> = all().iter().map(|form| self.of_keywords(form, value, at)).collect();
                let holding = forms.iter().filter(|faults| faults.is_empty()).count();
                fault(holding == 1 || holding > 1 && keyword == "anyOf", &|| {
                    format!("{holding} forms hold for {value}: {forms:?}")
                })
            }
            other => panic!("{at}: the keyword {other}"),
        }
    }
}

/// Whether a value has a type.
fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("the type {other}"),
    }
}

/// Whether a text is a number with a unit, or one of the words of an expression, of which some have a whole number behind them.
fn fits(expression: &Value, text: &str) -> bool {
    let units = expression
        .as_str()
        .and_then(|text| text.strip_prefix("^ *([0-9.]+([eE][-+]?[0-9]+)? *(")?.strip_suffix(") *)+$"));
    if let Some(units) = units {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim();
        let is_it = |known: &str| {
            known == unit || known.strip_suffix("s?").is_some_and(|one| unit.strip_suffix('s').unwrap_or(unit) == one)
        };
        return text.starts_with(|c: char| c.is_ascii_digit()) && units.split('|').any(is_it);
    }
    let words =
        expression.as_str().and_then(|text| text.strip_prefix("^(")?.strip_suffix(")$")).expect("an expression");
    words.split('|').any(|word| match word.strip_suffix("[1-9][0-9]*") {
        None => word == text,
        Some(word) => {
            text.strip_prefix(word).is_some_and(|number| number.parse::<u64>().is_ok_and(|number| number > 0))
        }
    })
}

/// The faults of a network file.
pub fn faults_of_file(schema: &Value, text: &str) -> Vec<String> {
    let file: Value = toml::from_str(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    Checker { root: schema, is_closed: false }.faults(schema, &file, "file")
}

#[test]
fn the_list_has_a_line_for_each_schema() {
    let list = text(&output(&["schema"]).stdout);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 15 && names.contains(&"network-file") && names.contains(&"rules"), "{list}");
    for name in names {
        let schema = schema(name);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert!(schema["properties"].as_object().is_some_and(|fields| !fields.is_empty()), "{name}");
    }
}

/// Every field of every schema says what it is.
#[test]
fn every_field_has_a_description() {
    fn undescribed(at: &str, value: &Value, found: &mut Vec<String>) {
        for (name, field) in value["properties"].as_object().into_iter().flatten() {
            if field.get("description").is_none() && field.get("const").is_none() {
                found.push(format!("{at}.{name}"));
            }
        }
        if value["additionalProperties"].get("anyOf").is_some()
            && value["additionalProperties"].get("description").is_none()
        {
            found.push(format!("{at}, whatever it is named"));
        }
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, inner)| undescribed(&format!("{at}.{name}"), inner, found))
            }
            Value::Array(items) => items.iter().for_each(|inner| undescribed(at, inner, found)),
            _ => {}
        }
    }
    let mut found = vec![];
    for line in text(&output(&["schema"]).stdout).lines() {
        let name = line.split_whitespace().next().unwrap();
        undescribed(name, &schema(name), &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_name_that_is_none_is_refused() {
    let ended = output(&["schema", "netwrok"]);
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0));
    let said = text(&ended.stderr);
    assert!(said.contains("no format is named 'netwrok'") && said.contains("'network' is probably meant"), "{said}");
    assert_eq!(output(&["schema", "--format", "markdown"]).status.code(), Some(2));
}

/// One changed value of a result that is right is seen.
#[test]
fn a_wrong_result_is_not_described() {
    let (_, result) = json(&["network", network::CLINIC, "--distributions", "--backend", "heap"], &[]);
    let schema = schema("network");
    let faults = |value: &Value| Checker { root: &schema, is_closed: true }.faults(&schema, value, "result");
    assert_eq!(faults(&result), Vec::<String>::new());
    let changes: [(&str, Value, &str); 6] = [
        ("/clock", "late".into(), "result.clock: \"late\" is no \"number\""),
        ("/events", (-1).into(), "-1 is below 0"),
        ("/stations/0/queued", 1.5.into(), "result.stations[0].queued: 1.5 is no"),
        ("/statistics/throughput", Value::Null, "null is no \"number\""),
        ("/distributions/sinks/0/time_in_network/p90", Value::Null, "forms hold for"),
        ("/warnings", serde_json::json!([{ "kind": "odd", "message": "" }]), "0 forms hold for"),
    ];
    for (place, value, expected) in changes {
        let mut changed = result.clone();
        *changed.pointer_mut(place).unwrap() = value;
        let found = faults(&changed);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{place}: {found:?}");
    }
    for (within, name) in [("", "digest"), ("/stations/1", "capacity"), ("/parameters", "until")] {
        let mut changed = result.clone();
        let fields = changed.pointer_mut(within).unwrap().as_object_mut().unwrap();
        let value = fields.remove(name).unwrap();
        let found = faults(&changed);
        assert!(found.iter().any(|fault| fault.contains(&format!("\"{name}\" is missing"))), "{name}: {found:?}");
        let fields = changed.pointer_mut(within).unwrap().as_object_mut().unwrap();
        fields.extend([(name.to_owned(), value.clone()), (format!("{name}s"), value)]);
        let found = faults(&changed);
        assert!(found.iter().any(|fault| fault.contains(&format!("{name}s is in no schema"))), "{name}: {found:?}");
    }
}

/// The TOML files below folders of this repository.
fn network_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["examples/networks", "examples/from", "examples/recipes", "benches/peers"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    files.map(|file| file.unwrap().path()).filter(|file| file.extension().is_some_and(|end| end == "toml")).collect()
}

#[test]
fn every_network_file_is_described() {
    let schema = schema("network-file");
    let files = network_files();
    assert!(files.len() > 15, "only {} files found", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(faults_of_file(&schema, &text), Vec::<String>::new(), "{}", file.display());
    }
}

const FILE: &str = "until = 500
distributions = ['desk']
[[class]]
name = 'all'
[[resource]]
name = 'room'
units = 2
[[station]]
name = 'desk'
service = 'exponential:1'
servers = 2
routing = 'shortest-of:2'
discipline = 'siro'
full = 'blocks'
shifts = [[0, 1]]
seizes = { room = 1 }
cost = { waiting = 2 }
failures = { up = 'constant:5', down = 'constant:1' }
[[station.class]]
name = 'all'
tokens = 1
[[source]]
name = 'in'
phases = { generator = [[-1, 1], [1, -1]], arrivals = [2, 0.5] }
to = 'desk'
[[sink]]
name = 'out'
[[route]]
from = 'desk'
to = 'out'
probability = 1
[experiment]
replications = 5
design = 'full'
factors = { station.desk.servers = [2, 3], until = { from = 50, to = 150, levels = 3 } }
[optimize]
largest = 'network.throughput'
factors = { station.desk.servers = { from = 1, to = 3 } }
limits = [{ measure = 'cost', at_most = 5 }]
";

/// What its reader refuses of a file, its schema refuses, too: keys that there are not, other types, keys that are missing, words.
#[test]
fn wrong_network_files_are_refused() {
    let schema = schema("network-file");
    assert_eq!(faults_of_file(&schema, FILE), Vec::<String>::new());
    for (from, to) in [
        ("until = 500", "untill = 500"),
        ("until = 500", "until = 'late'"),
        ("['desk']", "[3]"),
        ("servers = 2", "servers = 'many'"),
        ("servers = 2", "servers = 0"),
        ("servers = 2", "servers = 1.5"),
        ("'shortest-of:2'", "'shortest-of:0'"),
        ("'siro'", "'lifo'"),
        ("'blocks'", "'stays'"),
        ("[[0, 1]]", "[[0, 1, 2]]"),
        ("[[0, 1]]", "[[0]]"),
        ("{ room = 1 }", "{ room = 'one' }"),
        ("waiting = 2", "wating = 2"),
        ("down = 'constant:1'", "use = 'constant:1'"),
        ("service = 'exponential:1'\n", ""),
        ("name = 'all'\ntokens = 1", "tokens = 1"),
        ("name = 'all'\ntokens = 1", "name = 'all'\ntokens = -1"),
        ("units = 2", "units = 0"),
        ("arrivals = ", "arrival = "),
        ("to = 'desk'\n", ""),
        ("probability = 1", "probability = 1.5"),
        ("until = 500", "until = '5 hectares'"),
        ("[[sink]]", "[[sinks]]"),
        ("from = 'desk'\n", ""),
        ("design = 'full'", "design = 'half'"),
        ("replications = 5", "replication = 5"),
        ("[2, 3]", "2"),
        ("[2, 3]", "[]"),
        ("levels = 3", "count = 3"),
        ("from = 50, ", ""),
        ("measure = 'cost'", "name = 'cost'"),
    ] {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        assert!(!faults_of_file(&schema, &text).is_empty(), "{to} in place of {from} is not seen");
        let is_refused = tickless::queueing::Network::from_toml(&text)
            .map_err(drop)
            .and_then(|network| network.check().map_err(drop))
            .is_err()
            || tickless::experiments::Experiment::from_toml(&text).is_err()
            || tickless::experiments::optimization::Optimization::from_toml(&text).is_err();
        assert!(is_refused, "{to} in place of {from} is read");
    }
}

/// What the schema says of a key that is missing.
#[test]
fn defaults_are_those_of_the_reader() {
    let schema = schema("network-file");
    let network = |text: &str| tickless::queueing::Network::from_toml(text).unwrap();
    let plain = "[[class]]\nname = 'a'\n[[station]]\nname = 'desk'\nservice = 'constant:1'\n[[station.class]]\nname = 'a'\ntokens = 1\n\
                 [[source]]\nname = 'in'\ninterval = 'constant:2'\nto = 'desk'\n[[sink]]\nname = 'out'\n\
                 [[route]]\nfrom = 'desk'\nto = 'out'\n";
    let mut seen = 0;
    for (table, properties) in [
        ("", &schema["properties"]),
        ("[[class]]\n", &schema["$defs"]["Class"]["properties"]),
        ("[[station]]\n", &schema["$defs"]["Station"]["properties"]),
        ("[[source]]\n", &schema["$defs"]["Source"]["properties"]),
        ("[[route]]\n", &schema["$defs"]["Route"]["properties"]),
    ] {
        for (key, property) in properties.as_object().unwrap() {
            let Some(default) = property.get("default").filter(|default| !default.is_array()) else { continue };
            // These go with shifts alone, with units, and with several stations.
            let of_source = table == "[[source]]\n" && key == "routing";
            if of_source || ["shift_end", "seizes_at"].contains(&key.as_str()) {
                continue;
            }
            let line = format!("{table}{key} = {default}\n");
            let text = if table.is_empty() { line + plain } else { plain.replacen(table, &line, 1) };
            assert_eq!(network(&text), network(plain), "{key} = {default} in {table}");
            seen += 1;
        }
    }
    assert!(seen > 12, "only {seen} defaults");
}
