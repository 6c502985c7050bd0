//! Models that together need every kernel of the library.

use tickless_cdpp::RuleFile;
use tickless_cells as cells;
use tickless_cells::CellError;
use tickless_cells::gpu::{CellOptions, DeviceCells};
use tickless_core::random::ServiceLaw;
use tickless_core::time::Time;
use tickless_device::AdapterDescription;
use tickless_engine::ModelParts;
use tickless_engine::pending::PendingSet;
use tickless_fire::watershed::Watershed;
use tickless_fire::{Fire, Landscape, Spreading, Weather};
use tickless_pathfinding::gpu::{OpenList, SearchOptions};
use tickless_pathfinding::{self as pathfinding, Map, Query, Searches};
use tickless_processes::gpu::{DeviceModel, ProcessOptions};
use tickless_processes::{self as processes, Phold};
use tickless_queueing::gpu::Synchronization;
use tickless_queueing::{
    self as queueing, Class, Discipline, Network, NetworkOptions, Observed, Rates, Repetition, Route, Routing, Shifts,
    Source, Station, Topology, Trace,
};

type Problem = Box<dyn std::error::Error>;

/// A name of a model, and its parts for the engine on an adapter.
pub(super) fn samples(adapter: &AdapterDescription) -> Result<Vec<(String, ModelParts)>, Problem> {
    Ok([queueing(adapter)?, logical_processes(adapter)?, cell_spaces(adapter)?, searches(adapter)?].concat())
}

fn queueing(adapter: &AdapterDescription) -> Result<Vec<(String, ModelParts)>, Problem> {
    let each = Station::new("facility ", "exponential:10".parse()?).tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 64, height: 64 }, &each, 0.0)?.check()?;
    let mut samples = vec![];
    for (name, how) in [
        ("torus-window", Synchronization::Window),
        ("torus-appointments", Synchronization::Appointments),
        ("torus-tiles", Synchronization::AppointmentsInTiles),
    ] {
        let options = NetworkOptions { figures_only: true, ..NetworkOptions::default() };
        samples.push((name.to_owned(), queueing::gpu::parts(&[(&torus, 0..1)], how, adapter, &options)?));
        let restored = queueing::gpu::restored_parts(&[(&torus, 0..1)], how, adapter, &NetworkOptions::default())?;
        samples.push((format!("{name}-restored"), restored));
    }
    let clinic = || Network::from_toml(include_str!("samples/clinic.toml"));
    let desk = || -> Result<Station, Problem> { Ok(Station::new("desk", "exponential:1".parse()?)) };
    let tandem = Topology::Tandem { stations: 3, interval: "exponential:2".parse()? };
    let tandem = Network::generate(&tandem, &desk()?, 0.0)?;
    let crowds = Topology::RandomRegular { stations: 100, degree: 64, seed: 1 };
    let crowds = Network::generate(&crowds, &desk()?.servers(40).tokens(1), 0.0)?.window(0.1);
    let mut fronts = Network::new().window(100.0);
    let (station, exit) = (fronts.station(desk()?), fronts.sink("exit"));
    fronts.source(Source::new("source", "exponential:2".parse()?, station));
    fronts.route(station, exit, 1.0, 0.0);
    for (name, network, how) in [
        ("network-window", clinic()?, Synchronization::Window),
        ("network-observed", clinic()?.distributions(Observed::All), Synchronization::Window),
        ("network-approximate", clinic()?.approximate(0.5), Synchronization::Window),
        ("network-crowds", crowds, Synchronization::Window),
        ("network-fronts", fronts, Synchronization::Window),
        ("network-appointments", tandem.clone(), Synchronization::Appointments),
        ("network-appointments-restored", tandem.clone(), Synchronization::Appointments),
        ("network-appointments-observed", tandem.distributions(Observed::All), Synchronization::Appointments),
    ] {
        let parts = if name.ends_with("restored") { queueing::gpu::restored_parts } else { queueing::gpu::parts };
        let parts = parts(&[(&network.check()?, 0..1)], how, adapter, &NetworkOptions::default())?;
        samples.push((name.to_owned(), parts));
    }
    let stages = Network::from_toml(include_str!("samples/stages.toml"))?;
    let all = [
        ("classes-window", in_rounds()?),
        ("classes", stages.clone()),
        ("classes-blocking", blocking(stages.clone())?),
        ("classes-changing", changing(stages.clone())?),
    ];
    let model = many_pending(stages.clone())?.check()?;
    let several = queueing::gpu::parts(
        &[(&model, 0..1), (&model, 1..2)],
        Synchronization::Window,
        adapter,
        &NetworkOptions::default(),
    )?;
    samples.push(("classes-several".to_owned(), several));
    for (name, network) in all {
        let how = Synchronization::Window;
        let parts = queueing::gpu::parts(&[(&network.check()?, 0..1)], how, adapter, &NetworkOptions::default())?;
        samples.push((name.to_owned(), parts));
    }
    Ok(samples)
}

