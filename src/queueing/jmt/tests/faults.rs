//! What is wrong with a file, and where.

use super::pieces::{self, *};
use super::queue;
use crate::jmt::from_jmt;

#[test]
fn faults_name_the_place_and_the_line() {
    let whole = queue(&plain(&["c"]), &exponential(4.0), ("Server", ""));
    let line_of = |part: &str| 1 + whole[..whole.find(part).expect(part)].matches('\n').count();
    let server = line_of("<section className='Server'>");
    for (from, to, line, said) in [
        ("<archive>", "<model>", 20, "it is no XML: "),
        (
            "<section className='Server'>",
            "<section className='Semaphore'>",
            server,
            "a station that waits for some copies",
        ),
        ("<section className='Server'>", "<section className='Oven'>", server, "the section 'Oven' is not known"),
        ("name='maxJobs'", "name='most'", server, "section Server, parameter most: the parameter 'most' is not known"),
        ("<value>1</value>", "<value>many</value>", server, "parameter maxJobs: 'many' is wrong"),
        ("<value>1</value>", "<value>0</value>", server, "'0' is wrong; it must be 1 server or more"),
        ("<value>4</value>", "<value>-4</value>", server, "'-4' is wrong; it must be above 0"),
        (
            "classPath='x.RandomStrategy'",
            "classPath='x.Compass'",
            7,
            "class 'c': the routing strategy 'Compass' is not known",
        ),
        (
            "source='desk' target='out'",
            "source='desk' target='home'",
            18,
            "'home' is wrong; it must be the name of a node",
        ),
        ("<connection source='desk' target='out'/>", "", 9, "node 'desk': it lacks a connection that leads from it"),
        ("source='desk' target='out'", "source='desk' target='in'", 18, "a connection that leads to a source, 'in',"),
        ("source='desk' target='out'", "source='out' target='desk'", 18, "a connection that leads from a sink, 'out',"),
        ("referenceSource='in'", "referenceSource='inn'", 3, "'inn' is wrong; it must be the name of a node"),
        ("<node name='desk'>", "<node name='in'>", 9, "'in' is wrong; it must be a name that nothing else has"),
        ("type='open'", "type='ajar'", 3, "class 'c': 'ajar' is wrong; it must be open or closed"),
    ] {
        let error = from_jmt(&whole.replacen(from, to, 1)).expect_err(to);
        assert!(error.to_string().contains(said) && error.line == line, "{to}: {error}");
    }
    let unserved = queue(&plain(&["c"]), "", ("Server", ""));
    let error = from_jmt(&unserved).unwrap_err();
    assert_eq!((error.line, &*error.place), (server, "node 'desk', section Server"));
    assert_eq!(error.fault, "it lacks a service of class 'c', whose jobs come here");
    let oven = queue(&plain(&["c"]), &law("Oven", &[]), ("Server", ""));
    let error = from_jmt(&oven).unwrap_err();
    assert_eq!(error.place, "node 'desk', section Server, parameter ServiceStrategy, class 'c'");
    assert!(error.fault.starts_with("the distribution 'Oven' is not known; known are Coxian, "), "{error}");
    assert!(from_jmt("<sim/>").unwrap_err().fault.contains("it lacks a node"));
    // Diamonds of routers, one behind the other: each doubles the number of ways.
    let random = || router(&[("c", "RandomStrategy")]);
    let pass = |name: String| node(&name, &[line(-1, "drop", &[]), section("ServiceTunnel", ""), random()]);
    let mut nodes = vec![open("c", "in", 0), source("in", &[("c", exponential(0.5))], &random())];
    let mut connections = "in>a0 ".to_owned();
    for step in 0..40 {
        nodes.extend(["a", "b", "c"].map(|name| pass(format!("{name}{step}"))));
        let next = if step < 39 { format!("a{}", step + 1) } else { "desk".into() };
        connections += &format!("a{step}>b{step} a{step}>c{step} b{step}>{next} c{step}>{next} ");
    }
    let service = pieces::server("Server", 1, &[("c", exponential(4.0))], "");
    nodes.extend([node("desk", &[plain(&["c"]), service, random()]), sink("out")]);
    let error = from_jmt(&model(&nodes, &(connections + "desk>out"), "")).unwrap_err();
    assert!(error.fault.contains("so many nodes without a station between them"), "{error}");
    assert!(from_jmt("<html/>").unwrap_err().fault.contains("an <archive> with a <sim>"));
}
