//! The rows of the model table.

use super::attributes;
use super::controlled;
use super::features::Features;
use super::groups;
use super::histograms;
use super::layout::most_groups;
use super::records::{NONE, Parameters};
use super::rows::{self, Row};
use crate::NetworkModel;
use crate::capability::{absent_servers, changes_of_servers, duties};
use crate::describe::Order;
use crate::describe::{Chain, Coming, Repetition, Routing, Step};
use crate::model::{GoingOn, Need, Rules, SourceChoice, SourceRules, StationRules};
use tickless_core::random::EffectiveLaw;
use tickless_device::laws::Laws;

/// Rows of the model table.
pub(in super::super) type Rows = Vec<Row>;

/// The rows of a network, whose beginnings by kind are written into `parameters`, and the rows of the tables of its laws.
///
/// Rows of tables that other networks already have come first.
pub(super) fn model_table(
    (model, rules): (&NetworkModel, &Rules),
    tables_before: usize,
    parameters: &mut Parameters,
) -> (Rows, Rows) {
    let (mut rows, mut balking, mut laws) = (vec![], vec![], Laws::behind(tables_before));
    for (station, of) in (0..).zip(&rules.stations) {
        let is_always_served = of.infinite || of.order == Order::Sharing;
        let servers = if is_always_served { u32::MAX } else { model.servers(station) };
        let (capacity, order, preemption) = (model.capacity(station), of.order as u32, of.preemption as u32);
        rows.push(rows::StationRules { servers, capacity, order, preemption }.into());
        let (first, count) = (balking.len() as u32, of.balking.len() as u32);
        let waits_for_others = of.groups.iter().any(|group| group.bulk.wait.is_some());
        let reneges_to = if waits_for_others { groups::STAYS } else { of.reneges_to };
        rows.push(rows::Impatience { first, count, balks_to: of.balks_to, reneges_to }.into());
        balking.extend(of.balking.iter().map(|draws| Row::from(rows::BalkingShare { draws: *draws })));
    }
    parameters.visits = rows.len() as u32;
    for (place, visit) in rules.visits.iter().enumerate() {
        // Who waits for a batch gives up waiting for others after a time that is known.
        let waits = rules.stations[place / rules.names.len()].longest_wait((place % rules.names.len()) as u32);
        let waits = waits.map(EffectiveLaw::constant);
        let by_value = if visit.patience_by.is_some() { attributes::BY_VALUE } else { NONE };
        let patience = visit.patience.as_ref().or(waits.as_ref()).map_or(by_value, |law| laws.number(law));
        let service = if visit.size.is_some() { NONE } else { laws.number(&visit.law) };
        let last = visit.end.max(1) - 1;
        rows.push(rows::Visit { first: visit.first, last, service, patience }.into());
    }
    parameters.edges = rows.len() as u32;
    for edge in &rules.edges {
        rows.push(rows::Edge { upper: edge.upper, goal: edge.target, becomes: edge.becomes }.into());
        rows.push(rows::EdgeDelay { delay: edge.delay.ticks(), up_to: edge.up_to.ticks() }.into());
    }
    parameters.inflows = rows.len() as u32;
    let (mut choices, behind): (Rows, _) = (vec![], rows.len() + 2 * model.inflows.len());
    for (inflow, (class, source)) in model.inflows.iter().zip(rules.source_classes.iter().zip(&rules.sources)) {
        let choice = source.choice.map_or(0, |_| (behind + choices.len()) as u32);
        choices.extend(source.choice.map(choice_row));
        rows.push(rows::Inflow { law: laws.number(&inflow.law), class_of: *class, goal: inflow.target, choice }.into());
        rows.push(rows::InflowLimit { limit: inflow.limit, start: inflow.start.ticks() }.into());
    }
    rows.extend(choices);
    first_tokens((model, rules), parameters, &mut rows);
    let features = Features::of(model, rules);
    if features.overflows || features.deadlines {
        rows.extend(
            rules
                .stations
                .iter()
                .map(|of| Row::from(rows::Overflow { goal: of.full_to, runs_on: of.patience_runs_on.into() })),
        );
    }
    parameters.balking = rows.len() as u32;
    rows.extend(balking);
    if features.batches {
        parameters.batches = rows.len() as u32;
        batches(rules, &mut rows);
    }
    if features.rates || features.varied {
        parameters.intervals = rows.len() as u32;
        intervals(rules, &mut rows);
    }
    if features.routing {
        parameters.ways = rows.len() as u32;
        let by_visit = |id: u32| rules.by_visit.partition_point(|other| *other < id) as u32;
        let number = |id: u32| match rules.stations[id as usize].routing {
            Routing::ByAttribute => rules.stations[id as usize].route_by,
            _ => by_visit(id),
        };
        rows.extend((0..).zip(&rules.stations).map(|(id, station)| way(station.routing, number(id))));
    }
    if features.class_counts {
        parameters.limits = rows.len() as u32;
        let workers = |id: u32| if rules.stations[id as usize].infinite { 0 } else { model.servers(id) };
        rows.extend((0..).zip(&rules.visits).map(|(place, visit): (u32, _)| {
            let (mean, servers) = (visit.mean.ticks(), workers(place / rules.classes()));
            Row::from(rows::ClassLimit { mean, capacity: visit.capacity, servers })
        }));
    }
    if features.changes {
        parameters.server_schedule = rows.len() as u32;
        server_schedule((model, rules), parameters.sources + 1, &mut laws, &mut rows);
    }
    if features.groups {
        parameters.groups = rows.len() as u32;
        groups::rows((model, rules), parameters.sources + 1, &mut laws, &mut rows);
    }
    if features.attributes {
        attributes::rows((model, rules), parameters, &mut laws, &mut rows);
    }
    if features.absences {
        parameters.absences = rows.len() as u32;
        absences((model, rules), parameters.sources + 1, &mut laws, &mut rows);
    }
    if features.units {
        units((model, rules), parameters, &mut rows);
        if features.unit_changes {
            unit_changes((model, rules), parameters.sources + 1, &mut laws, &mut rows);
        }
    }
    if features.forks {
        parameters.joining = rows.len() as u32;
        joining(rules, &mut rows);
    }
    if features.histograms || features.targets {
        parameters.histogram_rows = rows.len() as u32;
        rows.extend(histograms::rows(model, rules));
        rows.extend(model.targets().iter().map(|target| Row::from(rows::Target { time: target.ticks() })));
    }
    if features.blocking {
        parameters.blocking = rows.len() as u32;
        let row = |id: u32| {
            let station = &rules.stations[id as usize];
            let [goes_on, most_servers] = going_on((model, rules), id);
            let flags = [station.blocks, station.exchanges, station.before].map(u32::from);
            let kinds = flags[0] | flags[1] << 1 | flags[2] << 2;
            let repetition = station.repeats.map_or(0, repetition);
            Row::from(rows::Blocking { kinds, goes_on, most_servers, repetition })
        };
        rows.extend((0..model.stations()).map(row));
    }
    if features.sharing || features.paced {
        parameters.sharing_rows = rows.len() as u32;
        clocks((model, rules), &mut rows);
    }
    if features.control {
        controlled::rows((model, rules), parameters, &mut rows);
    }
    // Right before the laws.
    if features.time_factors {
        time_factors(rules, &mut rows);
    }
    parameters.laws = rows.len() as u32;
    rows.extend(laws.words);
    (rows, laws.tables)
}