/// Adds a station with servers for everyone, in which many tokens are, and a target.
fn many_pending(mut network: Network) -> Result<Network, Problem> {
    let crowd = Station::new("crowd", "exponential:200".parse()?).infinite_servers().targets(vec![100.0]);
    let crowd = network.station(crowd);
    let gone = network.sink("gone");
    network.source(Source::new("crowds", "exponential:1".parse()?, crowd));
    network.add_route(Route::new(crowd, gone));
    Ok(network)
}

/// A network of classes, in rounds.
fn in_rounds() -> Result<Network, Problem> {
    let mut network = Network::new().window(0.5);
    let [first, second] = ["first", "second"].map(|name| network.class(Class::new(name)));
    let desk = network.station(Station::new("desk", "exponential:1".parse()?).tokens(1));
    network.add_route(Route::new(desk, desk).class(first).becomes(second));
    network.add_route(Route::new(desk, desk).class(second).becomes(first));
    network.source(Source::by_trace("in", Trace::new(vec![(1.0, None, 2)]), desk));
    Ok(network)
}

/// Adds a station with every feature whose kernels differ.
fn changing(mut network: Network) -> Result<Network, Problem> {
    let [one, two]: [ServiceLaw; 2] = ["lognormal:1,1".parse()?, "exponential:9".parse()?];
    let shared = Station::new("shared", one.clone()).discipline(Discipline::Sharing).routing(Routing::RoundRobin);
    let shared = network.station(shared);
    let narrow = Station::new("narrow", one.clone()).discipline(Discipline::Random).capacity(4).blocking();
    let narrow = network.station(narrow.shifts(Shifts::new(vec![(0.0, 1), (5.0, 2)])).failures(two, one));
    let rates = Rates::new(vec![(0.0, 0.1)]);
    network.source(Source::by_rates("by rates", rates, shared).batch(vec![0.5, 0.5]));
    network.add_route(Route::new(shared, narrow));
    network.add_route(Route::new(narrow, shared));
    Ok(network)
}

/// Adds a ring of stations that block in every way.
fn blocking(mut network: Network) -> Result<Network, Problem> {
    let station = |name: &str| Ok::<_, Problem>(Station::new(name, "exponential:1".parse()?).capacity(2).tokens(1));
    let exchanging = network.station(station("exchanging")?.exchanging());
    let repeating = network.station(station("repeating")?.repeating(Repetition::SameDestination));
    let fed = network.station(station("fed")?.blocking_before());
    for (from, to) in [(exchanging, repeating), (repeating, fed), (fed, exchanging)] {
        network.add_route(Route::new(from, to));
    }
    Ok(network)
}

fn logical_processes(adapter: &AdapterDescription) -> Result<Vec<(String, ModelParts)>, Problem> {
    let bare = DeviceModel::from(&Phold::new(1 << 10).population(16).check()?);
    let carrying = DeviceModel { payload_words: 3, ..bare.clone() };
    let mut samples = vec![];
    for set in PendingSet::ALL {
        for (model, kind) in [(&bare, ""), (&carrying, "-carrying")] {
            let options = ProcessOptions { pending: set, figures_only: true, ..ProcessOptions::default() };
            let parts = processes::gpu::parts(model, &options, adapter)?;
            samples.push((format!("phold-{}{kind}", set.name()), parts));
        }
    }
    let few = DeviceModel { processes: 9, burst: 1.0, ..bare };
    let options = ProcessOptions { figures_only: true, ..ProcessOptions::default() };
    samples.push(("phold-few".to_owned(), processes::gpu::parts(&few, &options, adapter)?));
    Ok(samples)
}

