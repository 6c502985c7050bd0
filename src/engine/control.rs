//! The status block, mirrored from `shaders/lib/control.wgsl`.

/// The clock and the counts of a run, as the device keeps them. Times are in ticks.
///
/// ```
/// assert_eq!(size_of::<tickless::engine::Control>(), 104);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Control {
    /// The earliest event time at the start of the last round.
    pub minimum: u64,
    /// Every event before it has happened.
    pub bound: u64,
    /// The end of this phase of the run.
    pub limit: u64,
    /// How far a round may go beyond the minimum.
    pub lookahead: u64,
    /// Events so far.
    pub events: u64,
    /// By appointments: stations that decided something, summed over rounds.
    pub worked: u64,
    /// The number of entities.
    pub entities: u32,
    /// Workgroups that share the entities.
    pub blocks: u32,
    /// The round that departure has begun.
    pub round: u32,
    /// Rounds so far: the round that arrival has ended.
    pub finished: u32,
    /// 0 once the limit is reached or a fault is set.
    pub running: u32,
    /// Imminent entities of a round under way; 0 between rounds.
    pub selected: u32,
    /// The fault word: bits that the model's kernels set.
    pub fault: u32,
    /// The smallest entity that set one.
    pub fault_entity: u32,
    /// Workgroups of arrivals beside those of the blocks.
    pub crowds: u32,
    /// By appointments: stations that decided something in a round under way; 0 between rounds.
    pub working: u32,
    /// By appointments: the furthest that a station was beyond the earliest arrival, in units of 2^scale ticks.
    pub drift: u32,
    /// The unit of `drift`, from 1 to 31.
    pub scale: u32,
    /// By appointments, and of those that exchange messages: the fault word as the last pair of rounds, or round, left it.
    pub halted: u32,
    /// Of those that exchange messages: slots that the largest of the sets that are full needs; 0 where none is. Of cells:
    /// whether their log is full.
    pub room: u32,
}

#[cfg(test)]
mod tests {
    use super::Control;
    use crate::kernels::layout::assert_mirror;

    #[test]
    fn the_mirror_matches_the_shader() {
        assert_mirror!(
            Control,
            "lib/control",
            "Control",
            [
                minimum,
                bound,
                limit,
                lookahead,
                events,
                worked,
                entities,
                blocks,
                round,
                finished,
                running,
                selected,
                fault,
                fault_entity,
                crowds,
                working,
                drift,
                scale,
                halted,
                room,
            ]
        );
    }
}
