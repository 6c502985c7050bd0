//! Servers that differ, that go round, or that serve classes in an order of their own; who tries again, and who shares.

use super::pieces::*;
use super::{differs, digest, queue, same};
use crate::jmt::from_jmt;

const CLASSES: &str = "class = [{ name = 'a' }, { name = 'b' }]";
const SOURCES: &str = "source = [
    { name = 'of a', interval = 'exponential:1', to = 'desk', class = 'a' },
    { name = 'of b', interval = 'exponential:1', to = 'desk', class = 'b' },
]
sink = [{ name = 'out' }]";

/// Two classes that come to one desk, with this line and this server.
fn desk(line: &str, server: String) -> String {
    let random = || router(&[("a", "RandomStrategy"), ("b", "RandomStrategy")]);
    let parts = [
        open("a", "in", 0),
        open("b", "in", 0),
        source("in", &[("a", exponential(1.0)), ("b", exponential(1.0))], &random()),
        node("desk", &[line.into(), server, random()]),
        sink("out"),
    ];
    model(&parts, "in>desk desk>out", "")
}

/// A desk of a senior, who serves all, and a junior, who serves b so fast.
fn senior_and_junior(policy: &str, junior: f64) -> String {
    let laws = [
        ("a", exponential(2.0)),
        ("b", exponential(4.0)),
        ("a", sub("DisabledServiceTimeStrategy", "d", "")),
        ("b", exponential(junior)),
    ];
    let types = types(&[("senior", 1, &[true, true]), ("junior", 1, &[false, true])], policy);
    desk(&plain(&["a", "b"]), server("Server", 2, &laws, &types))
}

fn by_hand(station: &str) -> String {
    format!("{CLASSES}\n{SOURCES}\nstation = [{station}]\nroute = [{{ from = 'desk', to = 'out' }}]")
}

#[test]
fn types_of_servers_are_groups() {
    let senior = |serves: &str| format!("{{ name = 'senior', serves = [{serves}], takes = 'first-in-line' }}");
    let junior = |mean: f64| {
        format!(
            "{{ name = 'junior', serves = ['b'], takes = 'first-in-line', class = [{{ name = 'b', service = 'exponential:{mean}' }}] }}"
        )
    };
    let of = |groups: [String; 2]| {
        by_hand(&format!(
            "{{ name = 'desk', service = 'exponential:0.5', class = [{{ name = 'b', service = 'exponential:0.25' }}], servers = [{}] }}",
            groups.join(", ")
        ))
    };
    let senior_first = |mean| of([senior("'b', 'a'"), junior(mean)]);
    let junior_first = |mean| of([senior("'a', 'b'"), junior(mean)]);
    same(&senior_and_junior("Order (Assign according to order below)", 1.0), &senior_first(1.0));
    differs(&senior_and_junior("ORDER", 1.0), &junior_first(1.0));
    same(&senior_and_junior("FSF (Fastest Servers First)", 1.0), &senior_first(1.0));
    same(&senior_and_junior("FSF", 8.0), &junior_first(0.125));
    // The least flexible is the first.
    let station_law_of_junior = "{ name = 'desk', service = 'exponential:0.5', class = [{ name = 'b', service = 'exponential:1' }], servers = [
        { name = 'junior', serves = ['b'], takes = 'first-in-line' },
        { name = 'senior', serves = ['a', 'b'], takes = 'first-in-line', class = [{ name = 'b', service = 'exponential:0.25' }] }] }";
    same(&senior_and_junior("ALFS (Assign Least Flexible Server)", 1.0), &by_hand(station_law_of_junior));
    for (policy, said) in [
        ("ALIS (Assign Longest Idle Server)", "a choice among free servers by how long they have been idle"),
        ("RAIS", "a choice among free servers"),
        ("Best", "the policy of server types 'Best' is not known; known are Order, ALFS, FSF"),
    ] {
        let error = from_jmt(&senior_and_junior(policy, 1.0)).unwrap_err();
        assert_eq!(error.place, "node 'desk', section Server, parameter schedulingPolicy");
        assert!(error.fault.contains(said), "{error}");
    }
    let three = senior_and_junior("FSF", 1.0).replacen("<value>2</value>", "<value>3</value>", 1);
    assert!(from_jmt(&three).unwrap_err().fault.contains("'3' is wrong; it must be 2, the servers of all types"));
}

