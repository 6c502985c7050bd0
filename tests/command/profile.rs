//! `tickless profile`.

use super::schemas::assert_described;
use super::{SMALL, has_adapter, json, output, path, text, with};

#[test]
fn the_kernels_of_a_run_are_timed() {
    if !has_adapter("the_kernels_of_a_run_are_timed") {
        return;
    }
    let words = with(&["profile", "torus"], &SMALL);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, profile) = json(&words, &["--backend", "wgpu"]);
    let (_, run) = json(&words[1..], &["--backend", "heap"]);
    assert_eq!((code, &profile["digest"], &profile["events"]), (0, &run["digest"], &run["events"]));
    assert_described("profile", &profile);
    let kernels = profile["kernels"].as_array().unwrap();
    assert!(!kernels.is_empty(), "{profile}");
    let of = |field: &str| kernels.iter().map(|kernel| kernel[field].as_f64().unwrap()).collect::<Vec<_>>();
    assert!((of("share").iter().sum::<f64>() - 1.0).abs() < 1e-9, "{profile}");
    assert!(of("seconds").windows(2).all(|pair| pair[0] >= pair[1]), "{profile}");
    assert!(kernels.iter().all(|kernel| kernel["dispatches"].as_u64() > Some(0)));
    // Sides of 12: every kernel has the stations' records among its buffers.
    assert!(kernels.iter().all(|kernel| kernel["bound_bytes"].as_u64() >= Some(144 * 8)), "{profile}");
    assert!((0.0..=1.0).contains(&profile["overhead_share"].as_f64().unwrap()));
    let page = path("profile.html");
    let report = ["--backend", "wgpu", "--report", page.to_str().unwrap()];
    let said = text(&output(&[&words[..], &report].concat()).stdout);
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("kernel by kernel") && page.matches("<figure>").count() == 1, "{page}");
    assert!(page.contains(profile["digest"].as_str().unwrap()), "{page}");
    assert!(said.contains("  limit ") && said.contains(kernels[0]["kernel"].as_str().unwrap()), "{said}");
}

#[test]
fn the_heap_has_no_kernels() {
    for backend in ["heap", "auto"] {
        let ended = output(&[
            "profile",
            "network",
            "examples/networks/server.toml",
            "--warmup",
            "0",
            "--until",
            "5",
            "--backend",
            backend,
        ]);
        let error = text(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0), "{backend}");
        assert!(error.contains("name a device by --backend wgpu or --backend cuda"), "{error}");
    }
}

/// Runs one after the other: the kernels of all of them add up.
#[test]
fn experiments_and_optimizations_have_the_kernels_of_all_their_runs() {
    if !has_adapter("experiments_and_optimizations_have_the_kernels_of_all_their_runs") {
        return;
    }
    let network = "
until = 20
window = 0.5
station = [{ name = 'desk', service = 'exponential:2', tokens = 4, cost = { server = 1 } }]
route = [{ from = 'desk', to = 'desk' }]
";
    let profile = |name: &str, model: &str, table: &str| {
        let path = path(name);
        std::fs::write(&path, format!("{network}{table}")).unwrap();
        let (code, profile) = json(&["profile", model, path.to_str().unwrap()], &["--backend", "wgpu"]);
        assert_eq!(code, 0, "{profile}");
        profile
    };
    let experiment = |servers: &str| {
        let table = format!(
            "experiment = {{ measures = ['cost'], replications = 2, factors = {{ station.desk.servers = {servers} }} }}"
        );
        profile("profiled-experiment.toml", "experiment", &table)
    };
    let dispatches = |profile: &serde_json::Value| {
        let kernels = profile["kernels"].as_array().unwrap().iter();
        let of = |kernel: &serde_json::Value| {
            (kernel["kernel"].as_str().unwrap().to_owned(), kernel["dispatches"].as_u64().unwrap())
        };
        kernels.map(of).collect::<std::collections::BTreeMap<_, _>>()
    };
    let [one, other, both] = ["[1]", "[2]", "[1, 2]"].map(|servers| dispatches(&experiment(servers)));
    assert!(!one.is_empty());
    // How many rounds of the last batch find nothing to do depends on the time that the others took.
    for (kernel, count) in &both {
        assert!(*count > one[kernel].max(other[kernel]), "{kernel}: {one:?}, {other:?}, {both:?}");
    }
    let words = ["profile", "experiment", "phold", "--processes", "16", "--until", "3", "--vary", "remote=0,1"];
    let (code, varied) = json(&words, &["--backend", "wgpu"]);
    assert!(code == 0 && !dispatches(&varied).is_empty(), "{varied}");
    let table = "
[optimize]
smallest = 'cost'
max_replications = 6
replications = 2
together = 2
factors.station.desk.servers = { from = 1, to = 3 }
";
    let searched = profile("profiled-optimize.toml", "optimize", table);
    assert!(!dispatches(&searched).is_empty() && searched["limit"] != "unknown", "{searched}");
}
