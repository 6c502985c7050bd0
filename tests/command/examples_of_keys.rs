//! The example of each key of a network file on the page of docs/reference: its schema takes it, and so does its reader.

use super::schemas::{faults_of_file, schema};
use super::*;
use tickless::experiments::Experiment;
use tickless::experiments::optimization::Optimization;
use tickless::queueing::{Network, with_numbers};

/// A key on the page.
struct Key {
    /// The heading of its table in a file; none at the top.
    table: String,
    name: String,
    leads_to_table: bool,
    default: String,
    /// The lines of a file that are examples.
    examples: Vec<String>,
}

/// The keys on the page.
fn keys_on_page() -> Vec<Key> {
    let page = text(&output(&["schema", "network-file", "--format", "markdown"]).stdout);
    let (mut table, mut keys) = (String::new(), vec![]);
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            table = title.trim_matches('`').replace("NAME", "station.desk.service");
        }
        let cells = line.strip_prefix("| `").and_then(|row| row.strip_suffix(" |"));
        let cells: Vec<&str> = cells.into_iter().flat_map(|row| row.split(" | ")).collect();
        let [name, kind, default, meaning] = cells[..] else { continue };
        keys.push(Key {
            table: table.clone(),
            name: name.trim_end_matches('`').to_owned(),
            // A number of servers stands where groups of them may.
            leads_to_table: (kind.contains("[table](") || kind.contains("[tables](")) && !kind.contains(" or "),
            default: default.trim_matches('`').to_owned(),
            examples: meaning.split("<br>").skip(1).map(|line| line.trim_matches('`').to_owned()).collect(),
        });
    }
    assert!(keys.len() > 140, "only {} keys found: the search is broken", keys.len());
    keys
}

#[test]
fn every_key_has_an_example() {
    for Key { table, name, leads_to_table, default, examples } in keys_on_page() {
        assert_eq!(examples.is_empty(), leads_to_table, "{table} {name}");
        for example in examples {
            let value = example.strip_prefix(&format!("{name} = "));
            assert!(value.is_some_and(|value| value != default), "{table} {name}: {example}");
        }
    }
}

/// Lines of a table, by its heading. A key without a value is taken away.
type Lines = (&'static str, &'static str);

/// A file of stations and routes.
const OPEN: &str = "unit = 'min'
until = 600
[[station]]
name = 'pause'
service = 'constant:5'
[[station]]
name = 'desk'
service = 'exponential:4'
[[source]]
name = 'phone'
interval = 'exponential:50'
to = 'pause'
[[source]]
name = 'street'
interval = 'exponential:10'
to = 'desk'
[[sink]]
name = 'home'
[[route]]
from = 'pause'
to = 'home'
[[route]]
from = 'desk'
to = 'home'
";
/// A file of which they are made.
const GENERATED: &str =
    "unit = 'min'\n[generate]\nkind = 'torus'\nwidth = 8\nheight = 8\nservice = 'exponential:4'\ntokens = 1\n";

const URGENT: Lines = ("[[class]]", "name = 'urgent'");
const ROOM: Lines = ("[[resource]]", "name = 'room'\nunits = 2");
const SEIZES: Lines = ("[[station]]", "seizes = { room = 1 }");
const DUE: Lines = ("[[attribute]]", "name = 'due'\nlaw = 'constant:9'");
const SIZE: Lines = ("[[attribute]]", "name = 'size'\nlaw = 'constant:9'");
const STEEL: Lines = ("[[resource]]", "name = 'steel'\nunits = 60");
const GROUP: Lines = ("[[station.servers]]", "name = 'all'");
const OF_URGENT: Lines = ("[[station.class]]", "name = 'urgent'");
const COSTS: Lines = ("[station.cost]", "waiting = 1");
const VARIED: Lines =
    ("[experiment.factors.station.desk.service]", "from = 1.0\nto = 4.0\nlevels = 3\nlaw = 'exponential:{}'");
const OTHERWISE: Lines = ("[[source]]", "interval");
const NO_TORUS: Lines = ("[generate]", "width\nheight\nstations = 8");

const SKILLS: [Lines; 2] = [("[[class]]", "name = 'sales'"), ("[[class]] ", "name = 'support'")];