/// Tokens at time 0, and the priorities, numbered without gaps.
fn first_tokens((model, rules): (&NetworkModel, &Rules), parameters: &mut Parameters, rows: &mut Rows) {
    let mut levels = rules.levels.clone();
    levels.sort_unstable();
    levels.dedup();
    let level = |class: u32| levels.partition_point(|level| *level < rules.levels[class as usize]) as u32;
    parameters.initials = rows.len() as u32;
    let mut classes: Vec<u32> = (0..rules.classes()).collect();
    classes.sort_by_key(|class| level(*class));
    for (station, class) in (0..model.stations()).flat_map(|id| classes.iter().map(move |class| (id, *class))) {
        let count = rules.visit(station, class).tokens;
        if count > 0 {
            rows.push(rows::FirstTokens { station, class_of: class, count }.into());
        }
    }
    parameters.initial_rows = rows.len() as u32 - parameters.initials;
    parameters.levels = rows.len() as u32;
    // Behind groups of servers, and where ranks are decided, each class has a list of its own, and each group one of those that are interrupted.
    let own = if rules.stations.iter().any(StationRules::has_failing_groups) { most_groups(rules) } else { 0 };
    let ranked = (0..model.stations()).any(|id| rules.ranks_of(id).is_some());
    let by_class = rules.has_groups() || ranked;
    let lists = if by_class { (rules.names.len() + own as usize).max(levels.len()) } else { levels.len() };
    parameters.level_count = lists as u32;
    rows.extend((0..rules.classes()).map(|class| Row::from(rows::Priority { level: level(class) })));
}

