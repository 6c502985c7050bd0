//! Rows of the model table and of what replications keep, by the names that the shaders have for their words.

/// A row.
pub(in super::super) type Row = [u32; 4];

/// One word of a row, or two.
trait Word: Sized {
    /// Puts it behind so many words; returns how many there are then.
    fn put(self, row: &mut Row, at: usize) -> usize;

    /// Takes it from behind so many words, which are more then.
    fn take(row: Row, at: &mut usize) -> Self;
}

impl Word for u32 {
    fn put(self, row: &mut Row, at: usize) -> usize {
        row[at] = self;
        at + 1
    }

    fn take(row: Row, at: &mut usize) -> Self {
        *at += 1;
        row[*at - 1]
    }
}

impl Word for u64 {
    fn put(self, row: &mut Row, at: usize) -> usize {
        let at = (self as u32).put(row, at);
        ((self >> 32) as u32).put(row, at)
    }

    fn take(row: Row, at: &mut usize) -> Self {
        let low = u32::take(row, at);
        Self::from(u32::take(row, at)) << 32 | Self::from(low)
    }
}

/// Declares rows, each with the file of its struct; what a row does not use is 0.
macro_rules! rows {
    ($table:ident: $($name:ident in $file:literal { $($field:ident: $kind:ty),* $(,)? })*) => {
        $(
            #[derive(Clone, Copy, Debug)]
            pub(super) struct $name {
                $(pub(super) $field: $kind,)*
            }

            impl From<$name> for Row {
                fn from(from: $name) -> Self {
                    let (mut row, mut at) = ([0; 4], 0);
                    $(at = from.$field.put(&mut row, at);)*
                    debug_assert!(at <= row.len());
                    row
                }
            }

            impl From<Row> for $name {
                fn from(row: Row) -> Self {
                    let mut at = 0;
                    let from = Self { $($field: Word::take(row, &mut at),)* };
                    debug_assert!(at <= row.len());
                    from
                }
            }
        )*

        /// The file and the name of the struct of each row, and its fields with their bytes.
        #[cfg(test)]
        const $table: &[(&str, &str, &[(&str, usize)])] =
            &[$(($file, stringify!($name), &[$((stringify!($field), size_of::<$kind>())),*])),*];
    };
}

/// A row of a record that a replication keeps.
pub(super) trait Kept: From<Row> {
    /// Its number among the rows of the record.
    const NUMBER: u32;
}

/// Says the number of each row that is kept.
macro_rules! kept {
    ($($name:ident $number:literal),* $(,)?) => {
        $(impl Kept for $name { const NUMBER: u32 = $number; })*
    };
}

