//! Ctrl-C, and readers that go away.

use std::io::Read as _;

use super::*;

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = spawn(&["torus", "--backend", "heap", "--side", "64", "--until", "100", "--format", "json"]);
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!((child.wait().unwrap().code(), error.as_str()), (Some(0), ""));
}

fn spawn(arguments: &[&str]) -> Child {
    command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::time::{Duration, Instant};

    /// Far more than a batch takes, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// What a run on the heap takes of a processor before it has begun, and more.
    const BEGUN: Duration = Duration::from_millis(300);

    /// The same of one with heavy events, and on a software adapter, which compiles its kernels first.
    const SLOWLY: Duration = Duration::from_secs(2);

    /// Of a torus that would take hours.
    const ENDLESS: [&str; 4] = ["--side", "128", "--until", "50000000"];

    /// Sends SIGINT to a command, which says what it has in JSON and nothing else.
    fn sent_to(arguments: &[String]) -> (Option<i32>, Value) {
        sent_after(BEGUN, arguments)
    }

    fn sent_after(begun: Duration, arguments: &[String]) -> (Option<i32>, Value) {
        let json = ["--format", "json"].map(str::to_owned);
        let output = stopped_after(begun, &[arguments, &json].concat());
        assert_eq!(text(&output.stderr), "");
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    }

    /// What a command leaves that is sent SIGINT.
    fn stopped(arguments: &[String]) -> Output {
        stopped_after(BEGUN, arguments)
    }

    /// The time that a process has taken of processors, where the system tells it.
    fn processor_time(process: u32) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // Behind the name in brackets: two numbers of hundredths of a second, its own and the system's.
        let numbers = text.rsplit(')').next()?.split_whitespace().skip(11).take(2);
        Some(Duration::from_millis(10 * numbers.map(|number| number.parse::<u64>().unwrap_or(0)).sum::<u64>()))
    }

    /// What a command leaves that is sent SIGINT when it has taken so much of a processor: a busy machine makes it later.
    fn stopped_after(begun: Duration, arguments: &[String]) -> Output {
        let mut child = spawn(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let started = Instant::now();
        // Who waits for a GPU takes little of a processor.
        let has_begun = || match processor_time(child.id()) {
            Some(taken) => taken >= begun || started.elapsed() > PATIENCE / 3,
            None => started.elapsed() > 4 * begun,
        };
        while !has_begun() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let sent = Instant::now();
        // Two that come together are one: `timeout` sends a signal to the process and to its group.
        let kill = format!("kill -INT {0}; kill -INT {0} 2>/dev/null || true", child.id());
        Command::new("sh").args(["-c", &kill]).status().unwrap();
        while child.try_wait().unwrap().is_none() {
            if sent.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("{arguments:?} goes on {PATIENCE:?} after Ctrl-C");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        child.wait_with_output().unwrap()
    }

    /// What has not ended is in no shard; replications that have are in one, and the merge asks for the others.
    #[test]
    fn a_shard_has_whole_replications_only() {
        let shard = path("interrupted.shard");
        let file = shard.to_str().unwrap();
        let torus = |until, backend| ["torus", "--side", "32", "--until", until, "--backend", backend];
        let options = ["--replications", "5..20000", "--shard", file];
        if has_adapter("a_shard_has_whole_replications_only") {
            let output =
                stopped_after(SLOWLY, &with(&torus("50000000", "wgpu"), &["--replications", "5..7", "--shard", file]));
            let said = text(&output.stderr);
            assert_eq!((output.status.code(), shard.exists()), (Some(130), false), "{said}");
            assert!(said.contains("note: no shard is written: Ctrl-C came at time "), "{said}");
            assert!(
                said.contains("run the replications again, or go on with them where a checkpoint is kept"),
                "{said}"
            );
        }
        let (code, run) = sent_to(&with(&torus("400", "heap"), &options));
        let count = run["parameters"]["replications"].as_u64().unwrap();
        assert_eq!(code, Some(130));
        let output = super::output(&["merge", file]);
        assert_eq!(
            text(&output.stderr).split(" are in no shard").next().unwrap(),
            format!("tickless: error: the replications 0..5 of {}", 5 + count)
        );
        std::fs::remove_file(shard).unwrap();
    }

    /// A table of a log that would take a minute: what there is stays, and how much that is is said.
    #[test]
    fn a_table_of_a_log_stops_and_says_what_it_has() {
        let [log, table] = ["endless.log", "endless.csv"].map(path);
        let head = b"tickless cells log 1\n{\"model\":\"fire\",\"size\":[1,1,1],\"replications\":1,\"words\":[]}\n";
        // Output of cell 0, and a tick later the next one.
        std::fs::write(&log, [&head[..], &[1, 0, 1].repeat(20_000_000)].concat()).unwrap();
        let [log, table] = [&log, &table].map(|path| path.to_str().unwrap());
        let output = stopped(&with(&["cells", "log", log, "--output", table], &[]));
        let (said, lines) = (text(&output.stderr), std::fs::read_to_string(table).unwrap().lines().count());
        [log, table].iter().for_each(|path| std::fs::remove_file(path).unwrap());
        assert_eq!((output.status.code(), said.lines().count()), (Some(130), 1), "{said}");
        let count = said.split("note: interrupted: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        assert_eq!(count.replace(',', "").parse::<usize>().unwrap() + 1, lines, "{said}");
        assert!(said.contains("outputs of the log, from its start, are in") && said.contains("endless.csv"), "{said}");
    }

    /// The searches that are done are kept, and their lines; of the others the lines say nothing.
    #[test]
    fn searches_stop_and_say_how_many_there_are() {
        let results = path("interrupted.csv");
        let arguments = ["search", "--side", "200", "--searches", "100000", "--backend", "heap", "--density", "0.1"];
        let (code, run) = sent_to(&with(&arguments, &["--results", results.to_str().unwrap()]));
        let lines = std::fs::read_to_string(&results).unwrap();
        std::fs::remove_file(&results).unwrap();
        assert_eq!((code, &run["interrupted"]), (Some(130), &true.into()));
        let statistics = &run["statistics"];
        let count = |name: &str| statistics[name].as_u64().unwrap() as usize;
        assert!(count("found") > 0 && count("unfinished") > 0, "{statistics}");
        assert_eq!(count("found") + count("no_path") + count("unfinished"), 100_000);
        assert_eq!(run["clock"].as_f64().unwrap() as usize, count("found") + count("no_path"));
        assert_eq!(lines.lines().filter(|line| line.ends_with(",,,")).count(), count("unfinished"));
        let shown = text(&stopped(&with(&arguments, &[])).stdout);
        assert!(shown.contains("INTERRUPTED") && shown.contains(" of 100,000 searches"), "{shown}");
    }

    fn holds(run: &Value) {
        assert_eq!(run["interrupted"], true);
        let clock = run["clock"].as_f64().unwrap();
        assert!(clock > 0.0 && clock < 5e7, "{clock}");
        assert_eq!(run["measured"], run["clock"]);
        assert_eq!(run["completions"], run["events"]);
    }

    /// What comes while files are written leaves out those that are not finished; the result is there already.
    #[test]
    fn files_that_take_long_are_left_out() {
        let (picture, lines) = (path("long.png"), path("long-searches.csv"));
        let shown = (0..200).map(|search| search.to_string()).collect::<Vec<_>>().join(",");
        let mut child = spawn(&[
            "search",
            "--backend",
            "heap",
            "--side",
            "300",
            "--searches",
            "200",
            "--show",
            &shown,
            "--picture",
            picture.to_str().unwrap(),
            "--results",
            lines.to_str().unwrap(),
        ]);
        let mut first = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        // The lines are written before the picture.
        while !lines.exists() || std::fs::read(&lines).unwrap().is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let (said, shown) = (text(&output.stderr), text(&output.stdout));
        assert_eq!((output.status.code(), picture.exists()), (Some(130), false), "{said}");
        assert!(said.contains("interrupted while files were written"), "{said}");
        assert!(shown.contains("digest"), "{shown}");
        assert_eq!(std::fs::read_to_string(&lines).unwrap().lines().count(), 201);
        std::fs::remove_file(&lines).unwrap();
    }

    #[test]
    fn the_heap_stops_and_prints_what_there_is() {
        let (code, run) = sent_to(&with(&["torus", "--backend", "heap"], &ENDLESS));
        assert_eq!(code, Some(130));
        holds(&run);
        assert_eq!(run["tokens_present"], 128 * 128);
    }

    #[test]
    fn phold_stops_and_prints_what_there_is() {
        let (code, run) = sent_to(&with(&["phold", "--processes", "1000"], &["--until", "50000000"]));
        assert_eq!((code, &run["interrupted"]), (Some(130), &true.into()));
        let clock = run["clock"].as_f64().unwrap();
        assert!(clock > 0.0 && clock < 5e7, "{clock}");
        assert_eq!((&run["statistics"]["executed"], &run["statistics"]["pending"]), (&run["events"], &1000.into()));
        // What was to be expected until then.
        assert!((run["statistics"]["expected_ratio"].as_f64().unwrap() - 1.0).abs() < 0.01);
        let (_, whole) = json(&["phold", "--processes", "1000"], &["--until", &clock.to_string()]);
        assert_eq!((&whole["digest"], &whole["clock"]), (&run["digest"], &run["clock"]));
    }

    /// All ranks stop at one time, and the run is whole up to it.
    #[test]
    fn ranks_stop_and_print_what_there_is() {
        let ranks = ["--ranks", "3"];
        let phold = ["phold", "--processes", "1000"];
        // Three of them take what a run takes before it has begun sooner than one.
        let arguments = with(&phold, &[&ranks[..], &["--until", "50000000"]].concat());
        let (code, run) = sent_after(3 * BEGUN, &arguments);
        assert_eq!((code, &run["interrupted"], &run["ranks"]), (Some(130), &true.into(), &3.into()));
        let clock = run["clock"].as_f64().unwrap();
        assert!(clock > 0.0 && clock < 5e7, "{clock}");
        let (_, whole) = json(&phold, &["--backend", "heap", "--until", &clock.to_string()]);
        assert_eq!((&whole["digest"], &whole["clock"]), (&run["digest"], &run["clock"]));
    }

    /// Events of milliseconds do not keep anybody waiting, and the clock that is shown repeats the run.
    #[test]
    fn heavy_phold_stops_soon() {
        let arguments = ["phold", "--processes", "50", "--work", "1048576", "--backend", "heap", "--until", "50000"];
        let shown = text(&stopped_after(SLOWLY / 2, &with(&arguments, &[])).stdout);
        let line = shown.lines().find(|line| line.contains("INTERRUPTED")).unwrap_or_else(|| panic!("{shown}"));
        let clock = line.split_whitespace().nth(3).unwrap();
        let repeated = [&arguments[..7], &["--until", clock]].concat();
        let digest = json(&repeated, &[]).1["digest"].as_str().unwrap().to_owned();
        assert!(shown.contains(&digest), "{clock}: {shown}");
    }

    #[test]
    fn a_pilot_stops_and_so_does_the_run() {
        let arguments = ["network", network::CLINIC, "--warmup", "auto", "--until", "500000000"];
        let (code, run) = sent_to(&with(&arguments, &[]));
        assert_eq!((code, &run["interrupted"], &run["pilot"]["replications"]), (Some(130), &true.into(), &0.into()));
        assert!(run["clock"].as_f64().unwrap() < 5e8);
        // Nothing was found, and nothing looks as if it had been.
        let nothing = [&run["pilot"]["time"], &run["pilot"]["too_short"], &run["parameters"]["warmup"]];
        assert_eq!(nothing, [&Value::Null; 3]);
        let note = run["warnings"].as_array().unwrap().iter().find(|warning| warning["kind"] == "pilot_interrupted");
        assert!(note.unwrap()["message"].as_str().unwrap().contains("counted from time 0 on"), "{note:?}");
    }

    #[test]
    fn a_warm_up_that_does_not_end_has_measured_nothing() {
        let arguments =
            ["network", network::CLINIC, "--until", "2000000000", "--warmup", "1900000000", "--backend", "heap"];
        let (code, run) = sent_to(&with(&arguments, &[]));
        assert_eq!((code, &run["measured"]), (Some(130), &0.0.into()));
        let shown = stopped(&with(&arguments, &[])).stdout;
        let shown = text(&shown);
        let line = shown.lines().find(|line| line.contains("INTERRUPTED")).unwrap_or_else(|| panic!("{shown}"));
        assert!(line.contains("before anything was measured"), "{line}");
    }

    #[test]
    fn replications_stop_with_how_many_there_were_of_how_many() {
        let arguments = ["network", network::CLINIC, "--replications", "1000000", "--backend", "heap"];
        let (code, run) = sent_to(&with(&arguments, &[]));
        let parameters = &run["parameters"];
        assert_eq!((code, &parameters["given_replications"]), (Some(130), &1_000_000.into()));
        let count = parameters["replications"].as_u64().unwrap();
        assert!((1..1_000_000).contains(&count), "{count}");
        let output = stopped(&with(&arguments, &["--until", "2000"]));
        let shown = text(&output.stdout);
        let line = shown.lines().find(|line| line.contains("INTERRUPTED")).unwrap_or_else(|| panic!("{shown}"));
        assert!(line.contains(" after ") && line.contains(" of 1,000,000 replications"), "{line}");
    }

    #[test]
    fn replications_for_a_precision_stop_at_whole_ones() {
        let arguments =
            ["network", network::CLINIC, "--precision", "0.000001", "--time-limit", "1000", "--backend", "heap"];
        let (code, run) = sent_to(&with(&arguments, &[]));
        assert_eq!((code, &run["interrupted"], &run["precision"]["met"]), (Some(130), &true.into(), &false.into()));
        let count = run["parameters"]["replications"].as_u64().unwrap().to_string();
        let (_, whole) = json(&["network", network::CLINIC, "--replications", &count], &[]);
        assert_eq!((&whole["digest"], &whole["clock"]), (&run["digest"], &run["clock"]));
    }

    /// What there is of cells is whole up to the clock: no water is lost.
    #[test]
    fn cells_stop_and_print_what_there_is() {
        let arguments = ["cells", "watershed", "--side", "64", "--hours", "240000", "--until", "860000000"];
        let (code, run) = sent_to(&with(&arguments, &["--backend", "heap"]));
        assert_eq!((code, &run["interrupted"], &run["statistics"]["lost_units"]), (Some(130), &true.into(), &0.into()));
        let clock = run["clock"].as_f64().unwrap();
        assert!(clock > 0.0 && clock < 8.6e8, "{clock}");
    }

    #[test]
    fn a_device_stops_and_prints_what_there_is() {
        if !has_adapter("a_device_stops_and_prints_what_there_is") {
            return;
        }
        let (code, run) = sent_after(SLOWLY, &with(&["torus", "--backend", "wgpu"], &ENDLESS));
        assert_eq!(code, Some(130));
        holds(&run);
    }

    /// A file that a software adapter compiles for minutes.
    fn long_to_compile() -> PathBuf {
        let offsets = (-2..=2).flat_map(|row| (-2..=2).map(move |column| format!(" m({row},{column})")));
        let head = "[top]\ncomponents : m\n[m]\ntype : cell\ndim : (9,9)\ndelay : transport\nborder : wrapped\n";
        let offsets: String = offsets.collect();
        let rule = |n: u32| format!("rule : {{(0,1) * {n}}} 1 {{statecount({n}) > {} and odd((0,0) * {n})}}\n", n % 9);
        let rules: String = (1..1000).map(rule).collect();
        let file = path("long.ma");
        let text = format!(
            "{head}neighbors :{offsets}\ninitialvalue : 0\nlocaltransition : r\n[r]\n{rules}rule : 0 1 {{t}}\n"
        );
        std::fs::write(&file, text).unwrap();
        file
    }

    /// A compiler of a driver does not end when it should: the command does.
    #[test]
    fn compiling_stops_without_a_result() {
        if !has_adapter("compiling_stops_without_a_result") {
            return;
        }
        let (file, values) = (long_to_compile(), path("long.csv"));
        let arguments = ["cells", file.to_str().unwrap(), "--until", "50000000", "--backend", "wgpu"];
        let output = stopped_after(SLOWLY, &with(&arguments, &["--values", values.to_str().unwrap()]));
        let said = text(&output.stderr);
        // A GPU may have compiled it by then, and runs.
        if text(&output.stdout).is_empty() {
            assert!(said.ends_with("nothing has been simulated\n"), "{said}");
            assert!(!values.exists());
        }
        assert_eq!(output.status.code(), Some(130), "{said}");
        let limited = output_of(&arguments, &["--compile-limit", "0.001"]);
        let said = text(&limited.stderr);
        assert_eq!((limited.status.code(), limited.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.contains("not compiled within 0.001 s") && said.contains("--backend heap"), "{said}");
        std::fs::remove_file(file).unwrap();
        let _ = std::fs::remove_file(values);
    }

    fn output_of(first: &[&str], rest: &[&str]) -> Output {
        output(&with(first, rest).iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// There is nothing to keep before a run, be it that its model is made or its state.
    #[test]
    fn preparing_stops_at_once() {
        for arguments in [
            &["cells", "fire", "--side", "5000"][..],
            &["torus", "--side", "3000"],
            &["torus", "--side", "1500", "--approximate", "1"],
            &["torus", "--side", "3000", "--warmup", "auto"],
            &["phold", "--processes", "8000000"],
            &["cells", "watershed", "--side", "2000"],
        ] {
            let output = stopped(&with(arguments, &["--backend", "heap"]));
            let said = text(&output.stderr);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{arguments:?}: {said}");
            assert!(said.contains("nothing has been simulated"), "{arguments:?}: {said}");
        }
    }

    /// A reader of a pipe whose writer never ends has nothing either, and the second line of a log never comes.
    #[test]
    fn reading_stops_at_once() {
        let log = path("endless.log");
        let rain = ["cells", "watershed", "--side", "9", "--until", "60", "--backend", "heap", "--log"];
        assert!(output(&[&rain[..], &[log.to_str().unwrap()]].concat()).status.success());
        let log_text = std::fs::read(&log).unwrap();
        for (first, arguments) in [
            (&b""[..], &["network"][..]),
            (b"until = 5\n", &["network"]),
            (b"[top]\n", &["cells"]),
            (b"{\n", &["rerun"]),
            (b"ncols 3\n", &["cells", "fire", "--fuel"]),
            (b"", &["cells", "log"]),
            (&log_text, &["cells", "log"]),
        ] {
            let mut run = command(&[arguments, &["/dev/stdin"]].concat());
            let mut run = run.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let mut pipe = run.stdin.take().unwrap();
            pipe.write_all(first).unwrap();
            std::thread::sleep(Duration::from_secs(1));
            assert!(run.try_wait().unwrap().is_none(), "{arguments:?} waits for more");
            let sent = Instant::now();
            Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
            while run.try_wait().unwrap().is_none() {
                if sent.elapsed() > PATIENCE {
                    run.kill().unwrap();
                    panic!("{arguments:?} goes on {PATIENCE:?} after Ctrl-C");
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            assert_eq!(run.wait().unwrap().code(), Some(130), "{arguments:?}");
            drop(pipe);
        }
        std::fs::remove_file(&log).unwrap();
    }

    #[test]
    fn a_comparison_stops_without_a_verdict() {
        if !has_adapter("a_comparison_stops_without_a_verdict") {
            return;
        }
        let (code, value) = sent_to(&with(&["compare", "torus"], &ENDLESS));
        assert_eq!((code, &value["interrupted"], &value["equal"]), (Some(130), &true.into(), &Value::Null));
        assert_eq!(value["runs"].as_array().unwrap().len(), 1);
        holds(&value["runs"][0]);
    }
}
