//! The player on the page of a network: what it shows is what `--visits` writes.

use std::process::Command;

use serde_json::Value;

use super::reports::assert_well_formed;
use super::{output, path, text};

/// The page of a run on the heap, and the lines of its visits.
fn page(name: &str, run: &[&str]) -> (String, Vec<Vec<String>>) {
    let [html, csv] = ["html", "csv"].map(|ending| path(&format!("{name}.{ending}")));
    let files = ["--backend", "heap", "--report", html.to_str().unwrap(), "--visits", csv.to_str().unwrap()];
    let ended = output(&[&["network"], run, &files].concat());
    assert_eq!(ended.status.code(), Some(0), "{name}: {}", text(&ended.stderr));
    let lines = std::fs::read_to_string(&csv).unwrap();
    let lines = lines.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect());
    (std::fs::read_to_string(&html).unwrap(), lines.collect())
}

/// What a page has for its player.
fn shown(page: &str) -> Option<Value> {
    let block = page.split("<script type=\"application/json\">").nth(1)?.split("</script>").next()?;
    Some(serde_json::from_str(block).unwrap())
}

fn time(text: &str) -> Option<f64> {
    text.parse().ok()
}

const CLINIC: [&str; 4] = ["examples/networks/clinic.toml", "--replications", "2", "--distributions"];
const EMERGENCY: [&str; 5] = ["examples/networks/emergency.toml", "--replications", "3..5", "--until", "6000"];
/// The names of their sources and stations, as their maps have them.
const PLACES: [&[&str]; 2] =
    [&["street", "registration", "doctor", "x-ray"], &["ambulances", "walk-ins", "triage", "physician", "tests"]];

/// The visits of the first replication, up to a time, and no more than 2,000 of their events.
#[test]
fn a_page_has_the_first_visits_of_the_first_replication() {
    for (run, number, places) in [(&CLINIC[..], "0", PLACES[0]), (&EMERGENCY[..], "3", PLACES[1])] {
        let name = format!("first-of-{number}");
        let (page, lines) = page(&name, run);
        assert_well_formed(&name, &page);
        let data = shown(&page).unwrap();
        let until = data["until"].as_f64().unwrap();
        let near = 2e-6 * until;
        let visits = data["visits"].as_array().unwrap();
        let events: usize = visits.iter().map(|visit| (3..6).filter(|place| visit[*place].is_number()).count()).sum();
        assert!((1980..=2000).contains(&events), "{name}: {events}");
        let begun = |line: &&Vec<String>| line[0] == number && time(&line[4]).unwrap() < until - near;
        let mut expected: Vec<&Vec<String>> = lines.iter().filter(begun).collect();
        expected.sort_by(|a, b| time(&a[4]).unwrap().total_cmp(&time(&b[4]).unwrap()));
        assert_eq!(visits.len(), expected.len(), "{name}");
        for (visit, line) in visits.iter().zip(expected) {
            assert_eq!(
                (visit[0].to_string(), places[visit[2].as_u64().unwrap() as usize]),
                (line[1].clone(), &*line[3])
            );
            for (found, expected) in [(3, &line[4]), (4, &line[5]), (5, &line[7])] {
                let expected = time(expected).filter(|time| *time < until - near);
                let found = visit[found].as_f64();
                assert!(
                    found.zip(expected).map_or(found == expected, |(a, b)| (a - b).abs() <= near),
                    "{name}: {visit} is not {line:?}"
                );
            }
        }
        let which = if number == "0" { "The first replication" } else { "Replication 3" };
        assert!(page.contains(&format!("{which} from 0 to ")) && page.contains(" visits. "), "{name}");
        assert!(page.contains("the patients that wait") && page.contains(" min a second"), "{name}");
    }
}