rows! {
    STRUCTURE:
    StationRules in "multiclass/stations/rules" { servers: u32, capacity: u32, order: u32, preemption: u32 }
    Impatience in "multiclass/stations/rules" { first: u32, count: u32, balks_to: u32, reneges_to: u32 }
    Overflow in "multiclass/stations/rules" { goal: u32, runs_on: u32 }
    BalkingShare in "multiclass/stations/rules" { draws: u64 }
    Visit in "multiclass/stations/rules" { first: u32, last: u32, service: u32, patience: u32 }
    Priority in "multiclass/stations/rules" { level: u32 }
    FirstTokens in "multiclass/stations/rules" { station: u32, class_of: u32, count: u32 }
    Edge in "multiclass/routes/rules" { upper: u32, goal: u32, becomes: u32 }
    EdgeDelay in "multiclass/routes/rules" { delay: u64, up_to: u64 }
    Routing in "multiclass/routes/rules" { rule: u32, number: u32 }
    ClassLimit in "multiclass/routes/rules" { mean: u64, capacity: u32, servers: u32 }
    Inflow in "multiclass/sources/rules" { law: u32, class_of: u32, goal: u32, choice: u32 }
    Choice in "multiclass/sources/rules" { rule: u32, number: u32, first: u32, count: u32 }
    InflowLimit in "multiclass/sources/rules" { limit: u64, start: u64 }
    Batches in "multiclass/sources/intervals" { first: u32, count: u32, largest: u32 }
    BatchShare in "multiclass/sources/intervals" { draws: u64 }
    Intervals in "multiclass/sources/intervals" { first: u32, count: u32, kind: u32 }
    Period in "multiclass/sources/intervals" { length: u64, tokens: u64 }
    Step in "multiclass/sources/intervals" { start: u64, before: u64 }
    StepInterval in "multiclass/sources/intervals" { mean: u64 }
    PhaseShare in "multiclass/sources/intervals" { draws: u64 }
    Phase in "multiclass/sources/intervals" { mean: u64, changes: u32 }
    PhaseChange in "multiclass/sources/intervals" { draws: u64, phase: u32, brings: u32 }
    Coming in "multiclass/sources/intervals" { after: u64, class_of: u32, tokens: u32 }
    Shifts in "multiclass/servers/rules" { first: u32, count: u32, place: u32, kind: u32 }
    Failures in "multiclass/servers/rules" { works: u32, repairs: u32, place: u32, servers: u32 }
    Shift in "multiclass/servers/rules" { length: u64, servers: u32, most: u32 }
    Groups in "multiclass/servers/group_rows" { first: u32, count: u32, gathers: u32, breakdowns: u32 }
    Group in "multiclass/servers/group_rows" { classes: u32, serves: u32, servers: u32, in_line: u32 }
    GroupShifts in "multiclass/servers/group_rows" { first: u32, count: u32, place: u32, bulk: u32 }
    ClassOfGroup in "multiclass/servers/group_rows" { preference: u32, law: u32, factor: u32, preferred: u32 }
    OrderBy in "multiclass/attributes/rows" { number: u32 }
    AttributeLaw in "multiclass/attributes/rows" { law: u32 }
    SourceValues in "multiclass/attributes/rows" { first: u32 }
    TraceValues in "multiclass/attributes/rows" { first: u64, second: u64 }
    Size in "multiclass/attributes/rows" { number: u32, factor: u32 }
    PatienceBy in "multiclass/attributes/rows" { number: u32, factor: u32, from_source: u32 }
    Bulk in "multiclass/servers/bulk_rows" { most: u32, least: u32, factors: u32, polling: u32 }
    BulkTurns in "multiclass/servers/bulk_rows" { has_wait: u32, limit: u32, switching: u32, walks: u32 }
    BulkFactor in "multiclass/servers/bulk_rows" { factor: u32 }
    Breakdowns in "multiclass/servers/breakdowns" { works: u32, repairs: u32, place: u32, servers: u32 }
    Walk in "multiclass/servers/walks" { law: u32, rests: u32 }
    TimeFactors in "multiclass/stations/time_factors" { first: u32, count: u32, period: u64 }
    TimeFactor in "multiclass/stations/time_factors" { start: u64, factor: u32 }
    Absences in "multiclass/servers/rules" { law: u32, about: u32, place: u32, servers: u32 }
    OffAfter in "multiclass/servers/idle" { law: u32 }
    Standby in "multiclass/servers/standby" { servers: u32, comes_at: u32, goes_at: u32 }
    Blocking in "multiclass/blocking/rules" { kinds: u32, goes_on: u32, most_servers: u32, repetition: u32 }
    Sharing in "multiclass/sharing/rules" { servers: u32, first_speed: u32, speeds: u32, first_weight: u32 }
    Speed in "multiclass/sharing/rules" { speed: u64 }
    Weight in "multiclass/sharing/rules" { weight: u32 }
    Seizing in "multiclass/resources/rules" { first: u32, count: u32, is_early: u32, about: u32 }
    Releasing in "multiclass/resources/rules" { first: u32, count: u32, goes_on: u32, most_servers: u32 }
    Need in "multiclass/resources/rules" { kind: u32, units: u32, alternative: u32, is_stock: u32 }
    AllUnits in "multiclass/resources/rules" { units: u32, stock: u32, is_delivered: u32, is_preemptive: u32 }
    UnitShifts in "multiclass/resources/unit_changes" { first: u32, count: u32, place: u32, keeper: u32 }
    UnitFailures in "multiclass/resources/unit_changes" { works: u32, repairs: u32, place: u32, units: u32 }
    SeizingStation in "multiclass/resources/rules" { station: u32 }
    Joining in "multiclass/forks/rules" { joins: u32, first: u32, parts: u32 }
    Splitting in "multiclass/forks/rules" { by_routes: u32, first: u32, sizes: u32, is_joined: u32 }
    KitPart in "multiclass/forks/kits" { class_of: u32, count: u32 }
    SplitShare in "multiclass/forks/rules" { draws: u64 }
    ObservedStation in "multiclass/statistics/targets" { number: u32, at_leave: u32, at_end: u32, blocks: u32 }
    Target in "multiclass/statistics/targets" { time: u64 }
    Copy in "multiclass/several_networks" { begin: u32, number: u32 }
    ControlSizes in "multiclass/control/rows" { words: u32, observed: u32, earned: u32, by_event: u32 }
    ControlTimes in "multiclass/control/rows" { every: u64, until: u64 }
    Controlled in "multiclass/control/rows" { servers: u32, ranks: u32, route: u32, fails: u32 }
    ControlledSource in "multiclass/control/rows" { route: u32 }
    Looked in "multiclass/control/rows" { kind: u32, place: u32, class_of: u32 }
    CopyProgress in "multiclass/control/rows" { step: u32, episode: u32, about: u32 }
}

