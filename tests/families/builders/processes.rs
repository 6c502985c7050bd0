//! Every setter of PHOLD, and every field of kernels and options.

use std::num::NonZeroU32;

use super::{AtOnce, Choices};
use tickless::device::{BufferSpec, BufferUse, Target};
use tickless::pending::PendingSet;
use tickless::processes::gpu::{self, DeviceModel, ProcessOptions};
use tickless::processes::{self, Blocks, Phold};
use tickless::ranks::Ranks;
use tickless::time::Time;

fn options(choices: &mut Choices) -> ProcessOptions {
    let sets = [PendingSet::ALL.as_slice(), &[PendingSet::Auto]].concat();
    ProcessOptions {
        pending: choices.one(&sets),
        one_event_a_round: choices.of(2) == 0,
        most_pending: choices.maybe(Choices::count),
        room: choices.maybe(Choices::count),
        outbox: choices.maybe(Choices::count),
        parts: choices.maybe(Choices::count),
        node: choices.maybe(Choices::count),
        figures_only: choices.of(2) == 0,
        rounds: choices.rounds(),
    }
}

fn changed(mut kernels: DeviceModel, choices: &mut Choices) -> DeviceModel {
    for _ in 0..choices.of(4) {
        match choices.of(9) {
            0 => kernels.processes = choices.count(),
            1 => kernels.lookahead = Time::from_ticks(choices.next()),
            2 => kernels.until = Time::from_ticks(choices.next()),
            3 => kernels.starting = choices.count(),
            4 => kernels.most_sent = choices.count(),
            5 => kernels.burst = choices.amount(),
            6 => kernels.payload_words = choices.count() as usize,
            7 => kernels.state_words = choices.count(),
            _ => {
                let contents = vec![0; choices.one(&[0, 3, 4, 15, 16])];
                let usage = choices.one(&[BufferUse::Uniform, BufferUse::Storage]);
                kernels.buffers.push(BufferSpec::filled("own", usage, contents));
            }
        }
    }
    kernels
}

pub fn build(choices: &mut Choices) {
    let mut phold = Phold::new(choices.count()).until(choices.one(&[3.0, 1.0]));
    for _ in 0..choices.of(4) {
        phold = match choices.of(7) {
            0 => phold.population(choices.count()),
            1 => phold.lookahead(choices.amount()),
            2 => phold.mean(choices.amount()),
            3 => phold.remote(choices.amount()),
            4 => phold.work(choices.of(9) as u32),
            5 => phold.until(choices.amount().min(10.0)),
            _ => phold.seed(choices.next()),
        };
    }
    let Ok(model) = phold.check() else { return };
    let (options, adapter) = (options(choices), choices.adapter());
    let kernels = changed(DeviceModel::from(&model), choices);
    let _ = gpu::parts(&kernels, &options, &adapter);
    if model.events_at_start() > 1 << 20 {
        return;
    }
    let _ = processes::run(&model, Target::Heap, options, &mut AtOnce);
    let ranks = if choices.once_in(4) { choices.one(&[100_000, u32::MAX, 1025]) } else { 1 + choices.of(3) as u32 };
    let ranks = Ranks::Threads(NonZeroU32::new(ranks).expect("one or more"));
    let sizes: Vec<_> = (0..choices.of(4)).map(|_| choices.count()).collect();
    let _ = match choices.of(3) {
        0 => processes::run(&model, (ranks, Blocks::of_sizes(&sizes)), options, &mut AtOnce),
        _ => processes::run(&model, ranks, options, &mut AtOnce),
    };
}