/// What every example of a table needs in its file.
const OF_TABLES: [(&str, &[Lines]); 16] = [
    ("[experiment", &[VARIED, COSTS]),
    ("[experiment.select]", &[("[experiment.select]", "smallest = 'cost'\nindifference = 1")]),
    ("[experiment.front]", &[("[experiment.front]", "smallest = ['cost']\nlargest = ['network.throughput']")]),
    (
        "[optimize]",
        &[("[optimize]", "smallest = 'cost'"), ("[optimize.factors]", "station.desk.servers = [1, 2]"), COSTS],
    ),
    (
        "[[optimize.limits]]",
        &[
            ("[optimize]", "smallest = 'cost'"),
            ("[optimize.factors]", "station.desk.servers = [1, 2]"),
            ("[[optimize.limits]]", "measure = 'network.throughput'\nat_most = 2"),
            COSTS,
        ],
    ),
    ("[[class]]", &[URGENT]),
    ("[[resource]]", &[ROOM, SEIZES]),
    ("[resource.cost]", &[ROOM, SEIZES]),
    ("[resource.failures]", &[ROOM, SEIZES, ("[resource.failures]", "up = 'constant:50'\ndown = 'constant:5'")]),
    ("[[attribute", &[DUE]),
    ("[station.standby]", &[("[[station]]", "servers = 2"), ("[station.standby]", "servers = 1\ncomes_at = 6")]),
    ("[station.failures]", &[("[station.failures]", "up = 'constant:50'\ndown = 'constant:5'")]),
    ("[[station.class]]", &[URGENT, OF_URGENT]),
    ("[[station.servers", &[GROUP]),
    ("[station.servers.failures]", &[GROUP, ("[station.servers.failures]", "up = 'constant:50'\ndown = 'constant:5'")]),
    ("[[sink.class]]", &[URGENT, ("[[sink.class]]", "name = 'urgent'\ncost = 1")]),
];