/// At any time the player has as many tokens at each station as there are visits, and moves others along ways of the map.
#[test]
fn the_player_moves_what_is_recorded() {
    let (page, lines) = page("scene", &EMERGENCY);
    let data = shown(&page).unwrap();
    let until = data["until"].as_f64().unwrap();
    let script = page.split("<script>").find(|part| part.contains("function scene")).unwrap().split("</script>").next();
    let times: Vec<f64> = (1..40).map(|part| until * f64::from(part) / 40.0).collect();
    let program = format!(
        "{}\nconst data = {data};\nconst at = (time) => {{\n\
           const {{ moving, places }} = scene(data, time, data.until / 200);\n\
           return [[...places].map(([at, all]) => [at, all.waiting.length, all.served.length]), [...moving.values()]];\n\
         }};\nprocess.stdout.write(JSON.stringify({times:?}.map(at)));\n",
        script.unwrap()
    );
    let Ok(ended) = Command::new("node").args(["-e", &program]).output() else {
        assert!(std::env::var_os("CI").is_none(), "CI needs node");
        return eprintln!("skipped: this machine has no node");
    };
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let scenes: Value = serde_json::from_slice(&ended.stdout).unwrap();
    let ways = page.split("class=\"graph\"").nth(1).unwrap().split("</svg>").next().unwrap().matches("<path").count();
    let mut moved = 0;
    for (now, scene) in times.iter().zip(scenes.as_array().unwrap()) {
        let is_there = |line: &&Vec<String>| {
            line[0] == "3" && time(&line[4]).unwrap() <= *now && time(&line[7]).is_none_or(|left| left > *now)
        };
        let mut counts = [[0_u64; 2]; 5];
        for line in lines.iter().filter(is_there) {
            let place = PLACES[1].iter().position(|place| *place == line[3]).unwrap();
            counts[place][usize::from(time(&line[5]).is_some_and(|start| start <= *now))] += 1;
        }
        let mut found = [[0; 2]; 5];
        for place in scene[0].as_array().unwrap() {
            found[place[0].as_u64().unwrap() as usize] = [1, 2].map(|which| place[which].as_u64().unwrap());
        }
        assert_eq!(found, counts, "at {now}");
        for token in scene[1].as_array().unwrap() {
            assert!((0.0..1.0).contains(&token["share"].as_f64().unwrap()), "{token}");
            // Nobody vanishes here: each way early leads to a sink.
            assert!((0..ways as i64).contains(&token["way"].as_i64().unwrap()), "{token}");
            moved += 1;
        }
    }
    assert!(moved > 20, "{moved}");
}

/// A network without a map, or with more tokens at time 0 than a page shows, stands still.
#[test]
fn other_pages_have_no_player() {
    let many = path("many.toml");
    let network = "until = 10\n[[station]]\nname = 'desk'\nservice = 'constant:1'\ntokens = TOKENS\n\
                   [[route]]\nfrom = 'desk'\nto = 'desk'\n";
    for (tokens, has_player) in [("1000", true), ("1001", false)] {
        std::fs::write(&many, network.replace("TOKENS", tokens)).unwrap();
        let (page, _) = page("many", &[many.to_str().unwrap()]);
        assert!(page.contains("class=\"graph\"") && shown(&page).is_some() == has_player, "{tokens}");
        assert_eq!(page.contains("function scene"), has_player, "{tokens}");
    }
    let (torus, _) = page("no-map", &["examples/networks/torus.toml", "--until", "20", "--warmup", "0"]);
    assert!(!torus.contains("class=\"graph\"") && shown(&torus).is_none());
}

/// Words and names of users end no script.
#[test]
fn names_stay_names() {
    let file = path("odd.toml");
    let network = "unit = '</script><b>\"µ'\ntoken = '<i>Gäste'\nuntil = 10\n[[class]]\nname = '</script>Ü\"'\n\
                   [[class]]\nname = 'b'\n[[source]]\nname = 'in'\ninterval = 'constant:1'\nto = '</script>\"é'\n\
                   class = 'b'\n[[station]]\nname = '</script>\"é'\nservice = 'constant:0.5'\n[[sink]]\nname = 'out'\n\
                   [[route]]\nfrom = '</script>\"é'\nto = 'out'\n";
    std::fs::write(&file, network).unwrap();
    let (page, _) = page("odd", &[file.to_str().unwrap()]);
    assert_well_formed("odd", &page);
    assert_eq!(shown(&page).unwrap()["unit"], "</script><b>\"µ");
    assert!(page.contains("&lt;/script&gt;Ü") && page.contains("&lt;/script&gt;&quot;é"), "{page}");
    // The two of the player and that of the page.
    assert_eq!(page.matches("</script>").count(), 3);
}