// A replication's own rows, which are the first members of one struct.
rows! {
    HEADER:
    Places in "multiclass/state" { pending: u32, free: u32, used: u32, initial: u32 }
    Population in "multiclass/state" { present: u32, before: u32, placed: u32, lost: u32 }
    Progress in "multiclass/state" { completed: u64, next: u64 }
    Standstill in "multiclass/state" { balked: u32, stuck: u32, balked_at: u64 }
}

// Rows that replications keep and the host reads.
rows! {
    KEPT:
    Event in "multiclass/pending" { time: u64, what: u32, token: u32 }
    Detail in "multiclass/pending" { number: u32, goal: u32, start: u64 }
    Sent in "multiclass/sources/sources" { all: u32, counted: u32 }
    Sink in "multiclass/routes/leave" { tokens: u32, from_sources: u32, sojourn: u64 }
    SinkCarries in "multiclass/routes/leave" { times: u64 }
    Resource in "multiclass/resources/resources" { free: u32, grants: u32, since: u64 }
    ResourceUse in "multiclass/resources/resources" { used: u64, upper: u32, off_mark: u32 }
    OpenRow in "multiclass/statistics/fold" { sum: u64, count: u32, bin: u32 }
    BinRow in "multiclass/statistics/fold" { sum: u64, count: u32, periods: u32 }
    AccountCounts in "multiclass/statistics/account_rows" { arrivals: u32, starts: u32, completions: u32, losses: u32 }
    AccountTimes in "multiclass/statistics/account_rows" { waiting: u64, service: u64 }
    AccountIntegrals in "multiclass/statistics/account_rows" { presence: u64, busy: u64 }
    AccountLeavers in "multiclass/statistics/account_rows" { balked: u32, reneged: u32, patience: u64 }
    AccountTurns in "multiclass/statistics/account_rows" { preemptions: u32, turn: u32, blocked: u64 }
    AccountShared in "multiclass/statistics/account_rows" { served: u64 }
    Line in "multiclass/queues/lists" { first: u32, last: u32, before_last: u32, about: u32 }
    HeldLinks in "multiclass/blocking/holding" { last: u32, link: u32, is_suspect: u32 }
    Links in "multiclass/tokens" { before: u32, behind: u32, about: u32, edge: u32 }
    Times in "multiclass/tokens" { arrived: u64, entered: u64 }
    Packed in "multiclass/packed" { arrived: u32, upper: u32, entered: u32, links: u32 }
    Service in "multiclass/tokens" { start: u64, service: u64 }
    Interruption in "multiclass/tokens" { left: u64, since: u64 }
    HeldToken in "multiclass/blocking/holding" { arrival: u32, event: u32, station: u32, next: u32 }
    Forked in "multiclass/forks/rows" { siblings: u32, behind: u32, waits_at: u32 }
    Gathering in "multiclass/forks/rows" { first: u32, last: u32, station: u32, is_apart: u32 }
    Shelf in "multiclass/forks/rows" { first: u32, last: u32, count: u32 }
    ForkCounts in "multiclass/forks/rows" { copies: u32, joined: u32 }
    ServerCounts in "multiclass/stations/station" { serving: u32, servers: u32, away: u32, ready: u32 }
    AbsenceTimes in "multiclass/servers/absence_rows" { count: u32, upper: u32, sum: u64 }
    GroupTimes in "multiclass/servers/group_rows" { taken: u32, upper: u32, sum: u64 }
    Downtime in "multiclass/servers/downtime" { since: u64, sum: u64 }
    Down in "multiclass/servers/downtime" { upper: u32, servers: u32 }
}

// Rows of what is rare of an account: the first one is written whole, of the others each word by itself.
rows! {
    ANNEX:
    Carries in "multiclass/statistics/annex" { waiting: u32, service: u32, presence: u32, busy: u32 }
    RareCarries in "multiclass/statistics/annex" { patience: u32, blocked: u32, stopped: u32, joining: u32 }
    RareTimes in "multiclass/statistics/annex" { stopped: u64, joining: u64 }
    RareCounts in "multiclass/statistics/annex" { joins: u32, joined: u32, abandoned: u32 }
}