/// Where nothing tells types apart, or each class has one type, any policy is the same.
#[test]
fn policies_do_not_matter_where_there_is_no_choice() {
    let laws = |rate: f64| {
        [("a", exponential(2.0)), ("b", exponential(4.0)), ("a", exponential(2.0)), ("b", exponential(rate))]
    };
    let of = |rate: f64, one: &[bool], two: &[bool]| {
        let types = types(&[("one", 1, one), ("two", 2, two)], "ALIS (Assign Longest Idle Server)");
        desk(&plain(&["a", "b"]), server("Server", 3, &laws(rate), &types))
    };
    let alike = "{ name = 'desk', service = 'exponential:0.5', servers = 3, class = [{ name = 'b', service = 'exponential:0.25' }] }";
    same(&of(4.0, &[true, true], &[true, true]), &by_hand(alike));
    differs(&of(4.0, &[true, true], &[true, true]), &by_hand(&alike.replace("servers = 3", "servers = 2")));
    let apart =
        "{ name = 'desk', service = 'exponential:0.5', class = [{ name = 'b', service = 'exponential:1' }], servers = [
        { name = 'one', serves = ['a'] }, { name = 'two', count = 2, serves = ['b'] }] }";
    same(&of(1.0, &[true, false], &[false, true]), &by_hand(apart));
    let error = from_jmt(&of(1.0, &[true, false], &[true, false])).unwrap_err();
    assert!(error.fault.contains("it lacks a type of servers for class 'b'"), "{error}");
    let types = types(&[("one", 1, &[true, true]), ("two", 1, &[false, true])], "Order");
    let stack = line(-1, "drop", &[("a", "RandStrategy"), ("b", "RandStrategy")]);
    let error = from_jmt(&desk(&stack, server("Server", 2, &laws(4.0), &types))).unwrap_err();
    assert!(error.fault.contains("RandStrategy with such servers has no equal here"), "{error}");
}

#[test]
fn a_server_goes_round() {
    let laws = [("a", exponential(2.0)), ("b", exponential(4.0))];
    let none = || sub("ZeroServiceTimeStrategy", "z", "");
    let of = |kind: &str, servers: u32, get: &str, switch: String| {
        let get = format!("<parameter classPath='x.{kind}PollingGetStrategy' name='FCFSstrategy'>{get}</parameter>");
        let line = plain(&["a", "b"]).replacen(&one("FCFSstrategy", ""), &get, 1);
        let switches = array("SwitchoverStrategy", &[("a", none()), ("b", switch)]);
        desk(&line, server(&format!("{kind}PollingServer"), servers, &laws, &switches))
    };
    let two = value("pollingKValue", 2);
    for (kind, get, takes, other) in [
        ("Exhaustive", "", "exhaustive", "gated"),
        ("Gated", "", "gated", "exhaustive"),
        ("Limited", &*two, "limited:2", "limited:1"),
    ] {
        let station = |takes: &str| {
            by_hand(&format!(
                "{{ name = 'desk', service = 'exponential:0.5', class = [{{ name = 'b', service = 'exponential:0.25' }}],
                servers = [{{ name = 'servers', serves = ['b', 'a'], takes = '{takes}' }}] }}"
            ))
        };
        same(&of(kind, 1, get, none()), &station(takes));
        differs(&of(kind, 1, get, none()), &station(other));
        let error = from_jmt(&of(kind, 2, get, none())).unwrap_err();
        assert!(error.fault.contains("polling by 2 servers has no equal here"), "{error}");
        let walking = |law: &str| {
            by_hand(&format!(
                "{{ name = 'desk', service = 'exponential:0.5', class = [{{ name = 'b', service = 'exponential:0.25' }}],
                servers = [{{ name = 'servers', serves = ['a', 'b'], takes = '{takes}', walking = 'constant:0.000001', rests = true,
                    class = [{{ name = 'b', walking = '{law}' }}] }}] }}"
            ))
        };
        same(&of(kind, 1, get, exponential(8.0)), &walking("exponential:0.125"));
        differs(&of(kind, 1, get, exponential(8.0)), &walking("exponential:0.25"));
    }
    let error = from_jmt(&of("Limited", 1, &value("pollingKValue", 0), none())).unwrap_err();
    assert!(error.fault.contains("'0' is wrong; it must be 1 or more"), "{error}");
    let mixed = of("Gated", 1, "", none()).replacen("GatedPollingGet", "ExhaustivePollingGet", 1);
    assert!(from_jmt(&mixed).unwrap_err().fault.contains("the strategy that goes with GatedPollingServer"));
}

/// Of two desks the first serves by the mean service, the second as they come: no priorities serve both.
#[test]
fn a_station_has_an_order_of_its_own() {
    let random = || router(&[("a", "RandomStrategy"), ("b", "RandomStrategy")]);
    let laws = |a: f64, b: f64| [("a", exponential(a)), ("b", exponential(b))];
    let desk = |name, put: &str| {
        let line = line(-1, "drop", &[("a", put), ("b", put)]);
        node(name, &[line, server("Server", 2, &laws(1.25, 5.0), ""), random()])
    };
    let jmt = |first: &str| {
        let source = source("in", &laws(1.0, 1.0), &random());
        let parts = [
            open("a", "in", 0),
            open("b", "in", 0),
            source,
            desk("desk", first),
            desk("last", "TailStrategy"),
            sink("out"),
        ];
        model(&parts, "in>desk desk>last last>out", "")
    };
    let network = |serves: &str| {
        format!(
            "{CLASSES}\n{SOURCES}\nstation = [
            {{ name = 'desk', service = 'exponential:0.8', class = [{{ name = 'b', service = 'exponential:0.2' }}],
              servers = [{{ name = 'servers', count = 2, serves = [{serves}] }}] }},
            {{ name = 'last', service = 'exponential:0.8', servers = 2, class = [{{ name = 'b', service = 'exponential:0.2' }}] }},
            ]
            route = [{{ from = 'desk', to = 'last' }}, {{ from = 'last', to = 'out' }}]"
        )
    };
    same(&jmt("SEPTStrategy"), &network("'b', 'a'"));
    same(&jmt("LEPTStrategy"), &network("'a', 'b'"));
    differs(&jmt("LEPTStrategy"), &network("'b', 'a'"));
}

