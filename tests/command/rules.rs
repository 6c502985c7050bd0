//! `tickless cells FILE.ma`: rule files of CD++.

use super::cells::{Files, LIFE, on_the_heap, refused, said_of};
use super::*;

/// `tickless cells FILE.ma` is short for `tickless cells rules FILE.ma`.
#[test]
fn a_file_alone_is_a_file_of_rules() {
    assert_eq!(on_the_heap(&["rules", LIFE])["digest"], on_the_heap(&[LIFE])["digest"]);
}

/// Cells that change again and again at one time, from the start or later. Devices say so in the same words (`tests/cells/rules.rs`).
#[test]
fn time_that_does_not_go_on_is_an_error() {
    let files = Files::new("cells-illegitimate");
    let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\ndefaultDelayTime : 1\n\
                border : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nlocaltransition : r\n[r]\n";
    let rules =
        [("rule : {1 - (0,0)} 0 {t}\n", 0), ("rule : {(0,0) + 1} 1000 {(0,0) < 3}\nrule : {7 - (0,0)} 0 {t}\n", 3000)];
    let path = files.path("a.ma");
    for (rules, time) in rules {
        std::fs::write(&path, format!("{head}{rules}")).unwrap();
        let said =
            format!("a.ma: 65569 cycles of events at {time} ms, and time does not go on: give rules delays above 0");
        said_of(&["cells", &path, "--backend", "heap"], &[&said]);
    }
}

/// No two columns have one name.
#[test]
fn a_port_has_a_column_of_its_own() {
    let files = Files::new("cells-columns");
    let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\ndefaultDelayTime : 1\n\
                border : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nneighborports : row port_row\n";
    let rules = "localtransition : r\n[r]\nrule : { ~row := 1; } 1 { (0,0)~row = 0 }\nrule : {} 1 { t }\n";
    std::fs::write(files.path("a.ma"), [head, rules].concat()).unwrap();
    let paths = ["a.ma", "values.csv", "a.log"].map(|name| files.path(name));
    let [model, values, log] = paths.each_ref().map(String::as_str);
    on_the_heap(&[model, "--until", "9", "--values", values, "--log", log]);
    let table = files.read("values.csv");
    assert!(table.starts_with("replication,row,column,plane,port_port_row,port_row\n0,0,0,0,1.0,0.0\n"), "{table}");
    let shown = text(&output(&["cells", "log", log]).stdout);
    assert!(shown.starts_with("replication,time,ticks,row,column,plane,port_port_row,port_row\n"), "{shown}");
}

/// Layers of planes have a column where there are several, and a tuple has one for each number.
#[test]
fn four_dimensions_and_tuples_have_columns() {
    let files = Files::new("cells-layers");
    let head = "[top]\ncomponents : a q@Queue\nin : x\nlink : x in@q\nlink : out@q x@a\n[q]\npreparation : 0:0:0:3\n[a]\ntype : cell\n\
                dim : (1,1,2,3)\ndelay : transport\ndefaultDelayTime : 1\nborder : wrapped\nneighbors : a(0,0,0,0) a(0,0,1,1)\n\
                initialvalue : 0\nneighborports : layer\nin : x\nlink : x in@a(0,0,1,2)\nlocaltransition : r\n";
    let rules = "[r]\nrule : { ~layer := [cellpos(3), 4]; } 1 { (0,0,1,1)~layer = 0 }\nrule : {} 1 { t }\n";
    std::fs::write(files.path("a.ma"), [head, rules].concat()).unwrap();
    std::fs::write(files.path("a.ev"), "00:00:00:002 x 9\n").unwrap();
    let paths = ["a.ma", "a.ev", "values.csv", "a.log"].map(|name| files.path(name));
    let [model, events, values, log] = paths.each_ref().map(String::as_str);
    let result = on_the_heap(&[model, "--events", events, "--until", "9", "--values", values, "--log", log]);
    let parameters = &result["parameters"];
    assert_eq!(
        (&parameters["depth"], &parameters["layers"], &parameters["neighbours"]),
        (&2.into(), &3.into(), &1.into())
    );
    let table = files.read("values.csv");
    let columns = "port_layer,layer!1,layer!size,out,out!1,out!size";
    assert!(
        table.starts_with(&format!("replication,row,column,plane,layer,{columns}\n0,0,0,0,0,0.0,4.0,2.0,0.0,,\n")),
        "{table}"
    );
    // At 2 + 3 + 1 ms the queue's number has come into the last cell.
    assert!(table.ends_with("\n0,0,0,1,2,2.0,4.0,2.0,9.0,,\n"), "{table}");
    let shown = text(&output(&["cells", "log", log]).stdout);
    assert!(shown.starts_with(&format!("replication,time,ticks,row,column,plane,layer,{columns}\n")), "{shown}");
    assert!(shown.contains("\n0,6.0,25769803776,0,0,1,2,2.0,4.0,2.0,9.0,,\n"), "{shown}");
    let shown = text(&output(&["cells", model, "--backend", "heap"]).stdout);
    assert!(shown.contains("1 x 1 x 2 x 3 = 6 cells"), "{shown}");
}

