//! Files and the networks that they describe.

use super::*;
use crate::{Source, Station};

const DESK: &str = "[[station]]\nname = \"desk\"\nservice = \"exponential:1\"\n";

#[test]
fn faults_name_their_line() {
    let cases = [
        ("until = \"late\"\n".to_owned() + DESK, 1, "`until` is \"late\"; it must be a number"),
        (DESK.to_owned() + "speed = 3\n", 4, "there is no key `speed` here; it may be one of `name`, "),
        (DESK.to_owned() + DESK, 5, "'desk' is taken already"),
        (DESK.to_owned() + "[[route]]\nfrom = \"desk\"\nto = \"till\"\n", 6, "no station or sink is named 'till'"),
        (
            DESK.to_owned() + "[[source]]\nname = \"in\"\ninterval = \"exponential:x\"\nto = \"desk\"\n",
            6,
            "not a number",
        ),
        (DESK.to_owned() + "[[sink]]\nname = \"exit\"\n[[route]]\nfrom = \"exit\"\nto = \"desk\"\n", 7, "is a sink"),
        (DESK.to_owned() + "[[route]\n", 4, ""),
        (
            DESK.to_owned() + "servers = -1\n",
            4,
            "`servers` is -1; it must be a whole number from 1 to 4294967295, \"infinite\", or tables headed [[station.servers]]",
        ),
        (
            DESK.to_owned() + "capacity = -1\n",
            4,
            "`capacity` is -1; it must be a whole number from 1 to 4294967295, or left out where there is room for all",
        ),
        (
            DESK.to_owned() + "[[stationx]]\nname = \"b\"\n",
            4,
            "there is no table 'stationx'; it may be one of generate, experiment, optimize, class, resource, attribute, station, source, sink, route; 'station' is",
        ),
        (DESK.to_owned() + "[[station.klass]]\nname = \"b\"\n", 4, "no table 'station.klass'; it may be station.class"),
        ("[genrate]\nkind = \"ring\"\n".to_owned(), 1, "no table 'genrate'; it may be one of generate, "),
        ("untill = 5\n".to_owned() + DESK, 1, "there is no key `untill` here; it may be one of `until`, "),
        (DESK.to_owned() + "tokens = 1.5\n", 4, "`tokens` is 1.5; it must be a whole number from 0 to"),
        ("seed = -1\n".to_owned() + DESK, 1, "`seed` is -1; it must be a whole number from 0 to 18446744073709551615"),
        ("[[station]]\nname = 3\nservice = \"constant:1\"\n".to_owned(), 2, "`name` is 3; it must be a text in quotes"),
        ("[[station]]\nname = \"a\"\nservice = 3\n".to_owned(), 3, "`service` is 3; it must be a text in quotes"),
        ("[[station]]\nname = \"a\"\n".to_owned(), 1, "the key `service` is missing"),
        (
            DESK.replace("[[station]]", "[station]"),
            1,
            "`station` is a table; it must be one or more tables, each headed",
        ),
        ("sink = [\"exit\"]\n".to_owned() + DESK, 1, "`sink` is \"exit\"; it must be a table"),
        ("generate = 3\n".to_owned(), 1, "`generate` is 3; it must be a table"),
        (
            "[generate]\nkind = \"mesh\"\nservice = \"constant:1\"\n".to_owned(),
            2,
            "`kind` is \"mesh\"; it must be one of `torus`",
        ),
        ("distributions = 3\n".to_owned() + DESK, 1, "`distributions` must be true, false or a list of stations"),
        (
            DESK.to_owned()
                + "[[sink]]\nname = \"exit\"\n[[source]]\nname = \"in\"\ninterval = \"constant:1\"\nto = \"exit\"\n",
            9,
            "leads to sink 'exit', and sources lead to stations: name a station",
        ),
    ];
    for (text, line, part) in cases {
        let error = Network::from_toml(&text).expect_err(&text);
        assert!(error.line == line && error.fault.contains(part), "{error} for:\n{text}");
    }
}

#[test]
fn everything_written_is_read() {
    let text = "until = 70.0\nwarmup = 7.0\nterminating = true\nseed = 9\nwindow = 0.5\napproximate = 0.25\ntokens = 4\n\
                series_step = 0.125\nunit = \"h\"\ntoken = \"box\"\ncurrency = \"EUR\"\n\
                distributions = [\"a\"]\n\
                [[station]]\nname = \"a\"\nservice = \"constant:2\"\nservers = 3\ncapacity = 9\ntokens = 2\n\
                [[source]]\nname = \"in\"\ninterval = \"exponential:5\"\nto = \"a\"\nstart = 1.5\nlimit = 8\n\
                [[sink]]\nname = \"out\"\n\
                [[route]]\nfrom = \"a\"\nto = \"out\"\nprobability = 0.25\ndelay = 0.5\n\
                [[route]]\nfrom = \"a\"\nto = \"a\"\nprobability = 0.75\n";
    let mut written =
        Network::new().until(70.0).warmup(7.0).terminating(true).seed(9).window(0.5).approximate(0.25).tokens(4);
    written = written
        .distributions(Observed::Stations(vec!["a".into()]))
        .series(0.125)
        .unit("h")
        .token("box")
        .currency("EUR");
    let station = Station::new("a", ServiceLaw::Constant { time: 2.0 }).servers(3).capacity(9).tokens(2);
    let a = written.station(station);
    let out = written.sink("out");
    let interval = ServiceLaw::Exponential { mean: 5.0 };
    written.source(Source::new("in", interval, a).start(1.5).limit(8));
    written.route(a, out, 0.25, 0.5);
    written.route(a, a, 0.75, 0.0);
    assert_eq!(Network::from_toml(text), Ok(written));
}