fn cell_spaces(adapter: &AdapterDescription) -> Result<Vec<(String, ModelParts)>, Problem> {
    let meadow = Landscape::uniform(40, 30, 30.0, 1)?;
    let columns = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody";
    let turning = format!("{columns}\n0,5,0.4,0,6,7,8,60,90\n60,9,0.4,90,6,7,8,60,90\n");
    let turning = Fire::new(meadow.clone(), Weather::parse(&turning, "weather.csv")?);
    let making = turning.clone().store_ellipses(0).check()?;
    let turning = turning.spreading(Spreading::Neighbours).check()?;
    let fire = Fire::new(meadow, Weather::still());
    let neighbours = fire.clone().spreading(Spreading::Neighbours).check()?;
    let fire = fire.check()?;
    let watershed = Watershed::new(3, 2, vec![0.0; 6]).check()?;
    let life = RuleFile::parse(include_str!("samples/life.ma"), "life.ma", |_| None)?;
    let alarm = include_str!("samples/alarm.ma");
    let variables = include_str!("samples/alarm.var");
    let alarm = RuleFile::parse(alarm, "alarm.ma", |_| Some(variables.to_owned()))?;
    Ok(vec![
        ("fire".into(), of_cells((&fire, 2), false, adapter)?),
        ("fire-made-ellipses".into(), of_cells((&making, 1), false, adapter)?),
        ("fire-neighbours".into(), of_cells((&neighbours, 2), false, adapter)?),
        ("fire-neighbours-changing-weather".into(), of_cells((&turning, 1), false, adapter)?),
        ("fire-neighbours-logged".into(), of_cells((&neighbours, 2), true, adapter)?),
        ("watershed".into(), of_cells((&watershed, 1), false, adapter)?),
        ("rules".into(), of_cells((&life.model(Time::UNIT, 1), 1), false, adapter)?),
        ("rules-ports".into(), of_cells((&alarm.model(Time::UNIT, 1), 1), false, adapter)?),
    ])
}

/// Searches with every set of open cells, on maps with equal or unequal costs, with or without paths.
fn searches(adapter: &AdapterDescription) -> Result<Vec<(String, ModelParts)>, Problem> {
    let weighted = Map::new(2, 1, vec![1, 2])?;
    let mut samples = vec![];
    for open_list in OpenList::ALL.into_iter().filter(|list| *list != OpenList::Auto) {
        let options = SearchOptions { open_list, ..SearchOptions::default() };
        for (map, paths, kind) in [(Map::free(2, 1)?, false, ""), (weighted.clone(), true, "-weighted-paths")] {
            let model = Searches::new(map).paths(paths).queries(vec![Query::default()]).check()?;
            let parts = pathfinding::gpu::parts(&model, &options, adapter)?;
            samples.push((format!("search-{}{kind}", open_list.name()), parts));
        }
    }
    Ok(samples)
}

/// In order and with a log, or as the model goes best.
fn of_cells(
    (model, replications): (&impl DeviceCells, u32),
    logged: bool,
    adapter: &AdapterDescription,
) -> Result<ModelParts, CellError> {
    cells::gpu::parts(
        model,
        0..replications,
        &CellOptions { ordered: logged, figures_only: !logged, ..CellOptions::default() },
        adapter,
        logged,
    )
}

#[cfg(test)]
mod tests {
    /// A package of this crate has its folder alone, so the samples stand there once more.
    #[test]
    fn samples_are_the_examples() {
        for (sample, example) in [
            (include_str!("samples/clinic.toml"), include_str!("../../../examples/networks/clinic.toml")),
            (include_str!("samples/stages.toml"), include_str!("../../../examples/networks/stages.toml")),
            (include_str!("samples/life.ma"), include_str!("../../../examples/cells/life.ma")),
            (include_str!("samples/alarm.ma"), include_str!("../../../examples/cells/alarm.ma")),
            (include_str!("samples/alarm.var"), include_str!("../../../examples/cells/alarm.var")),
        ] {
            assert_eq!(sample, example);
        }
    }
}