// A line counts from the first list, what blocking keeps from its first row.
kept! {
    Places 0, Population 1, Progress 2, Standstill 3,
    Event 0, Detail 1, Sent 1, Sink 0, SinkCarries 1, Resource 0, ResourceUse 1,
    AccountCounts 0, AccountTimes 1, AccountIntegrals 2, AccountLeavers 3, AccountTurns 4, AccountShared 5,
    Line 0, HeldLinks 1, Links 0, Times 1, Packed 0, Service 2, Interruption 4, HeldToken 3,
    Forked 0, Gathering 2, ForkCounts 1, ServerCounts 2, AbsenceTimes 0, GroupTimes 0, Downtime 0, Down 1, Carries 0, RareCarries 1, RareTimes 2, RareCounts 3,
}

#[cfg(test)]
mod tests {
    use super::super::model_table::way;
    use super::super::records::{PACKED_COUNTED, PACKED_LAST, PACKED_NEVER};
    use super::*;
    use crate::describe::{Discipline, Routing as Choice};
    use tickless_kernels::layout::{assert_row, layout};

    #[test]
    fn rows_have_the_names_and_places_of_the_shaders() {
        for (file, name, fields) in STRUCTURE.iter().chain(KEPT) {
            assert_row(file, name, fields);
        }
    }

    /// The numbers of choices are constants of the shaders.
    #[test]
    fn choices_have_the_numbers_of_the_shaders() {
        let constant = |file: &str, name: &str| {
            let text = tickless_kernels::text(file).expect("a file");
            let (_, number) = text.split_once(&format!("const {name}: u32 = ")).expect("a constant");
            number.split('u').next().and_then(|number| number.parse::<u32>().ok()).expect("a number")
        };
        for (routing, name) in [
            (Choice::Random, "BY_CHANCE"),
            (Choice::RoundRobin, "BY_TURNS"),
            (Choice::ShortestOf(2), "SHORTEST_OF"),
            (Choice::FirstFree, "FIRST_FREE"),
            (Choice::LeastWork, "LEAST_WORK"),
            (Choice::ByVisit, "BY_VISIT"),
            (Choice::Fork, "FORK"),
            (Choice::ShortestLine, "SHORTEST_LINE"),
            (Choice::FewestWaiting, "FEWEST_WAITING"),
            (Choice::ShortestOfClass, "SHORTEST_OF_CLASS"),
            (Choice::ShortestResponse, "SHORTEST_RESPONSE"),
            (Choice::ByAttribute, "BY_ATTRIBUTE"),
        ] {
            let Routing { rule, .. } = way(routing, 0).into();
            assert_eq!(rule, constant("multiclass/routes/ways_chosen", name), "{name}");
        }
        for order in Discipline::ALL.map(Discipline::order) {
            // `ShortestJob` is SHORTEST_JOB.
            let mut name = String::new();
            for letter in format!("{order:?}").chars() {
                name.extend((letter.is_uppercase() && !name.is_empty()).then_some('_'));
                name.push(letter.to_ascii_uppercase());
            }
            assert_eq!(order as u32, constant("multiclass/queues/orders", &name), "{name}");
        }
    }

    #[test]
    fn words_lie_in_the_order_of_the_fields() {
        let phase = Phase { mean: 5 << 32 | 4, changes: 6 };
        assert_eq!(Row::from(phase), [4, 5, 6, 0]);
        let stay = InflowLimit { limit: 1, start: 2 << 32 };
        assert_eq!(Row::from(stay), [1, 0, 0, 2]);
        let back = InflowLimit::from([1, 0, 0, 2]);
        assert_eq!((back.limit, back.start), (1, 2 << 32));
    }

    #[test]
    fn the_header_is_the_begin_of_a_replication() {
        let fields = HEADER.iter().flat_map(|(_, _, fields)| *fields);
        let expected: Vec<_> = fields
            .scan(0, |offset, (field, bytes)| {
                *offset += bytes;
                Some(((*field).to_owned(), (*offset - bytes) as u32))
            })
            .collect();
        let words = tickless_kernels::Mounts::default().with("word64", "lib/wide_words");
        let found = layout("multiclass/state", "Replication", &words);
        assert_eq!(found[..expected.len()], expected);
    }

