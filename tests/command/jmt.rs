//! Files of JMT: what runs is what `convert` prints, results of JMT stand beside ours, and faults have their lines.

use super::*;

/// An M/M/1 with results, as JMT would have written them.
const MODEL: &str = "<?xml version='1.0' encoding='ISO-8859-1'?>
<archive name='m.jsimg'>
<sim name='m.jsimg' maxSimulated='2000'>
<userClass name='c' type='open' priority='0' referenceSource='in'/>
<node name='in'>
<section className='RandomSource'>
<parameter array='true' classPath='jmt.engine.NetStrategies.ServiceStrategy' name='ServiceStrategy'>
<refClass>c</refClass>
<subParameter classPath='jmt.engine.NetStrategies.ServiceStrategies.ServiceTimeStrategy' name='ServiceTimeStrategy'>
<subParameter classPath='jmt.engine.random.Exponential' name='Exponential'/>
<subParameter classPath='jmt.engine.random.ExponentialPar' name='distrPar'>
<subParameter classPath='java.lang.Double' name='lambda'><value>0.5</value></subParameter>
</subParameter>
</subParameter>
</parameter>
</section>
<section className='ServiceTunnel'/>
<section className='Router'>
<parameter array='true' classPath='jmt.engine.NetStrategies.RoutingStrategy' name='RoutingStrategy'>
<refClass>c</refClass>
<subParameter classPath='jmt.engine.NetStrategies.RoutingStrategies.RandomStrategy' name='Random'/>
</parameter>
</section>
</node>
<node name='caf\u{e9}'>
<section className='Queue'>
<parameter classPath='java.lang.Integer' name='size'><value>-1</value></parameter>
<parameter classPath='jmt.engine.NetStrategies.QueueGetStrategies.FCFSstrategy' name='FCFSstrategy'/>
<parameter array='true' classPath='jmt.engine.NetStrategies.QueuePutStrategy' name='QueuePutStrategy'>
<refClass>c</refClass>
<subParameter classPath='jmt.engine.NetStrategies.QueuePutStrategies.TailStrategy' name='TailStrategy'/>
</parameter>
</section>
<section className='Server'>
<parameter classPath='java.lang.Integer' name='maxJobs'><value>1</value></parameter>
<parameter array='true' classPath='jmt.engine.NetStrategies.ServiceStrategy' name='ServiceStrategy'>
<refClass>c</refClass>
<subParameter classPath='jmt.engine.NetStrategies.ServiceStrategies.ServiceTimeStrategy' name='ServiceTimeStrategy'>
<subParameter classPath='jmt.engine.random.Exponential' name='Exponential'/>
<subParameter classPath='jmt.engine.random.ExponentialPar' name='distrPar'>
<subParameter classPath='java.lang.Double' name='lambda'><value>1.0</value></subParameter>
</subParameter>
</subParameter>
</parameter>
</section>
<section className='Router'>
<parameter array='true' classPath='jmt.engine.NetStrategies.RoutingStrategy' name='RoutingStrategy'>
<refClass>c</refClass>
<subParameter classPath='jmt.engine.NetStrategies.RoutingStrategies.RandomStrategy' name='Random'/>
</parameter>
</section>
</node>
<node name='out'><section className='JobSink'/></node>
<measure name='r' type='Response Time' referenceNode='caf\u{e9}' referenceUserClass='c' alpha='0.01' precision='0.03'/>
<measure name='d' type='Drop Rate' referenceNode='caf\u{e9}' referenceUserClass='c' alpha='0.01' precision='0.03'/>
<connection source='in' target='caf\u{e9}'/>
<connection source='caf\u{e9}' target='out'/>
</sim>
<results pollingInterval='1'>
<measure name='r' type='2' referenceStation='caf\u{e9}' referenceClass='c' finalValue='2.0' analyzedSamples='9' precision='0.03' alpha='0.99'>
<sample meanValue='2.0' lowerBound='1.9' upperBound='2.1'/>
</measure>
<measure name='d' type='8' referenceStation='caf\u{e9}' referenceClass='c' finalValue='0' analyzedSamples='9' precision='0.03' alpha='0.99'>
<sample meanValue='0'/>
</measure>
</results>
</archive>
";

