//! `--report`: one page for every model, which needs nothing else.

use std::fs;

use super::{output, path, text};

/// The page of a run on the heap.
fn page(name: &str, arguments: &[&str]) -> String {
    let file = path(&format!("{name}.html"));
    let arguments =
        [arguments, &["--backend", "heap", "--format", "json", "--report", file.to_str().unwrap()]].concat();
    let ended = output(&arguments);
    assert_eq!(ended.status.code(), Some(0), "{name}: {}", text(&ended.stderr));
    let result: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains(result["digest"].as_str().unwrap()), "{name} lacks its digest");
    page
}

/// Elements are closed in the order in which they were opened.
pub fn assert_well_formed(name: &str, page: &str) {
    const EMPTY: [&str; 5] = ["meta", "img", "input", "!DOCTYPE", "br"];
    let mut open: Vec<&str> = vec![];
    // What is in these is no element.
    let body = page
        .split("<style>")
        .map(|part| part.split_once("</style>").map_or(part, |(_, rest)| rest))
        .collect::<String>();
    let body = body
        .split("<script")
        .map(|part| part.split_once("</script>").map_or(part, |(_, rest)| rest))
        .collect::<String>();
    for element in body.split('<').skip(1).map(|part| part.split('>').next().unwrap()) {
        let tag = element.trim_start_matches('/').split(|c: char| c.is_whitespace() || c == '/').next().unwrap();
        match element {
            closing if closing.starts_with('/') => assert_eq!(open.pop(), Some(tag), "{name}: </{tag}>"),
            single if single.ends_with('/') || EMPTY.contains(&tag) => {}
            _ => open.push(tag),
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
}

#[test]
fn every_model_has_a_page_of_its_own() {
    let torus = ["torus", "--side", "8", "--until", "30"];
    let network =
        ["network", "examples/networks/clinic.toml", "--until", "1500", "--replications", "3", "--series-step", "50"];
    let experiment = ["experiment", "examples/networks/emergency.toml", "--until", "3200", "--replications", "2"];
    let line = "examples/networks/line.toml";
    let optimize = ["optimize", line, "--until", "600", "--max-replications", "80", "--replications", "2"];
    let phold = ["phold", "--processes", "16", "--until", "3"];
    let search = ["search", "--side", "16"];
    let fire = ["cells", "fire", "--side", "16"];
    let fires = ["cells", "fire", "--side", "24", "--replications", "3"];
    let rain = ["cells", "watershed", "--side", "16"];
    let rules = ["cells", "examples/cells/life.ma", "--until", "300"];
    for (name, arguments, pictures) in [
        // Its map, and what theory expects of it.
        ("torus", &torus[..], 2),
        ("network", &network[..], 5),
        // Of four measures: effects, levels, points.
        ("experiment", &experiment[..], 12),
        ("optimize", &optimize[..], 3),
        ("phold", &phold[..], 1),
        ("search", &search[..], 1),
        ("fire", &fire[..], 1),
        // Its map, how large fires were, and how they grew.
        ("fires", &fires[..], 3),
        ("watershed", &rain[..], 1),
        ("rules", &rules[..], 1),
    ] {
        let page = page(name, arguments);
        assert_well_formed(name, &page);
        assert_eq!(page.matches("<figure>").count(), pictures, "{name}");
        let described = page.matches("role=\"img\" aria-label=").count() + page.matches("<img ").count();
        // What a table shows needs no description.
        let tables = page.matches("</figcaption><div class=\"scroll\"").count();
        assert_eq!(described + tables, pictures, "{name}: a picture without a description");
        let [wide, narrow] =
            ["wide", "narrow"].map(|width| page.matches(&format!(" class=\"{width}\" aria-hidden")).count());
        assert_eq!(wide, narrow, "{name}");
        let shown = match name {
            "network" => "<svg class=\"graph\"",
            "torus" => "What theory expects in the long run, and what was measured (20 of 64 stations)",
            "optimize" => "<h1>tickless optimize</h1><dl class=\"head answer\"><dt>best</dt><dd>point ",
            "phold" => "Events that processes executed, from ",
            "experiment" => "Mean waiting time of urgent at physician by servers at physician",
            "fires" => "Burnt area of 3 fires: from ",
            "watershed" => "Depth of the water at the end, the deeper the darker, over the terrain",
            "rules" => "Values of the cells at the end, from 0 (violet) to 1 (yellow)",
            _ => "</html>",
        };
        assert!(page.contains(shown), "{name} lacks {shown}");
        for from_elsewhere in ["src=\"http", "href=", "@import", "url("] {
            assert!(!page.contains(from_elsewhere), "{name} has {from_elsewhere}");
        }
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("name=\"viewport\""));
        let command = format!("<code>tickless {} --backend heap", arguments.join(" "));
        assert!(page.contains(&command), "{name} lacks {command}");
    }
}

/// Names of a file are shown, and are no elements of the page.
#[test]
fn names_are_escaped() {
    let file = path("escaped.toml");
    let network = "station = [{ name = '<script>alert(1)</script>', service = 'constant:1', tokens = 1 }]\n\
                   route = [{ from = '<script>alert(1)</script>', to = '<script>alert(1)</script>' }]\n";
    fs::write(&file, network).unwrap();
    let page = page("escaped", &["network", file.to_str().unwrap()]);
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert_well_formed("escaped", &page);
}

#[test]
fn a_page_that_cannot_be_written_is_an_error_before_the_run() {
    let ended = output(&["torus", "--side", "4", "--report", "no/such/folder/page.html"]);
    let error = text(&ended.stderr);
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0));
    assert!(error.contains("--report"), "{error}");
}
