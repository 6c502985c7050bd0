//! The tables of docs/networks.md.

use super::features::{FEATURES, Verdict};

/// A kind of networks.
pub(super) struct Row {
    networks: &'static str,
    heap: &'static str,
    device: &'static str,
    ranks: &'static str,
    checkpoints: &'static str,
}

const SINGLES: &str = "that of single servers";
const ORACLE: &str = "the oracle, which runs everything";

pub(super) const ROWS: [Row; 6] = [
    Row {
        networks: "torus of single servers with room for everyone, in exact time, means alone",
        heap: "one of its own; up to 8,192 stations as the next row",
        device: "rounds by a window or by appointments, on a GPU in tiles; several replications as the next row",
        ranks: "yes",
        checkpoints: "yes",
    },
    Row {
        networks: "stations of one server each, first come first served, in exact time, means alone",
        heap: SINGLES,
        device: "rounds: by a window if one is given or the shortest services and delays reach a tenth of the mean service time, else by \
                 appointments; with limited room, by whatever lookahead there is. From 64 replications on a thread a replication, \
                 where tokens go from station to station, no appointments can be made, and there are at most four \
                 stations for each replication, and 1,000 in all",
        ranks: "yes",
        checkpoints: "yes",
    },
    Row {
        networks: "several servers, or distributions",
        heap: ORACLE,
        device: "the same; stations of several servers make no appointments",
        ranks: "yes; no distributions",
        checkpoints: "yes",
    },
    Row {
        networks: "approximate time",
        heap: ORACLE,
        device: "rounds of one instant; no classes",
        ranks: "no",
        checkpoints: "no",
    },
    Row {
        networks: "classes with laws, routes and sources of their own, changes of class, infinite servers; rates, phases, traces, \
                   batches; round robin with one server; shifts that let services end, with room for everyone",
        heap: ORACLE,
        device: "rounds if a window is given, or for one replication whose lookahead is such a tenth; else a thread a replication",
        ranks: "yes",
        checkpoints: "on the heap",
    },
    Row {
        networks: "everything else that a network of classes has; `--series`; `fold`; `targets`; `quantiles` with 1; distributions of classes",
        heap: ORACLE,
        device: "a thread a replication",
        ranks: "what is local to stations",
        checkpoints: "on the heap",
    },
];

/// The table of simulators and networks, in Markdown; a test compares each row with the decisions.
pub fn table() -> String {
    let rows = ROWS.iter().map(|row| [row.networks, row.heap, row.device, row.ranks, row.checkpoints]);
    let rows = rows.map(|cells| cells.map(String::from));
    in_markdown(["model", "simulator of the heap", "on a device", "over ranks", "checkpoints"], rows)
}

/// What goes over ranks and in approximate time, in Markdown, where features that stand side by side and are alike have one row;
/// `FEATURES` decides it.
pub fn features() -> String {
    let cell = |verdict| match verdict {
        Verdict::Yes("") => "yes".to_owned(),
        Verdict::Yes(condition) => format!("yes, {condition}"),
        Verdict::No(why) => format!("no: {why}"),
    };
    let mut rows: Vec<[String; 3]> = vec![];
    for feature in FEATURES {
        let row = [feature.name.to_owned(), cell(feature.ranks), cell(feature.approximate)];
        match rows.last_mut().filter(|last| last[1..] == row[1..]) {
            Some([names, ..]) => *names += &format!("; {}", feature.name),
            None => rows.push(row),
        }
    }
    in_markdown(["what a network has", "over ranks", "in approximate time"], rows.into_iter())
}

fn in_markdown<const COLUMNS: usize>(head: [&str; COLUMNS], rows: impl Iterator<Item = [String; COLUMNS]>) -> String {
    let row = |cells: [String; COLUMNS]| format!("| {} |\n", cells.join(" | "));
    let head = row(head.map(String::from)) + "|" + &"---|".repeat(COLUMNS) + "\n";
    head + &rows.map(row).collect::<String>()
}
