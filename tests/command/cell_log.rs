//! `--log` of `tickless cells`, and `tickless cells log`.

use super::*;

const LIFE: [&str; 4] = ["cells", "examples/cells/life.ma", "--until", "1000"];

/// A file that is gone when this is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(path(name))
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn run(arguments: &[&[&str]]) -> Output {
    let arguments = arguments.concat();
    let output = output(&arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    output
}

#[test]
fn a_log_becomes_a_table() {
    let (log, table) = (Scratch::new("life.log"), Scratch::new("life-log.csv"));
    run(&[&LIFE, &["--backend", "heap", "--log", log.name()]]);
    let printed = text(&run(&[&["cells", "log", log.name()]]).stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "replication,time,ticks,row,column,plane,value");
    // Every cell sends its value at the start; then a glider changes four cells every tenth of a second.
    assert_eq!(lines.len(), 1 + 400 + 9 * 4);
    assert_eq!((lines[1 + 22], lines[1 + 23]), ("0,0.0,0,1,2,0,1.0", "0,0.0,0,1,3,0,0.0"));
    assert!(lines[401..405].iter().all(|line| line.starts_with("0,100.0,429496729600,")), "{:?}", &lines[401..405]);
    let [born, dead] = ["1.0", "0.0"].map(|value| lines[401..405].iter().filter(|line| line.ends_with(value)).count());
    assert_eq!((born, dead), (2, 2));
    run(&[&["cells", "log", log.name(), "--output", table.name()]]);
    assert_eq!(text(&table.bytes()), printed);
    assert!(log.bytes().len() < 400 * 5 + 400, "{} bytes", log.bytes().len());

    let water = ["cells", "watershed", "--side", "6", "--until", "100", "--backend", "heap", "--log", log.name()];
    run(&[&water]);
    let printed = text(&run(&[&["cells", "log", log.name()]]).stdout);
    assert!(
        printed.starts_with("replication,time,ticks,row,column,plane,stays_mm,north_mm,west_mm,east_mm,south_mm\n")
    );
    // All terrain stays as it is; the water is the second plane.
    assert!(printed.lines().skip(1).all(|line| line.split(',').nth(5) == Some("1")), "{printed}");
    let document = include_str!("../../docs/json.md").split("# The CSV file of tickless cells log").nth(1).unwrap();
    for column in printed.lines().next().unwrap().split(',').chain(lines[0].split(',')) {
        assert!(document.contains(&format!("`{column}`")), "docs/json.md does not name {column}");
    }
}

#[test]
fn every_backend_writes_the_same_bytes() {
    if !has_adapter("every_backend_writes_the_same_bytes") {
        return;
    }
    let logs = ["heap", "wgpu"].map(|backend| (backend, Scratch::new(&format!("fire-{backend}.log"))));
    for (backend, log) in &logs {
        let fire = ["cells", "fire", "--side", "20", "--replications", "3", "--until", "20000", "--backend", backend];
        run(&[&fire, &["--log", log.name()]]);
    }
    let [heap, wgpu] = logs.each_ref().map(|(_, log)| log.bytes());
    assert!(heap == wgpu, "{} and {} bytes", heap.len(), wgpu.len());
    // More than the head and the three ends.
    assert!(heap.len() > 300, "{} bytes", heap.len());
}

#[test]
fn what_is_no_log_is_refused() {
    let (log, cut) = (Scratch::new("whole.log"), Scratch::new("cut.log"));
    run(&[&LIFE, &["--backend", "heap", "--log", log.name()]]);
    std::fs::write(&cut.0, &log.bytes()[..900]).unwrap();
    let refused = |arguments: &[&str], named: &[&str]| {
        let output = output(arguments);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{arguments:?}: {error}");
        assert!(named.iter().all(|part| error.contains(part)), "{arguments:?}: {error}");
        text(&output.stdout)
    };
    refused(&["cells", "log", "no-such.log"], &["no-such.log: "]);
    refused(&["cells", "log", LIFE[1]], &[LIFE[1], "no log of cells"]);
    refused(&["cells", "log"], &["LOG"]);
    // What there is comes out.
    let shown = refused(&["cells", "log", cut.name()], &[cut.name(), "ends in the middle"]);
    assert!(shown.lines().count() > 200);
    let kept = Scratch::new("cut.csv");
    refused(&["cells", "log", cut.name(), "--output", kept.name()], &[cut.name(), "ends in the middle"]);
    assert_eq!(text(&kept.bytes()), shown);
    refused(&["cells", "log", log.name(), "--output", log.name()], &["--output", "the log"]);
    assert!(log.bytes().len() > 900);
    let same = [&LIFE[..], &["--backend", "heap", "--log", cut.name(), "--values", cut.name()]].concat();
    refused(&same, &["--log", "--values"]);
    refused(
        &[&LIFE[..], &["--backend", "heap", "--log", "no/such/folder/a.log"]].concat(),
        &["--log", "no/such/folder"],
    );
}

/// A disk that is full is the log's fault.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_the_logs_fault() {
    let output = output(&[&LIFE[..], &["--backend", "heap", "--log", "/dev/full"]].concat());
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("/dev/full") && error.contains("--log"), "{error}");
}
