//! The status block, mirrored from `shaders/lib/control.wgsl`: the engine's words, and behind them the model's.

/// The clock and the counts of a run, as the device keeps them. Times are in ticks.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// assert_eq!(size_of::<tickless::engine::Control>(), 96);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Control {
    /// The earliest event time at the start of the last round; of models with many rounds in a dispatch, after the last
    /// round.
    pub minimum: u64,
    /// Every event before this time has happened.
    pub bound: u64,
    /// The end of this phase of the run.
    pub limit: u64,
    /// How far a round may go beyond the minimum.
    pub lookahead: u64,
    /// Events so far.
    pub events: u64,
    /// Rounds so far of models with many rounds in a dispatch, see [`ModelParts::rounds_each`](super::ModelParts::rounds_each).
    /// With this word the words `entities` to `finished`, which every workgroup reads, lie in another sector (32 bytes) than
    /// `selected`, to which all workgroups add.
    pub rounds: u64,
    /// The number of entities.
    pub entities: u32,
    /// Workgroups that share the entities.
    pub blocks: u32,
    /// The round that has begun last.
    pub round: u32,
    /// Rounds so far: the round that has ended last; of models with many rounds in a dispatch, dispatches.
    pub finished: u32,
    /// 0 once the limit is reached, a fault is set or there is no room.
    pub running: u32,
    /// Events that have happened and are not yet among `events`.
    pub selected: u32,
    /// The fault word: bits that the model's kernels set.
    pub fault: u32,
    /// The smallest entity that set a fault.
    pub fault_entity: u32,
    /// The fault word as the last round left it, for models in which a round reads it while faults may be raised.
    pub halted: u32,
    /// The missing room, in units of the model; no round begins before the host has made room. 0 where room is left.
    pub room: u32,
    /// The most workgroups of a round's dispatch beside those of the blocks.
    pub extra_groups: u32,
    /// The most rounds of a dispatch, for models with many rounds in a dispatch.
    pub turns: u32,
}

/// The model's words of the status behind [`Control`], which are read back together with it.
///
/// ```
/// # use tickless_engine::facade as tickless;
/// use tickless::engine::ModelStatus;
/// let counts = ModelStatus::new("lib/no_status", &[0_u64]);
/// assert_eq!(counts, ModelStatus::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelStatus {
    /// The file of its WGSL, which is mounted as `model_status` in every kernel of the model.
    pub(super) module: &'static str,
    /// Its bytes before the first round.
    pub(super) first: Vec<u8>,
}

impl ModelStatus {
    /// The struct `ModelStatus` of a file of `shaders/`, and what its mirror holds before the first round.
    pub fn new<T: bytemuck::NoUninit>(module: &'static str, first: &T) -> Self {
        const { assert!(size_of::<T>().is_multiple_of(8), "the status is of words of 8 bytes") };
        Self { module, first: bytemuck::bytes_of(first).to_vec() }
    }
}

/// The status of a model without words of its own.
impl Default for ModelStatus {
    fn default() -> Self {
        Self::new("lib/no_status", &[0_u64])
    }
}

#[cfg(test)]
mod tests {
    use super::Control;
    use tickless_kernels::layout::{assert_layout, layout, offsets};
    use tickless_kernels::{CHOICES, Mounts};

    /// Holds for any words behind the engine's.
    #[test]
    fn the_mirror_matches_the_shader() {
        let words = offsets!(
            Control,
            [
                minimum,
                bound,
                limit,
                lookahead,
                events,
                rounds,
                entities,
                blocks,
                round,
                finished,
                running,
                selected,
                fault,
                fault_entity,
                halted,
                room,
                extra_groups,
                turns,
            ]
        );
        let choice = CHOICES.iter().find(|choice| choice.name == "model_status").expect("a choice");
        for module in choice.modules {
            let mounts = Mounts::default().with("model_status", *module);
            let own = layout(module, "ModelStatus", &mounts.clone().with("word64", "lib/wide_words"));
            let own = own.last().map_or(0, |(_, span)| *span as usize);
            let model = size_of::<Control>();
            let expected = [&words[..], &[("model", model), ("", model + own)]].concat();
            assert_layout("lib/control", "Control", &mounts, &expected);
        }
    }
}
