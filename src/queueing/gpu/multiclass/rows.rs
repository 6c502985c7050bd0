//! Rows of the structure, by the names that the shaders have for their words.

/// A row.
pub(in super::super) type Row = [u32; 4];

/// A word of a row, or two.
trait Word {
    /// Puts it behind so many words; returns how many there are then.
    fn put(self, row: &mut Row, at: usize) -> usize;
}

impl Word for u32 {
    fn put(self, row: &mut Row, at: usize) -> usize {
        row[at] = self;
        at + 1
    }
}

impl Word for u64 {
    fn put(self, row: &mut Row, at: usize) -> usize {
        row[at..at + 2].copy_from_slice(&[self as u32, (self >> 32) as u32]);
        at + 2
    }
}

/// Declares rows, each with the file of its struct; what a row does not use is 0.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident in $file:literal { $($field:ident: $kind:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
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
        )*

        /// The file and the name of the struct of each row, and its fields with their bytes.
        #[cfg(test)]
        const ROWS: &[(&str, &str, &[(&str, usize)])] =
            &[$(($file, stringify!($name), &[$((stringify!($field), size_of::<$kind>())),*])),*];
    };
}

rows! {
    StationRules in "multiclass/stations/rules" { servers: u32, capacity: u32, order: u32, preemption: u32 }
    Impatience in "multiclass/stations/rules" { first: u32, count: u32, balks_to: u32, reneges_to: u32 }
    BalkingShare in "multiclass/stations/rules" { draws: u64 }
    Visit in "multiclass/stations/rules" { first: u32, last: u32, service: u32, patience: u32 }
    Priority in "multiclass/stations/rules" { level: u32 }
    FirstTokens in "multiclass/stations/rules" { station: u32, class_of: u32, count: u32 }
    Edge in "multiclass/routes/rules" { upper: u32, goal: u32, becomes: u32 }
    EdgeDelay in "multiclass/routes/rules" { delay: u64 }
    Routing in "multiclass/routes/rules" { rule: u32, number: u32 }
    ClassLimit in "multiclass/routes/rules" { mean: u64, capacity: u32, servers: u32 }
    Inflow in "multiclass/sources/rules" { law: u32, class_of: u32, goal: u32 }
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
    Absences in "multiclass/servers/rules" { law: u32, about: u32, place: u32, servers: u32 }
    Blocking in "multiclass/blocking/rules" { kinds: u32, goes_on: u32, most_servers: u32, repetition: u32 }
    Sharing in "multiclass/sharing/rules" { servers: u32, first_speed: u32, speeds: u32, first_weight: u32 }
    Speed in "multiclass/sharing/rules" { speed: u64 }
    Weight in "multiclass/sharing/rules" { weight: u32 }
    Seizing in "multiclass/resources/rules" { first: u32, count: u32, is_early: u32, interrupts: u32 }
    Releasing in "multiclass/resources/rules" { first: u32, count: u32, goes_on: u32, most_servers: u32 }
    Need in "multiclass/resources/rules" { kind: u32, units: u32 }
    AllUnits in "multiclass/resources/rules" { units: u32 }
    SeizingStation in "multiclass/resources/rules" { station: u32 }
    Joining in "multiclass/forks/joins" { joins: u32 }
    SeenStation in "multiclass/statistics/seen" { number: u32, at_leave: u32, at_end: u32, blocks: u32 }
    Copy in "multiclass/several_networks" { begin: u32, number: u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_kernels::layout::assert_row;

    #[test]
    fn rows_have_the_names_and_places_of_the_shaders() {
        for (file, name, fields) in ROWS {
            assert_row(file, name, fields);
        }
    }

    #[test]
    fn words_lie_in_the_order_of_the_fields() {
        let phase = Phase { mean: 5 << 32 | 4, changes: 6 };
        assert_eq!(Row::from(phase), [4, 5, 6, 0]);
        let stay = InflowLimit { limit: 1, start: 2 << 32 };
        assert_eq!(Row::from(stay), [1, 0, 0, 2]);
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
