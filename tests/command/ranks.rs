//! One run over several ranks.

use super::*;

const PHOLD: [&str; 5] = ["phold", "--processes", "60", "--until", "20"];
const TORUS: [&str; 9] = ["torus", "--side", "12", "--until", "40", "--seed", "7", "--window", "2"];

/// Stations with one server and with several, a source, a sink and delays.
const FILE: &str = "
until = 2000
station = [
    { name = 'door', service = 'uniform:0.1,0.5' },
    { name = 'desk', service = 'uniform:1,2', servers = 3 },
    { name = 'scan', service = 'constant:0.5' },
    { name = 'talk', service = 'erlang:2,1', servers = 2, capacity = 9 },
]
sink = [{ name = 'exit' }]
source = [{ name = 'street', interval = 'exponential:2', to = 'door' }]
route = [
    { from = 'door', to = 'desk' },
    { from = 'desk', to = 'scan', probability = 0.5 },
    { from = 'desk', to = 'talk', probability = 0.5, delay = 3 },
    { from = 'scan', to = 'exit' },
    { from = 'talk', to = 'desk', probability = 0.3, delay = 1 },
    { from = 'talk', to = 'exit', probability = 0.7 },
]
";

const FOREST: [&str; 6] = ["cells", "examples/cells/forest.ma", "--until", "60", "--replications", "2"];
const NEIGHBOURS: [&str; 8] = ["cells", "fire", "--side", "40", "--until", "2000", "--spread", "neighbours"];
const FIRES: [&str; 8] = ["cells", "fire", "--side", "40", "--until", "600", "--replications", "3"];
const WATER: [&str; 6] = ["cells", "watershed", "--side", "20", "--until", "600"];

fn heap(arguments: &[&str]) -> Value {
    json(arguments, &["--backend", "heap"]).1
}

#[test]
fn a_run_over_ranks_has_the_digest_and_the_figures_of_one_heap() {
    let file = path("over-ranks.toml");
    std::fs::write(&file, FILE).unwrap();
    let network = ["network", file.to_str().unwrap(), "--warmup", "300"];
    for arguments in [&PHOLD[..], &TORUS, &network, &FOREST, &NEIGHBOURS, &FIRES, &WATER] {
        let alone = heap(arguments);
        assert_eq!(alone["ranks"], Value::Null);
        for ranks in ["2", "3", "4"] {
            let (code, over) = json(arguments, &["--ranks", ranks]);
            assert_eq!((code, &over["backend"], over["ranks"].to_string()), (0, &alone["backend"], ranks.into()));
            assert_eq!(over["threads"].to_string(), ranks);
            assert!(over["rounds"].as_u64().is_some_and(|rounds| rounds > 5));
            let same = ["digest", "events", "statistics", "parameters", "arguments", "clock", "stations", "sinks"];
            for same in same.iter().chain(&["imminent", "replications"]) {
                assert_eq!(over[same], alone[same], "{arguments:?} over {ranks} ranks: {same}");
            }
        }
        let said = text(&output(&with_ranks(arguments, &["--ranks", "3"])).stdout);
        assert!(said.contains("\n  method           3 ranks, a thread each\n"), "{said}");
    }
    std::fs::remove_file(file).unwrap();
}

fn with_ranks<'a>(first: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    [first, rest].concat()
}

#[test]
fn files_are_those_of_one_heap() {
    let cases = [
        (&PHOLD[..], "--processes-csv"),
        (&TORUS, "--stations"),
        (&FOREST, "--values"),
        (&FOREST, "--log"),
        (&NEIGHBOURS, "--arrival"),
        (&NEIGHBOURS, "--log"),
        (&FIRES, "--picture"),
        (&FIRES, "--probability"),
        (&FIRES, "--log"),
        (&WATER, "--depth"),
        (&WATER, "--log"),
    ];
    for (arguments, option) in cases {
        let written = |name: &str, how: &[&str]| {
            let file = path(name);
            let (code, _) = json(&[arguments, how].concat(), &[option, file.to_str().unwrap()]);
            assert_eq!(code, 0);
            let bytes = std::fs::read(&file).unwrap();
            std::fs::remove_file(file).unwrap();
            bytes
        };
        let alone = written("alone", &["--backend", "heap"]);
        assert!(alone.len() > 1000, "{option}: {} bytes", alone.len());
        assert!(written("over", &["--ranks", "4"]) == alone, "{arguments:?} {option}");
    }
}