/// What single examples need, by table and key. A blank behind a heading makes it another table than that of the same heading.
const OF_KEYS: [(&str, &str, &[Lines]); 67] = [
    ("", "fold_step", &[("", "fold = '1 day'")]),
    ("[experiment]", "design", &[("[experiment]", "points = 8")]),
    ("[experiment]", "points", &[("[experiment]", "design = 'sobol'")]),
    ("[experiment.factors.station.desk.service]", "step", &[(VARIED.0, "levels")]),
    ("[experiment.select]", "largest", &[("[experiment.select]", "smallest")]),
    ("[experiment.select]", "budget", &[("[experiment.select]", "indifference")]),
    ("[optimize]", "largest", &[("[optimize]", "smallest")]),
    ("[[optimize.limits]]", "at_least", &[("[[optimize.limits]]", "at_most")]),
    ("[generate]", "stations", &[NO_TORUS, ("[generate]", "kind = 'ring'")]),
    ("[generate]", "degree", &[NO_TORUS, ("[generate]", "kind = 'random-regular'")]),
    ("[generate]", "edges", &[NO_TORUS, ("[generate]", "kind = 'scale-free'")]),
    ("[generate]", "seed", &[NO_TORUS, ("[generate]", "kind = 'scale-free'\nedges = 2")]),
    ("[generate]", "interval", &[NO_TORUS, ("[generate]", "kind = 'tandem'\ntokens")]),
    ("[[station]]", "preemptive", &[("[[class]]", "name = 'urgent'"), ("[[class]] ", "name = 'other'\npriority = 1")]),
    ("[[station]]", "reneges_to", &[("[[station]]", "patience = 'constant:5'")]),
    ("[[station]]", "balks_to", &[("[[station]]", "balking = [0, 0.5]")]),
    ("[[station]]", "full_to", &[("[[station]]", "capacity = 3")]),
    ("[[station]]", "routing", &[("[[route]]", "to = 'pause'")]),
    ("[[station]]", "full", &[("[[station]]", "capacity = 3")]),
    ("[[station]]", "period", &[("[[station]]", "shifts = [[0, 1], [480, 2]]")]),
    ("[[station]]", "time_factors_period", &[("[[station]]", "time_factors = [[0, 1], [540, 0.8]]")]),
    ("[[station]]", "shift_end", &[("[[station]]", "shifts = [[0, 1], [480, 2]]")]),
    (
        "[[station]]",
        "joins",
        &[
            ("[[source]]", "to = 'split'"),
            ("[[route]] ", "from = 'split'\nto = 'desk'"),
            ("[[station]] ", "name = 'split'\nservice = 'constant:1'\nrouting = 'fork'"),
        ],
    ),
    ("[[attribute.class]]", "name", &[URGENT, ("[[attribute.class]]", "law = 'constant:1'")]),
    ("[[attribute.class]]", "law", &[URGENT, ("[[attribute.class]]", "name = 'urgent'")]),
    ("[[station]]", "order_by", &[DUE, ("[[station]]", "discipline = 'edd'")]),
    ("[[station]]", "patience_from", &[DUE, ("[[station]]", "patience = 'attribute:due'")]),
    ("[[station]]", "patience_until", &[("[[station]]", "patience = 'constant:5'")]),
    ("[[station.servers]]", "switching", &[("[[station.servers]]", "takes = 'gated'")]),
    ("[[station.servers]]", "walking", &[("[[station.servers]]", "takes = 'gated'")]),
    ("[[station.servers]]", "rests", &[("[[station.servers]]", "takes = 'gated'\nwalking = 'constant:1'")]),
    ("[[station.servers]]", "batch_least", &[("[[station.servers]]", "batch_most = 5")]),
    ("[[station.servers]]", "batch_wait", &[("[[station.servers]]", "batch_most = 5\nbatch_least = 2")]),
    ("[[station.servers]]", "batch_factors", &[("[[station.servers]]", "batch_most = 5")]),
    ("[[station]]", "seizes", &[ROOM]),
    ("[[station]]", "uses", &[STEEL]),
    ("[[station]]", "delivers", &[STEEL, ("[[station]]", "uses = { steel = 1 }")]),
    ("[[resource]]", "stock", &[("[[station]]", "seizes\nuses = { room = 1 }")]),
    (
        "[[station]]",
        "kit",
        &[
            ("[[class]]", "name = 'frame'"),
            ("[[class]] ", "name = 'wheel'"),
            ("[[source]] ", "name = 'wheels'\nclass = 'wheel'\ninterval = 'exponential:5'\nto = 'desk'"),
        ],
    ),
    ("[[station]]", "route_by", &[SIZE, ("[[station]]", "routing = 'by-attribute'")]),
    (
        "[[route]]",
        "up_to",
        &[
            SIZE,
            ("[[station]]", "routing = 'by-attribute'\nroute_by = 'size'"),
            ("[[route]] ", "from = 'desk'\nto = 'home'"),
        ],
    ),
    ("[[station]]", "setup_called_off", &[("[[station]]", "setup = 'constant:15'")]),
    ("[[station]]", "off_after", &[("[[station]]", "setup = 'constant:15'")]),
    ("[[resource]]", "preemptive", &[("[[class]]", "name = 'urgent'"), ("[[class]] ", "name = 'other'\npriority = 1")]),
    ("[[resource]]", "shifts", &[("[[resource]]", "units")]),
    ("[[resource]]", "period", &[("[[resource]]", "units\nshifts = [[0, 2], [8, 1]]")]),
    ("[station.failures]", "use", &[("[station.failures]", "up")]),
    ("[[station]]", "seizes_at", &[ROOM, SEIZES]),
    ("[[station]]", "releases", &[ROOM, SEIZES]),
    ("[[station.class]]", "weight", &[("[[station]]", "discipline = 'ps'")]),
    ("[[station.servers]]", "serves", &SKILLS),
    ("[[station.servers]]", "period", &[("[[station.servers]]", "shifts = [[0, 1], [480, 2]]")]),
    ("[[station.servers.class]]", "name", &[SKILLS[0], ("[[station.servers.class]]", "service = 'constant:1'")]),
    (
        "[[station.servers.class]]",
        "walking",
        &[
            SKILLS[0],
            ("[[station.servers]]", "takes = 'gated'\nwalking = 'constant:1'"),
            ("[[station.servers.class]]", "name = 'sales'"),
        ],
    ),
    ("[[station.servers.class]]", "service", &[SKILLS[0], ("[[station.servers.class]]", "name = 'sales'")]),
    ("[[source]]", "rates", &[OTHERWISE]),
    ("[[source]]", "period", &[OTHERWISE, ("[[source]]", "rates = [[0, 0.1], [480, 0.2]]")]),
    ("[[source]]", "trace", &[OTHERWISE]),
    ("[[source]]", "class", &[URGENT]),
    ("[[source]]", "routing", &[("[[source]]", "to = ['desk', 'pause']")]),
    ("[source.phases]", "d0", &[OTHERWISE, ("[source.phases]", "d1 = [[0.5, 0.5], [1, 0]]")]),
    ("[source.phases]", "d1", &[OTHERWISE, ("[source.phases]", "d0 = [[-2, 1], [0, -1]]")]),
    ("[source.phases]", "generator", &[OTHERWISE, ("[source.phases]", "arrivals = [2, 1]")]),
    ("[source.phases]", "arrivals", &[OTHERWISE, ("[source.phases]", "generator = [[-1, 1], [1, -1]]")]),
    ("[[route]]", "probability", &[("[[route]] ", "from = 'desk'\nto = 'pause'\nprobability = 0.2")]),
    ("[[route]]", "class", &[URGENT]),
    ("[[route]]", "becomes", &[URGENT]),
];