/// A rule file that is wrong, or that turns out to be: where it is, or which cell.
#[test]
fn wrong_rules_are_refused_by_line_and_column() {
    let folder = Files::new("cells-rules");
    let life = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(LIFE)).unwrap();
    let changes: [(&str, &str, &[&str]); 9] = [
        ("life(-1,-1)", "life(-1,-40000)", &["wrong.ma:11:17", "'(-1,-40000)'", "from -32768 to 32768"]),
        ("dim : (20,20)", "dim : (0,20)", &["wrong.ma:7:7", "'(0,20)'", "from 1"]),
        ("dim : (20,20)", "dim : (65536,65536)", &["wrong.ma:7:7", "'(65536,65536)'", "2^31 cells"]),
        ("type : cell\n", "type : cells\n", &["wrong.ma:6:8", "'cells'", "'cell' is allowed"]),
        ("truecount = 4", "sinh(4) = 4", &[":22:48", "'sinh' is not supported"]),
        ("delay : transport", "link : a\ndelay : transport", &["there is the end where the port that a link leads to"]),
        ("{ (0,0) = 0 and", "{ (0,0)~a = 0 and", &["the port 'a' is unknown", "'neighborports : a'"]),
        ("{ (0,0) = 0 and", "{ (0,2) = 0 and", &["(0,2)", "not among the neighbors"]),
        ("rule : 0 100 { t }", "", &["wrong.ma: cell (0,0) at 0 ms", "no rule holds"]),
    ];
    for (from, to, named) in changes {
        let wrong = life.replacen(from, to, 1);
        assert_ne!(life, wrong, "{from}");
        std::fs::write(folder.path("wrong.ma"), &wrong).unwrap();
        let path = folder.path("wrong.ma");
        let said = said_of(&["cells", &path, "--backend", "heap"], named);
        // Below what is wrong stands the line, and the caret under the place.
        let Some(place) = said.split("wrong.ma:").nth(1).filter(|rest| rest.starts_with(char::is_numeric)) else {
            assert_eq!(said.lines().count(), 1, "{said}");
            continue;
        };
        let [line, column] = [0, 1].map(|part| place.split(':').nth(part).unwrap().parse::<usize>().unwrap());
        let lines: Vec<&str> = said.lines().collect();
        let text = wrong.lines().nth(line - 1).unwrap();
        assert_eq!(lines[1..], [format!("  {text}"), format!("  {}^", " ".repeat(column - 1))], "{said}");
    }
}