/// A file in Latin-1, as JMT writes.
fn file(name: &str, text: &str) -> String {
    let path = path(name);
    std::fs::write(&path, text.chars().map(|c| c as u8).collect::<Vec<u8>>()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn what_runs_is_what_convert_prints() {
    let jsimg = file("jmt-runs.jsimg", MODEL);
    let converted = output(&["convert", &jsimg]);
    assert!(converted.status.success(), "{}", text(&converted.stderr));
    let toml = path("jmt-runs.toml");
    std::fs::write(&toml, &converted.stdout).unwrap();
    let run = |file: &str| json(&["network", file], &["--replications", "5"]).1;
    let (ours, theirs) = (run(toml.to_str().unwrap()), run(&jsimg));
    assert_eq!(ours["digest"], theirs["digest"]);
    assert_eq!(theirs["arguments"]["description"].as_str(), Some(&*text(&converted.stdout)));
    assert!(ours["jmt"].is_null() && ours["arguments"]["jmt"].is_null());
    // The same model in another wrapping, and without any.
    let sim = &MODEL[MODEL.find("<sim").unwrap()..MODEL.find("<results").unwrap()];
    let bare = file("jmt-bare.jsim", sim.replace('\u{e9}', "e").trim_end());
    assert_eq!(run(&bare)["digest"], ours["digest"]);
    assert_eq!(run(&file("jmt-runs.jsimw", MODEL))["digest"], ours["digest"]);
    // Another horizon has a warm-up of its own.
    let shorter = json(&["network", &jsimg], &["--until", "50"]).1;
    assert_eq!(shorter["parameters"]["warmup"], 2.5);
}

#[test]
fn results_of_jmt_stand_beside_ours() {
    let jsimg = file("jmt-beside.jsimg", MODEL);
    let result = json(&["network", &jsimg], &["--replications", "5"]).1;
    let [beside] = &result["jmt"].as_array().unwrap()[..] else { panic!("{}", result["jmt"]) };
    let station = &result["stations"][0];
    // There it is the sum of waiting and service, to the bit.
    let apart = beside["mean"].as_f64().unwrap() - station["mean_system_time"].as_f64().unwrap();
    assert!(apart.abs() < 1e-12, "{apart}");
    assert_eq!(beside["half_width"], station["half_widths"]["mean_system_time"]);
    let theirs = ["mean", "lower", "upper"].map(|key| beside["jmt"][key].as_f64());
    assert_eq!(theirs, [Some(2.0), Some(1.9), Some(2.1)]);
    assert_eq!((&beside["jmt"]["station"], &beside["jmt"]["measure"]), (&"caf\u{e9}".into(), &"Response Time".into()));
    let said = text(&output(&["network", &jsimg]).stdout);
    let line = said.lines().find(|line| line.contains("Response Time")).expect(&said);
    assert_eq!(
        line.split_whitespace().take(7).collect::<Vec<_>>(),
        ["caf\u{e9}", "c", "Response", "Time", "1.9", "2", "2.1"]
    );
    assert!(!said.contains("Drop Rate"), "{said}");
    // A rerun needs no file.
    let saved = path("jmt-beside.json");
    std::fs::write(&saved, result.to_string()).unwrap();
    std::fs::remove_file(&jsimg).unwrap();
    let again = output(&["rerun", saved.to_str().unwrap()]);
    assert!(again.status.success(), "{}", text(&again.stderr));
}

#[test]
fn faults_of_such_files_have_their_lines() {
    for (name, from, to, said) in [
        ("cut", "</archive>", "</archiv>", "line 67: it is no XML: "),
        (
            "oven",
            "random.Exponential'",
            "random.Oven'",
            "line 10: node 'in', section RandomSource, parameter ServiceStrategy, class 'c': ",
        ),
        ("long", "<value>1.0</value>", "<value>1e-12</value>", "law 'exponential:"),
    ] {
        let file = file(&format!("jmt-{name}.jsimg"), &MODEL.replacen(from, to, 1));
        for command in ["network", "convert"] {
            let output = output(&[command, &file]);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.contains(&format!("jmt-{name}.jsimg, line ")) && error.contains(said), "{error}");
        }
    }
    let output = output(&["convert", "examples/networks/clinic.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("clinic.toml is no file of JMT, which is XML"), "{}", text(&output.stderr));
}