/// Where tokens stand aside until others have come, and where they split: two rows of each station, then parts of kits and shares.
fn joining(rules: &Rules, rows: &mut Rows) {
    let mut next = (rows.len() + 2 * rules.stations.len()) as u32;
    let mut behind = vec![];
    let is_joined = u32::from(!rules.joining.is_empty());
    for station in &rules.stations {
        let (parts, sizes) = (station.kit.len() as u32, station.splits.len() as u32);
        rows.push(rows::Joining { joins: station.joins.into(), first: next, parts }.into());
        let by_routes = station.routing == Routing::Fork;
        rows.push(rows::Splitting { by_routes: by_routes.into(), first: next + parts, sizes, is_joined }.into());
        behind.extend(
            station.kit.iter().map(|part| Row::from(rows::KitPart { class_of: part.class, count: part.tokens })),
        );
        behind.extend(station.splits.iter().map(|draws| Row::from(rows::SplitShare { draws: *draws })));
        next += parts + sizes;
    }
    rows.extend(behind);
}

pub(in super::super) fn batches(rules: &Rules, rows: &mut Rows) {
    let mut first = rows.len() + rules.sources.len();
    for source in &rules.sources {
        let (count, largest) = (source.batch.len() as u32, source.largest_batch());
        rows.push(rows::Batches { first: first as u32, count, largest }.into());
        first += source.batch.len();
    }
    let shares = rules.sources.iter().flat_map(|source| &source.batch);
    rows.extend(shares.map(|draws| Row::from(rows::BatchShare { draws: *draws })));
}

/// The arrivals of sources: `intervals_varied.wgsl` has the numbers.
pub(in super::super) fn intervals(rules: &Rules, rows: &mut Rows) {
    let mut first = rows.len() + 2 * rules.sources.len();
    let mut all = vec![];
    for source in &rules.sources {
        let period = source.intensity.as_ref().and_then(|intensity| intensity.period());
        let (count, kind, own) = match source {
            SourceRules { intensity: Some(intensity), .. } => {
                let step = |step: &Step| -> [Row; 2] {
                    let begin = rows::Step { start: step.start, before: step.before };
                    [begin.into(), rows::StepInterval { mean: step.mean }.into()]
                };
                (intensity.steps().len(), 1, intensity.steps().iter().flat_map(step).collect())
            }
            SourceRules { phases: Some(chain), .. } => (chain.phases.len(), 2, phases(chain, first)),
            SourceRules { trace: Some(trace), .. } => {
                let row = |row: &Coming| -> Row {
                    rows::Coming { after: row.after.ticks(), class_of: row.class, tokens: row.tokens }.into()
                };
                (trace.len(), 3, trace.iter().map(row).collect())
            }
            _ => (0, 0, vec![]),
        };
        let (length, tokens) = period.unwrap_or((0, 0));
        rows.push(rows::Intervals { first: first as u32, count: count as u32, kind }.into());
        rows.push(rows::Period { length, tokens }.into());
        first += own.len();
        all.push(own);
    }
    rows.extend(all.into_iter().flatten());
}