/// Writes lines into the last table of a heading, in place of those of the same keys; where there is none, it is added.
fn put(file: &mut Vec<String>, (heading, lines): (&str, &str)) {
    let place =
        if heading.is_empty() { Some(0) } else { file.iter().rposition(|line| line == heading).map(|at| at + 1) };
    let place = place.unwrap_or_else(|| {
        file.push(heading.to_owned());
        file.len()
    });
    for line in lines.lines() {
        let key = line.split(" = ").next().unwrap_or(line);
        let end = file[place..].iter().position(|line| line.starts_with('[')).map_or(file.len(), |end| place + end);
        let same = |own: &String| own.split(" = ").next() == Some(key);
        if let Some(at) = file[place..end].iter().position(same) {
            file.remove(place + at);
        }
        if line != key {
            file.insert(place, line.to_owned());
        }
    }
}

/// A file that has an example, and what that needs.
fn file_with(key: &Key, example: &str) -> String {
    let plain = if key.table == "[generate]" { GENERATED } else { OPEN };
    let mut file: Vec<String> = plain.lines().map(str::to_owned).collect();
    let of_table = OF_TABLES.iter().filter(|(table, _)| key.table.starts_with(table)).flat_map(|(_, needs)| *needs);
    let of_key = OF_KEYS.iter().filter(|(table, name, _)| key.table == *table && key.name == *name);
    for lines in of_table.chain(of_key.flat_map(|(.., needs)| *needs)) {
        put(&mut file, *lines);
    }
    put(&mut file, (&key.table, example));
    file.join("\n") + "\n"
}

/// What the readers say of a file.
fn refusal(table: &str, text: &str, folder: &Path) -> Option<String> {
    let network =
        with_numbers(text, folder).and_then(|text| Network::from_toml(&text)).map_err(|error| error.to_string());
    let network = network.and_then(|network| network.check().map_err(|error| error.to_string()));
    let further = match table.trim_start_matches('[').split(['.', ']']).next() {
        Some("experiment") => Experiment::from_toml(text).map(drop),
        Some("optimize") => Optimization::from_toml(text).map(drop),
        _ => Ok(()),
    };
    network.map(drop).and(further.map_err(|error| error.to_string())).err()
}

#[test]
fn every_example_is_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples of keys");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("arrivals.csv"), "time\n5\n20\n").unwrap();
    let schema = schema("network-file");
    let (keys, mut faults) = (keys_on_page(), vec![]);
    for (table, name, _) in OF_KEYS {
        assert!(keys.iter().any(|key| key.table == table && key.name == name), "{table} has no key {name}");
    }
    for key in keys {
        for example in &key.examples {
            let text = file_with(&key, example);
            assert!(text.lines().any(|line| line == example), "{example} is not in its file:\n{text}");
            faults.extend(faults_of_file(&schema, &text).into_iter().map(|fault| format!("{example}: {fault}")));
            faults.extend(refusal(&key.table, &text, &folder).map(|said| format!("{example}: {said}\n{text}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    std::fs::remove_dir_all(folder).unwrap();
}
