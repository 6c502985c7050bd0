//! Models in pieces: what JMT writes, with short names of Java packages.

/// A parameter in another one.
pub fn sub(kind: &str, name: &str, inner: &str) -> String {
    format!("<subParameter classPath='x.{kind}' name='{name}'>{inner}</subParameter>")
}

pub fn value(name: &str, value: impl std::fmt::Display) -> String {
    sub("Value", name, &format!("<value>{value}</value>"))
}

/// An array with an entry for each class.
pub fn array(name: &str, entries: &[(&str, String)]) -> String {
    let entry = |(class, entry): &(&str, String)| format!("<refClass>{class}</refClass>{entry}");
    let entries: String = entries.iter().map(entry).collect();
    format!("<parameter array='true' classPath='x.Array' name='{name}'>{entries}</parameter>")
}

/// An array whose entries are in their order.
pub fn list(name: &str, entries: &[String]) -> String {
    format!("<parameter array='true' classPath='x.Array' name='{name}'>{}</parameter>", entries.concat())
}

/// Types of servers: names, numbers and which classes they serve.
pub fn types(all: &[(&str, u32, &[bool])], policy: &str) -> String {
    let served = |of: &[bool]| {
        sub("Boolean", "c", &of.iter().map(|serves| value("compatibilities", serves)).collect::<String>())
    };
    [
        list("serverNames", &all.iter().map(|(name, ..)| value("n", format!("desk - {name}"))).collect::<Vec<_>>()),
        list("serversPerServerType", &all.iter().map(|(_, count, _)| value("n", count)).collect::<Vec<_>>()),
        list("serverCompatibilities", &all.iter().map(|(.., of)| served(of)).collect::<Vec<_>>()),
        one("schedulingPolicy", policy),
    ]
    .concat()
}

pub fn one(name: &str, value: &str) -> String {
    format!("<parameter classPath='x.{name}' name='{name}'><value>{value}</value></parameter>")
}

/// A distribution with its numbers, as a strategy.
pub fn law(name: &str, numbers: &[(&str, f64)]) -> String {
    let numbers: String = numbers.iter().map(|(name, number)| value(name, number)).collect();
    sub("ServiceTimeStrategy", "s", &(sub(name, "d", "") + &sub("Par", "distrPar", &numbers)))
}

pub fn exponential(rate: f64) -> String {
    law("Exponential", &[("lambda", rate)])
}

pub fn section(name: &str, inner: &str) -> String {
    format!("<section className='{name}'>{inner}</section>\n")
}

pub fn router(entries: &[(&str, &str)]) -> String {
    let entries: Vec<_> = entries.iter().map(|(class, kind)| (*class, sub(kind, "r", ""))).collect();
    section("Router", &array("RoutingStrategy", &entries))
}

pub fn node(name: &str, sections: &[String]) -> String {
    format!("<node name='{name}'>\n{}</node>\n", sections.concat())
}

pub fn source(name: &str, laws: &[(&str, String)], router: &str) -> String {
    let laws = section("RandomSource", &array("ServiceStrategy", laws));
    node(name, &[laws, section("ServiceTunnel", ""), router.into()])
}

pub fn sink(name: &str) -> String {
    node(name, &[section("JobSink", "")])
}

/// The line of a station: its room, and the discipline and what becomes of who finds no room, of each class.
pub fn line(size: i32, rule: &str, put: &[(&str, &str)]) -> String {
    let rules: Vec<_> = put.iter().map(|(class, _)| (*class, value("dropStrategy", rule))).collect();
    let put: Vec<_> = put.iter().map(|(class, put)| (*class, sub(put, "p", ""))).collect();
    let inner = [
        one("size", &size.to_string()),
        array("dropStrategies", &rules),
        one("FCFSstrategy", ""),
        array("QueuePutStrategy", &put),
    ];
    section("Queue", &inner.concat())
}

/// A line with room for all, first come first served.
pub fn plain(classes: &[&str]) -> String {
    line(-1, "drop", &classes.iter().map(|class| (*class, "TailStrategy")).collect::<Vec<_>>())
}

pub fn server(kind: &str, servers: u32, laws: &[(&str, String)], more: &str) -> String {
    section(kind, &(one("maxJobs", &servers.to_string()) + &array("ServiceStrategy", laws) + more))
}

pub fn open(name: &str, source: &str, priority: u32) -> String {
    format!("<userClass name='{name}' type='open' priority='{priority}' referenceSource='{source}'/>\n")
}

pub fn closed(name: &str, station: &str, customers: u32) -> String {
    format!(
        "<userClass name='{name}' type='closed' priority='0' customers='{customers}' referenceSource='{station}'/>\n"
    )
}

/// A model of classes and nodes, of connections `a>b` between blanks, and what follows them.
pub fn model(parts: &[String], connections: &str, rest: &str) -> String {
    let connection = |one: &str| {
        let (from, to) = one.split_once('>').expect("two ends");
        format!("<connection source='{from}' target='{to}'/>\n")
    };
    let connections: String = connections.split_whitespace().map(connection).collect();
    format!("<archive>\n<sim name='m' maxSimulated='200'>\n{}{connections}{rest}</sim>\n</archive>", parts.concat())
}