/// The rows of phases; `first` is the number of their first row.
fn phases(chain: &Chain, first: usize) -> Rows {
    let mut rows: Rows = chain.first.iter().map(|end| rows::PhaseShare { draws: *end }.into()).collect();
    let mut next = first + 2 * chain.phases.len();
    for stay in &chain.phases {
        rows.push(rows::Phase { mean: stay.mean, changes: next as u32 }.into());
        next += stay.changes.len();
    }
    for change in chain.phases.iter().flat_map(|stay| &stay.changes) {
        rows.push(rows::PhaseChange { draws: change.end, phase: change.to, brings: change.brings.into() }.into());
    }
    rows
}

/// The routing of a station; stations with routes by visit have this number.
pub(super) fn way(routing: Routing, number: u32) -> Row {
    let (rule, number) = rule(routing, number);
    rows::Routing { rule, number }.into()
}

fn choice_row(SourceChoice { routing, first, count }: SourceChoice) -> Row {
    let (rule, number) = rule(routing, 0);
    rows::Choice { rule, number, first, count }.into()
}

fn rule(routing: Routing, number: u32) -> (u32, u32) {
    match routing {
        Routing::Random => (0, 0),
        Routing::RoundRobin => (1, 0),
        Routing::ShortestQueue => (2, 0),
        Routing::ShortestOf(among) => (3, among),
        Routing::FirstFree => (4, 0),
        Routing::LeastWork => (5, 0),
        Routing::ByVisit => (6, number),
        Routing::Fork => (7, 0),
        Routing::ShortestLine => (8, 0),
        Routing::FewestWaiting => (9, 0),
        Routing::ShortestOfClass => (10, 0),
        Routing::ShortestResponse => (11, 0),
        Routing::ByAttribute => (12, number),
    }
}

/// Where a token goes that is served again.
fn repetition(repetition: Repetition) -> u32 {
    match repetition {
        Repetition::SameDestination => 1,
        Repetition::RandomDestination => 2,
    }
}

/// When a station may go on without a token in service: 0 always, 2 where patience may make it, else 1; and the most servers it may have
/// where their number changes, or 0.
fn going_on((model, rules): (&NetworkModel, &Rules), id: u32) -> [u32; 2] {
    let GoingOn { at_once, impatient, most_servers } = rules.going_on(id, model.servers(id), 0);
    let kind = if at_once { 0 } else { 1 + u32::from(impatient) };
    [kind, most_servers.unwrap_or(0)]
}

/// The units that stations seize and release, the units of each resource, and the stations that seize.
fn units((model, rules): (&NetworkModel, &Rules), parameters: &mut Parameters, rows: &mut Rows) {
    parameters.units = rows.len() as u32;
    let mut first = rows.len() + 2 * rules.stations.len();
    let mut needs: Rows = vec![];
    for (id, station) in (0..).zip(&rules.stations) {
        let is_early = station.seizes_early.into();
        let keeps = station.interrupts() && station.seizes_at_service() && !station.loses_units;
        let about = u32::from(keeps) | u32::from(station.loses_units) << 1 | u32::from(station.pushes()) << 2;
        let (takes, gives) = (taken(station), given(station));
        let seizing = (first as u32, takes.len() as u32);
        let releasing = (seizing.0 + seizing.1, gives.len() as u32);
        rows.push(rows::Seizing { first: seizing.0, count: seizing.1, is_early, about }.into());
        let [goes_on, most_servers] = going_on((model, rules), id);
        rows.push(rows::Releasing { first: releasing.0, count: releasing.1, goes_on, most_servers }.into());
        first += takes.len() + gives.len();
        needs.extend(takes.into_iter().chain(gives));
    }
    rows.extend(needs);
    parameters.units_of = rows.len() as u32;
    rows.extend(rules.resources.iter().map(|of| {
        Row::from(rows::AllUnits {
            units: of.units,
            stock: of.stock,
            is_delivered: of.is_delivered.into(),
            is_preemptive: of.preemptive.into(),
        })
    }));
    (parameters.seizing, parameters.seizing_count) = (rows.len() as u32, rules.seizing.len() as u32);
    rows.extend(rules.seizing.iter().map(|id| Row::from(rows::SeizingStation { station: *id })));
}