#[test]
fn what_does_not_go_over_ranks_is_refused_by_name() {
    let cases: [(&[&str], &[&str], &str); 18] = [
        (&PHOLD, &["--ranks", "1"], "invalid value '1' for '--ranks <N>': it takes a whole number from 2 to 1024"),
        (&PHOLD, &["--ranks", "61"], "61 ranks are asked for a model with 60 processes: use as many or fewer"),
        (
            &TORUS,
            &["--ranks", "2", "--max-tokens", "999"],
            "--max-tokens limits the pool of a device, and this run would",
        ),
        (
            &PHOLD,
            &["--ranks", "3", "--backend", "wgpu"],
            "ranks are heaps, and --backend wgpu is for a device: leave it out, or run without ranks",
        ),
        (
            &PHOLD,
            &["--ranks", "2", "--backend", "cuda"],
            "ranks are heaps, and --backend cuda is for a device: leave it out, or run without ranks",
        ),
        (
            &PHOLD,
            &["--ranks", "2", "--devices", "0"],
            "ranks are heaps, and --devices is for a device: leave it out, or run without ranks, where --devices 0,1 has two GPUs",
        ),
        (
            &PHOLD,
            &["--ranks", "2", "--pending", "heap"],
            "--pending is for rounds on a device, and this run would be on",
        ),
        (
            &PHOLD,
            &["--ranks", "2", "--adapter", "0"],
            "--adapter has no meaning with a run over ranks, which are heaps",
        ),
        (&PHOLD, &["--ranks", "2", "--checkpoint-interval", "9s"], "--checkpoint-interval needs --checkpoint FILE"),
        (&TORUS, &["--ranks", "2", "--threads", "2"], "--threads is for replications side by side"),
        (
            &TORUS,
            &["--ranks", "2", "--replications", "3"],
            "one run goes over ranks, and replications run side by side",
        ),
        (&TORUS[..7], &["--ranks", "2", "--approximate", "1"], "no ranks share approximate time"),
        (&TORUS, &["--ranks", "2", "--distributions"], "no ranks share distributions"),
        (&["network", "examples/networks/line.toml"], &["--ranks", "2"], "no ranks share blocking (`full`) at station"),
        (
            &WATER,
            &["--ranks", "21"],
            "21 ranks are asked for a space with 20 layers across its longest side: use as many",
        ),
        (&FIRES, &["--ranks", "2", "--threads", "2"], "--threads is for replications side by side"),
        (
            &NEIGHBOURS,
            &["--ranks", "2", "--checkpoint-interval", "9s"],
            "--checkpoint-interval needs --checkpoint FILE",
        ),
        (&WATER, &["--ranks", "0"], "invalid value '0' for '--ranks <N>': it takes a whole number from 2 to 1024"),
    ];
    for (arguments, options, expected) in cases {
        let output = output(&with_ranks(arguments, options));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(said.starts_with(&format!("tickless: error: {expected}")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_result_is_repeated_on_one_heap() {
    let (_, over) = json(&PHOLD, &["--ranks", "3"]);
    let file = path("over-ranks.json");
    std::fs::write(&file, over.to_string()).unwrap();
    let (code, again) = json(&["rerun", file.to_str().unwrap()], &[]);
    assert_eq!((code, &again["found"]), (0, &over["digest"]));
    std::fs::remove_file(file).unwrap();
}