#[test]
fn who_finds_a_full_station_tries_again() {
    let again = array("retrialDistributions", &[("c", exponential(0.5))]);
    let line = line(2, "retrial", &[("c", "TailStrategy")]).replacen("</section>", &format!("{again}</section>"), 1);
    let jmt = queue(&line, &exponential(1.0), ("Server", ""));
    let network = |pause: f64| {
        format!(
            "station = [
                {{ name = 'desk', service = 'exponential:1', capacity = 2, full_to = 'pause' }},
                {{ name = 'pause', service = 'exponential:{pause}', servers = 'infinite' }},
            ]
            source = [{{ name = 'in', interval = 'exponential:2', to = 'desk' }}]
            sink = [{{ name = 'out' }}]
            route = [{{ from = 'pause', to = 'desk' }}, {{ from = 'desk', to = 'out' }}]"
        )
    };
    same(&jmt, &network(2.0));
    differs(&jmt, &network(1.0));
    let toml = from_jmt(&jmt).unwrap().toml;
    assert!(toml.contains("full_to = \"orbit of desk\"\n") && digest(&toml).len() == 64, "{toml}");
}

/// JMT counts who waits, a network file who is there.
#[test]
fn jobs_do_not_join_a_long_line() {
    let range =
        |from: u32, share: f64| sub("LDParameter", "LDParameter", &(value("from", from) + &value("function", share)));
    let balks = |ranges: &[(u32, f64)], by_priority: bool| {
        let ranges: String = ranges.iter().map(|(from, share)| range(*from, *share)).collect();
        let strategy =
            sub("LoadDependentStrategy", "LoadDependentStrategy", &sub("LDParameter", "LDParameter", &ranges));
        sub("Balking", "Balking", &(strategy + &value("priorityActivated", by_priority)))
    };
    let of = |impatience: &[(&str, String)], kind: &str| {
        let line = plain(&["a", "b"]).replacen("</section>", &(array("Impatience", impatience) + "</section>"), 1);
        desk(&line, server(kind, 2, &[("a", exponential(0.75)), ("b", exponential(0.75))], ""))
    };
    let both = |one: String| [("a", one.clone()), ("b", one)];
    let ranges = [(1, 0.25), (3, 0.75)];
    let network = |balking: &str| {
        by_hand(&format!(
            "{{ name = 'desk', service = 'exponential:1.3333333333333333', servers = 2, balking = [{balking}] }}"
        ))
    };
    same(&of(&both(balks(&ranges, true)), "Server"), &network("0, 0, 0, 0.25, 0.25, 0.75"));
    differs(&of(&both(balks(&ranges, false)), "Server"), &network("0, 0, 0.25, 0.25, 0.75"));
    for (impatience, kind, said) in [
        (
            [("a", balks(&ranges, false)), ("b", balks(&[(1, 0.5)], false))],
            "Server",
            "class 'b' has other probabilities",
        ),
        (both(balks(&ranges, false)), "PSServer", "balking at such a station has no equal here"),
        (both(balks(&[(1, 1.5)], false)), "Server", "'1.5' is wrong; it must be a probability from 0 to 1"),
        (both(balks(&[(3, 0.5), (1, 0.5)], false)), "Server", "ranges of which each begins later than the one before"),
        (both(balks(&[(20_000, 0.5)], false)), "Server", "it must be below 9998"),
        (
            both(balks(&[(1, 0.5)], false).replacen("<value>1<", "<value>9223372036854775807<", 1)),
            "Server",
            "it must be below 9998",
        ),
    ] {
        let error = from_jmt(&of(&impatience, kind)).unwrap_err();
        assert!(error.fault.contains(said) && error.place.contains("parameter Impatience"), "{error}");
    }
}

#[test]
fn so_many_share() {
    let shared = queue(&plain(&["c"]), &exponential(1.0), ("PSServer", &one("maxRunning", "2")));
    let network = |units: u32| {
        format!(
            "resource = [{{ name = 'place', units = {units} }}]
            station = [{{ name = 'desk', service = 'exponential:1', discipline = 'ps',
                seizes = {{ place = 1 }}, seizes_at = 'arrival', releases = {{ place = 1 }} }}]
            source = [{{ name = 'in', interval = 'exponential:2', to = 'desk' }}]
            sink = [{{ name = 'out' }}]
            route = [{{ from = 'desk', to = 'out' }}]"
        )
    };
    same(&shared, &network(2));
    differs(&shared, &network(1));
    let full = line(4, "drop", &[("c", "TailStrategy")]);
    let error = from_jmt(&queue(&full, &exponential(1.0), ("PSServer", &one("maxRunning", "2")))).unwrap_err();
    assert!(error.fault.contains("a limit of the jobs that share beside other rules of the line"), "{error}");
}