/// Shifts and failures of units, right behind the stations that seize; their events have places behind those of what happens to servers, the first of
/// which is `first`.
fn unit_changes((model, rules): (&NetworkModel, &Rules), first: u32, laws: &mut Laws, rows: &mut Rows) {
    // `check` has made sure that they are few enough.
    let mut place = first + changes_of_servers(model, rules) as u32;
    let (mut first, mut shifts): (_, Rows) = (rows.len() as u32 + 2 * rules.resources.len() as u32, vec![]);
    for of in &rules.resources {
        let steps = of.shift_schedule.as_ref().map_or(vec![], |schedule| schedule.lengths());
        let count = steps.len() as u32;
        rows.push(rows::UnitShifts { first, count, place, keeper: of.keeper }.into());
        // Nobody asks for the most of them.
        shifts.extend(steps.into_iter().map(|(length, servers)| Row::from(rows::Shift { length, servers, most: 0 })));
        first += count;
        place += u32::from(count > 0);
        let [works, repairs] = of.failures.as_ref().map_or([NONE; 2], |all| all.each_ref().map(|law| laws.number(law)));
        rows.push(rows::UnitFailures { works, repairs, place, units: of.failing_units() }.into());
        place += of.failing_units();
    }
    rows.extend(shifts);
}

fn need(alternative: u32, is_stock: bool) -> impl Fn(&Need) -> Row {
    move |need| rows::Need { kind: need.resource, units: need.units, alternative, is_stock: is_stock.into() }.into()
}

/// What tokens take at a station: each alternative, with what is used up.
fn taken(station: &StationRules) -> Rows {
    if station.alternatives.is_empty() {
        return station.seizes.iter().map(need(0, false)).collect();
    }
    let of = |(number, needs): (u32, &Vec<Need>)| {
        needs.iter().map(need(number, false)).chain(station.uses.iter().map(need(number, true))).collect::<Rows>()
    };
    (0..).zip(&station.alternatives).flat_map(of).collect()
}

/// What tokens give back there, and what they bring.
fn given(station: &StationRules) -> Rows {
    station.releases.iter().map(need(0, false)).chain(station.delivers.iter().map(need(0, true))).collect()
}

/// The clock of each station that has one.
fn clocks((model, rules): (&NetworkModel, &Rules), rows: &mut Rows) {
    let mut first = rows.len() as u32 + model.stations();
    let mut lists: Rows = vec![];
    for (id, station) in (0..).zip(&rules.stations) {
        let servers = if station.order == Order::Sharing { model.servers(id) } else { 0 };
        let (speeds, weights) = (station.speeds.len() as u32, station.weights.len() as u32);
        let first_weight = if weights > 0 { first + speeds } else { NONE };
        rows.push(rows::Sharing { servers, first_speed: first, speeds, first_weight }.into());
        lists.extend(station.speeds.iter().map(|speed| Row::from(rows::Speed { speed: *speed })));
        // At most 2^20.
        lists.extend(station.weights.iter().map(|all| Row::from(rows::Weight { weight: *all as u32 })));
        first += speeds + weights;
    }
    rows.extend(lists);
}