/// The place of a long line is shown, with what does something to a terminal escaped.
#[test]
fn a_long_line_is_shown_around_its_fault() {
    let folder = Files::empty("cells-long");
    let life = std::fs::read_to_string(LIFE).unwrap();
    let many = "truecount = 4 or ".repeat(60);
    let wrong = life.replace("truecount = 4", &format!("{many}\u{7}sinh(4) = 4 or {many} t"));
    std::fs::write(folder.path("long.ma"), wrong).unwrap();
    let said = said_of(&["cells", &folder.path("long.ma"), "--backend", "heap"], &["long.ma:22:", "\\u{7}"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[1].starts_with("  …") && lines[1].ends_with('…') && lines[1].len() < 130, "{said}");
    let below: String = lines[1].chars().skip(lines[2].chars().count() - 1).collect();
    assert!(below.starts_with(" sinh(4)"), "{said}");
}

/// Events of a file come into cells, the run can be repeated, and what is left out of a file of values is said.
#[test]
fn events_come_into_cells() {
    let folder = Files::empty("cells-events");
    let model = "[top]\ncomponents : a\nin : x\nlink : x x@a\n[a]\ntype : cell\ndim : (2,3)\ndelay : transport\n\
                defaultDelayTime : 5\nborder : nowrapped\nneighbors : a(0,-1) a(0,0)\ninitialvalue : 0\n\
                initialCellsValue : A.VAL\nin : x\nlink : x in@a(0,0)\nlocaltransition : r\n[r]\n\
                rule : {if((0,-1) = ?, (0,0), (0,-1))} 10 {t}\n";
    std::fs::write(folder.path("a.ma"), model).unwrap();
    std::fs::write(folder.path("a.val"), "(1,1) = 2\n(1,2) = 3").unwrap();
    std::fs::write(folder.path("a.ev"), "00:00:00:020 x 7.5\n").unwrap();
    let [model, events, result] = ["a.ma", "a.ev", "a.json"].map(|name| folder.path(name));
    let heap = ["cells", &model, "--backend", "heap", "--until", "100"];
    let values = |value: &Value| value["statistics"]["values"].clone();
    let (code, with) = json(&heap, &["--events", &events]);
    assert_eq!((code, &with["statistics"]["values"][0]), (0, &serde_json::json!({"value": 0.0, "cells": 3})), "{with}");
    assert_eq!(values(&with)[1], serde_json::json!({"value": 7.5, "cells": 3}));
    let (_, without) = json(&heap, &[]);
    assert_eq!(values(&without)[0]["cells"], 6);
    assert_eq!(without["arguments"].get("events"), None);
    let said = with["warnings"].to_string();
    assert!(said.contains("a.val:2") || said.contains("A.VAL:2"), "{said}");
    std::fs::write(&result, with.to_string()).unwrap();
    let again = output(&["rerun", &result]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    std::fs::write(&events, "00:00:00:020 y 7.5\n").unwrap();
    said_of(&[&heap[..], &["--events", &events]].concat(), &["a.ev:1:14: the port 'y' is unknown", "model are x"]);
    refused(&[&heap[..], &["--events", "no-such.ev"]].concat(), &["no-such.ev cannot be read: there is no such file"]);
}

/// What a cell meets while rules run has the file, and the cell as the file counts it; the room that fits is said.
#[test]
fn what_ends_rules_names_the_cell_by_row_and_column() {
    let folder = Files::empty("cells-run");
    let file = |rules: &str| {
        let head = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (2,3)\ndelay : transport\nborder : nowrapped\n\
                    neighbors : a(0,-1) a(0,0)\ninitialvalue : 0\nlocaltransition : r\n[r]\n";
        std::fs::write(folder.path("a.ma"), format!("{head}{rules}\n")).unwrap();
    };
    let path = folder.path("a.ma");
    let heap = ["cells", &path, "--backend", "heap"];
    let follows =
        |delay: u32| format!("rule : {{(0,-1)}} {delay} {{not isundefined((0,-1))}}\nrule : {{(0,0) + 1}} 1 {{t}}");
    file(&follows(50));
    // It begins again until there is enough room, and says with how much.
    let (_, grown) = json(&heap, &["--until", "500"]);
    assert_eq!(grown["arguments"]["max_waiting"], 64);
    let (_, from_one) = json(&heap, &["--until", "500", "--max-waiting", "1"]);
    assert_eq!((&from_one["arguments"], &from_one["digest"]), (&grown["arguments"], &grown["digest"]));
    let (_, asked) = json(&heap, &["--until", "500", "--max-waiting", "64"]);
    assert_eq!(grown["digest"], asked["digest"]);
    file(&follows(400));
    refused(&heap, &["a.ma: cell (0,1) at 321 ms", "more than 320 values wait", "use shorter delays"]);
    file("rule : 1 {-1} {cellpos(0) = 1 and cellpos(1) = 2}\nrule : {(0,0)} 1 {t}");
    refused(&heap, &["a.ma: cell (1,2) at 0 ms: a delay is negative or ?"]);
    file("rule : {(0,0) * 200 + 200} 1 {cellpos(0) = 1}\nrule : {(0,0)} 1 {t}");
    refused(&heap, &["a.ma: cell (1,0) at 4 ms: a number leaves the range of -2^31 to 2^31"]);
    if has_adapter("what_ends_rules_names_the_cell_by_row_and_column") {
        let device = output(&["cells", &path, "--backend", "wgpu"]);
        let said = text(&device.stderr);
        assert!(said.contains("a.ma: cell (1,0) at 4 ms: a number leaves the range"), "{said}");
    }
}

/// Of several spaces one is run, with what others send into it; a result says which.
#[test]
fn one_of_several_spaces_is_run() {
    let folder = Files::empty("cells-spaces");
    let space = |name: &str, more: &str| {
        format!(
            "[{name}]\ntype : cell\ndim : (1,2)\ndelay : transport\nborder : nowrapped\nneighbors : {name}(0,0)\n\
             initialvalue : 0\nlocaltransition : {name}-rules\n{more}\n"
        )
    };
    let text = format!(
        "[top]\ncomponents : a b\nlink : o@a i@b\n{}{}[a-rules]\nrule : {{(0,0) + 1}} 20 {{(0,0) < 3}}\nrule : 3 1 {{t}}\n\
         [b-rules]\nrule : {{(0,0)}} 1 {{t}}\n",
        space("a", "out : o\nlink : out@a(0,1) o"),
        space("b", "in : i\nlink : i x@b(0,0)")
    );
    std::fs::write(folder.path("two.ma"), text).unwrap();
    let [model, result] = ["two.ma", "two.json"].map(|name| folder.path(name));
    let heap = ["cells", &model, "--backend", "heap", "--until", "50"];
    let (code, last) = json(&heap, &[]);
    let values = |value: &Value, n: usize| value["statistics"]["values"][n].clone();
    assert_eq!((code, &last["arguments"]["space"]), (0, &"b".into()));
    assert_eq!(values(&last, 1), serde_json::json!({"value": 2.0, "cells": 1}), "{last}");
    assert!(last["warnings"].to_string().contains("the model has the spaces a, b, and this is a run of b"), "{last}");
    let (_, first) = json(&heap, &["--space", "A"]);
    assert_eq!(values(&first, 0), serde_json::json!({"value": 2.0, "cells": 2}), "{first}");
    assert!(!first["warnings"].to_string().contains("spaces"), "{first}");
    std::fs::write(&result, last.to_string()).unwrap();
    assert_eq!(output(&["rerun", &result]).status.code(), Some(0));
    refused(&[&heap[..], &["--space", "c"]].concat(), &["the model has no space 'c': --space takes one of a, b"]);
}

/// A file that is named and not beside is looked for in the working directory, as in CD++.
#[test]
fn named_files_may_lie_in_the_working_directory() {
    let folder = Files::empty("cells-working");
    std::fs::create_dir(folder.path("inner")).unwrap();
    std::fs::copy("examples/cells/heat.ma", folder.path("inner/heat.ma")).unwrap();
    std::fs::copy("examples/cells/heat.inc", folder.path("HEAT.inc")).unwrap();
    let run = |within: &str, file: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tickless"));
        command.current_dir(folder.path(within)).args(["cells", file, "--backend", "heap", "--until", "9"]);
        command.output().unwrap()
    };
    let [above, beside] = [run(".", "inner/heat.ma"), run("inner", "heat.ma")];
    assert_eq!(above.status.code(), Some(0), "{}", text(&above.stderr));
    assert_eq!(beside.status.code(), Some(2));
    assert!(text(&beside.stderr).contains("and then in the working directory"), "{}", text(&beside.stderr));
}