    /// What writes a row whole puts its words where they are read.
    #[test]
    fn kept_rows_are_written_as_they_are_read() {
        let mut written = 0;
        for (file, name, fields) in KEPT {
            let text = tickless_kernels::text(file).expect("a file");
            if text.contains(&format!("row: {name})")) {
                let wide = |field: &str| format!("wide_low(row.{field}), wide_high(row.{field})");
                let word = |(field, bytes): &(&str, usize)| match bytes {
                    8 => wide(field),
                    _ => format!("row.{field}"),
                };
                let free = 4 - fields.iter().map(|(_, bytes)| bytes / 4).sum::<usize>();
                let words: Vec<_> = fields.iter().map(word).chain(vec!["0u".to_owned(); free]).collect();
                let mut made = format!("vec4<u32>({})", words.join(", "));
                if let [(one, 8), (other, 8)] = fields {
                    made = format!("row_of(row.{one}, row.{other})");
                }
                assert!(text.contains(&made), "{name}: {made}");
                written += 1;
            }
        }
        assert_eq!(written, 20);
    }

    #[test]
    fn packed_tokens_have_the_constants_of_the_shader() {
        let text = tickless_kernels::text("multiclass/packed").expect("a file");
        for (name, value) in [("COUNTED_HERE", PACKED_COUNTED), ("LAST", PACKED_LAST), ("NEVER", PACKED_NEVER)] {
            assert!(text.contains(&format!("const {name}: u32 = {value:#x}u;")), "{name}");
        }
    }

    /// The number of a row is that by which the shader finds it.
    #[test]
    fn kept_rows_have_the_numbers_of_the_shaders() {
        fn check<T: Kept>(file: &str) {
            let name = std::any::type_name::<T>().rsplit("::").next().expect("a name");
            let text = tickless_kernels::text(file).expect("a file");
            let made = ["wide(row.x", "row.x"].map(|first| format!(" {name}({first}"));
            let at = made.iter().find_map(|made| text.find(made)).expect("a function that reads the row");
            let row = text[..at].lines().rev().nth(1).expect("the line before that");
            let number = row.rsplit_once(" + ").map_or("0", |(_, number)| number.trim_end_matches("u);"));
            assert_eq!(number, T::NUMBER.to_string(), "{name}: {row}");
        }
        check::<Event>("multiclass/pending");
        check::<Detail>("multiclass/pending");
        check::<Sent>("multiclass/sources/sources");
        check::<Sink>("multiclass/routes/leave");
        check::<SinkCarries>("multiclass/routes/leave");
        check::<Resource>("multiclass/resources/resources");
        check::<ResourceUse>("multiclass/resources/resources");
        const ACCOUNT: &str = "multiclass/statistics/account_rows";
        check::<AccountCounts>(ACCOUNT);
        check::<AccountTimes>(ACCOUNT);
        check::<AccountIntegrals>(ACCOUNT);
        check::<AccountLeavers>(ACCOUNT);
        check::<AccountTurns>(ACCOUNT);
        check::<AccountShared>(ACCOUNT);
        check::<HeldLinks>("multiclass/blocking/holding");
        check::<HeldToken>("multiclass/blocking/holding");
        check::<Line>("multiclass/queues/lists");
        check::<Links>("multiclass/tokens");
        check::<Times>("multiclass/tokens");
        check::<Packed>("multiclass/packed");
        check::<Service>("multiclass/tokens");
        check::<Interruption>("multiclass/tokens");
        check::<Forked>("multiclass/forks/rows");
        check::<Gathering>("multiclass/forks/rows");
        check::<ForkCounts>("multiclass/forks/rows");
        check::<ServerCounts>("multiclass/stations/station");
        check::<AbsenceTimes>("multiclass/servers/absence_rows");
        check::<GroupTimes>("multiclass/servers/group_rows");
        check::<Downtime>("multiclass/servers/downtime");
        check::<Down>("multiclass/servers/downtime");
    }

    #[test]
    fn carries_are_written_as_they_are_read() {
        let text = tickless_kernels::text("multiclass/statistics/annex").expect("a file");
        let [(_, _, usual), (_, _, rare), ..] = ANNEX else { panic!("four rows") };
        let words: Vec<_> = usual.iter().map(|(field, _)| format!("row.{field}")).collect();
        assert!(text.contains(&format!("vec4<u32>({})", words.join(", "))));
        for (place, (field, _)) in rare.iter().enumerate() {
            let mut one = ["0u"; 4];
            one[place] = "1u";
            let sum = format!("const {}_SUM: vec4<u32> = vec4<u32>({});", field.to_uppercase(), one.join(", "));
            assert!(text.contains(&sum), "{sum}");
        }
    }

    #[test]
    #[should_panic = "assertion"]
    fn a_row_with_other_names_is_caught() {
        assert_row("multiclass/routes/rules", "Edge", &[("upper", 4), ("becomes", 4), ("goal", 4)]);
    }

    #[test]
    #[should_panic = "takes its words"]
    fn words_in_another_order_are_caught() {
        assert_row("lib/law", "Law", &[]);
    }
}