/// Factors of service times by time, and behind them a row for each station, right before the laws.
fn time_factors(rules: &Rules, rows: &mut Rows) {
    let mut stations: Rows = vec![];
    for station in &rules.stations {
        let steps = station.time_factors.as_ref().map_or(&[][..], |factors| &factors.steps);
        let period = station.time_factors.as_ref().and_then(|factors| factors.period).unwrap_or(0);
        let first = rows.len() as u32;
        stations.push(rows::TimeFactors { first, count: steps.len() as u32, period }.into());
        rows.extend(steps.iter().map(|(start, factor)| Row::from(rows::TimeFactor { start: *start, factor: *factor })));
    }
    rows.extend(stations);
}

/// Set-up times and vacations; their events have places behind those of shifts and failures, which begin at `first`.
fn absences((model, rules): (&NetworkModel, &Rules), first: u32, laws: &mut Laws, rows: &mut Rows) {
    let before: u64 = (0..).zip(&rules.stations).map(|(id, station)| duties((model, id), station)).sum();
    // `check` has made sure that they are few enough.
    let mut place = first + before as u32;
    for (id, station) in (0..).zip(&rules.stations) {
        let law = station.setup.as_ref().or(station.vacation.as_ref()).or(station.standby_start.as_ref());
        let law = law.map_or(NONE, |law| laws.number(law));
        let has_tokens = (0..rules.classes()).any(|class| rules.visit(id, class).tokens > 0);
        let flags = [station.setup.is_some(), has_tokens, station.calls_off, station.has_standby].map(u32::from);
        let about = flags[0] | flags[1] << 1 | flags[2] << 2 | flags[3] << 3;
        let servers = absent_servers((model, id), station);
        rows.push(rows::Absences { law, about, place, servers }.into());
        place += servers * (1 + u32::from(station.off_after.is_some()));
    }
    let standby = rules.stations.iter().map(|station| {
        let of = station.standby.map_or((0, NONE, 0), |of| (of.servers, of.comes_at, of.goes_at));
        Row::from(rows::Standby { servers: of.0, comes_at: of.1, goes_at: of.2 })
    });
    rows.extend(standby);
    let off_after =
        rules.stations.iter().map(|station| station.off_after.as_ref().map_or(NONE, |law| laws.number(law)));
    rows.extend(off_after.map(|law| Row::from(rows::OffAfter { law })));
}

/// Shifts and failures; `place` is the place of the first of their events.
fn server_schedule((model, rules): (&NetworkModel, &Rules), mut place: u32, laws: &mut Laws, rows: &mut Rows) {
    let mut first = rows.len() as u32 + 2 * model.stations();
    let mut shifts: Rows = vec![];
    for (id, station) in (0..).zip(&rules.stations) {
        let steps = station.shift_schedule.as_ref().map_or(vec![], |shift_schedule| shift_schedule.lengths());
        let most_from =
            |shift| station.shift_schedule.as_ref().map_or(0, |shift_schedule| shift_schedule.most_from(shift));
        let (count, interrupts) = (
            steps.len() as u32,
            station.shift_schedule.as_ref().is_some_and(|shift_schedule| shift_schedule.interrupts),
        );
        let kind = if station.by_use { 2 } else { interrupts.into() };
        rows.push(rows::Shifts { first, count, place, kind }.into());
        first += count;
        place += u32::from(count > 0);
        shifts.extend((0..).zip(steps).map(|(number, (length, servers))| -> Row {
            rows::Shift { length, servers, most: most_from(number) }.into()
        }));
        let servers = station.failures.as_ref().map_or(0, |_| model.servers(id));
        let [works, repairs] =
            station.failures.as_ref().map_or([NONE; 2], |all| all.each_ref().map(|law| laws.number(law)));
        rows.push(rows::Failures { works, repairs, place, servers }.into());
        // Shifts of groups have their events there, too.
        place += duties((model, id), station) as u32 - u32::from(count > 0);
    }
    rows.extend(shifts);
}
