//! Pairs of what servers do, against Markov chains: groups with batches; standby, set-ups and failures with patience; set-ups with failures.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{ServerGroup, Source, Standby, Station};

/// Exponential times of this rate.
pub(super) fn at(rate: f64) -> ServiceLaw {
    law(&format!("exponential:{}", 1.0 / rate))
}

/// A station to which tokens come at a rate, and a way out.
fn desk(station: Station, rate: f64) -> Network {
    let mut network = Network::new().warmup(100.0).until(10_100.0);
    let desk = network.station(station);
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("in", at(rate), desk));
    network
}

/// The share of the arrivals at a place, a class of a station, that found no room.
pub(super) fn lost(place: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| outcome.classes[place].record.losses as f64 / outcome.classes[place].record.arrivals as f64
}

/// The share of those arrivals that lost their patience.
pub(super) fn gone(place: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| outcome.classes[place].reneged as f64 / outcome.classes[place].record.arrivals as f64
}

/// Servers of a group that are taken, in the mean over time.
pub(super) fn taken(group: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| units(outcome.groups[group].busy) / outcome.stations.measured()
}

/// Servers of the first station that set up, are away or on standby.
fn absent(outcome: &NetworkOutcome) -> f64 {
    units(outcome.absent[0]) / outcome.stations.measured()
}

/// Two groups, one of them slow, and batches: who comes when a batch is not full yet is served alone, if the other server is free.
#[test]
fn a_cart_for_several_beside_a_server_for_one() {
    let (arrivals, cart_rate, alone) = (1.1, 0.5, 1.0);
    // Tokens in line, and whether the cart and the other server are taken.
    type State = (u32, bool, bool);
    fn next((line, cart, other): State) -> State {
        match (cart, other) {
            (false, _) if line >= 2 => (line - line.min(3), true, other),
            (_, false) if line >= 1 => (line - 1, cart, true),
            _ => (line, cart, other),
        }
    }
    let chain = Chain::new((0, false, false), |(line, cart, other): State| {
        let mut moves = vec![(next(((line + 1).min(60), cart, other)), arrivals)];
        moves.extend(cart.then(|| (next((line, false, other)), cart_rate)));
        moves.extend(other.then(|| (next((line, cart, false)), alone)));
        moves
    });
    let cart = ServerGroup::new("cart", 1).factor(1.0 / cart_rate).batch_most(3).batch_least(2);
    let network = desk(Station::new("desk", at(alone)).group(cart).group(ServerGroup::new("other", 1)), arrivals);
    let (of_cart, of_other) = (chain.share(|(_, cart, _)| cart), chain.share(|(.., other)| other));
    let size = |outcome: &NetworkOutcome| outcome.groups[0].tokens[0] as f64 / outcome.groups[0].batches as f64;
    let wait = |outcome: &NetworkOutcome| {
        let record = outcome.stations.facilities[0];
        units(record.waiting) / record.starts as f64
    };
    assert_figures(
        &network,
        &[
            ("wait", chain.mean(|(line, ..)| f64::from(line)) / arrivals, &wait),
            ("cart", of_cart, &taken(0)),
            ("other", of_other, &taken(1)),
            ("size of batches", (arrivals - alone * of_other) / (cart_rate * of_cart), &size),
        ],
    );
}

/// Standby and patience: two servers come a time after three wait, though these may be gone by then; they go at the end of a service, and
/// not where patience leaves nobody in line; and they serve to the end beside the one that stays.
#[test]
fn servers_on_standby_come_for_who_may_be_gone() {
    const AWAY: u32 = 0;
    const CALLED: u32 = 1;
    const THERE: u32 = 2;
    let (arrivals, patience) = (2.2, 0.3);
    // Tokens in line and in service, and the servers on standby.
    type State = (u32, u32, u32);
    fn next((line, served, standby): State) -> State {
        let more = line.min((if standby == THERE { 3_u32 } else { 1 }).saturating_sub(served));
        let calls = standby == AWAY && line - more >= 3;
        (line - more, served + more, if calls { CALLED } else { standby })
    }
    let chain = Chain::new((0, 0, AWAY), |(line, served, standby): State| {
        let mut moves = vec![(next(((line + 1).min(40), served, standby)), arrivals)];
        if served > 0 {
            let stays = if standby == THERE && line <= 1 { AWAY } else { standby };
            moves.push((next((line, served - 1, stays)), f64::from(served)));
        }
        if line > 0 {
            moves.push(((line - 1, served, standby), patience * f64::from(line)));
        }
        moves.extend((standby == CALLED).then(|| (next((line, served, THERE)), 1.0)));
        moves
    });
    let standby = Standby { servers: 2, comes_at: 3, goes_at: 1 };
    let station = Station::new("desk", at(1.0)).servers(3).standby(standby).standby_starts_in(at(1.0));
    let line = chain.mean(|(line, ..)| f64::from(line));
    assert_figures(
        &desk(station.patience(at(patience), None), arrivals),
        &[
            ("present", line + chain.mean(|(_, served, _)| f64::from(served)), &|one| mean_present(one, 0)),
            ("gone", patience * line / arrivals, &gone(0)),
            ("away", 2.0 * chain.share(|(.., standby)| standby != THERE), &absent),
        ],
    );
}

/// Set-ups that are called off and patience: who gives up calls a set-up off, too.
#[test]
fn who_gives_up_calls_a_set_up_off() {
    let (arrivals, setup, patience) = (1.8, 0.5, 0.25);
    // Servers at work, and tokens there.
    let set_up = |(at_work, present): (u32, u32)| (2 - at_work).min(present - at_work);
    let chain = Chain::new((0, 0), |(at_work, present): (u32, u32)| {
        let mut moves = vec![((at_work, (present + 1).min(60)), arrivals)];
        if at_work > 0 {
            moves.push(((at_work.min(present - 1), present - 1), f64::from(at_work)));
        }
        if present > at_work {
            moves.push(((at_work, present - 1), patience * f64::from(present - at_work)));
            moves.push(((at_work + 1, present), setup * f64::from(set_up((at_work, present)))));
        }
        moves.retain(|(_, rate)| *rate > 0.0);
        moves
    });
    let station = Station::new("desk", at(1.0)).servers(2).setup(at(setup)).setups_called_off();
    let waiting = chain.mean(|(at_work, present)| f64::from(present - at_work));
    assert_figures(
        &desk(station.patience(at(patience), None), arrivals),
        &[
            ("present", chain.mean(|(_, present)| f64::from(present)), &|one| mean_present(one, 0)),
            ("gone", patience * waiting / arrivals, &gone(0)),
            ("set up", chain.mean(|state| f64::from(set_up(state))), &absent),
        ],
    );
}

/// Set-ups and failures, with room for five: a set-up goes on while the server is out of order, and is in vain if it ends then; a server that
/// has been repaired sets up again.
#[test]
fn set_ups_end_in_vain_where_the_server_is_out_of_order() {
    const OFF: u32 = 0;
    const SETS_UP: u32 = 1;
    const SERVES: u32 = 2;
    let (arrivals, setup, failures, repairs) = (0.7, 1.25, 0.2, 0.5);
    // Tokens there, whether the server is in order, and what it does.
    type State = (u32, bool, u32);
    fn next((present, works, server): State) -> State {
        let begins = server == OFF && works && present > 0;
        (present, works, if begins { SETS_UP } else { server })
    }
    let chain = Chain::new((0, true, OFF), |(present, works, server): State| {
        let fails = (present, false, if server == SERVES { OFF } else { server });
        let mut moves = vec![if works { (fails, failures) } else { (next((present, true, server)), repairs) }];
        moves.extend((present < 5).then(|| (next((present + 1, works, server)), arrivals)));
        match server {
            SETS_UP => moves.push(((present, works, if works { SERVES } else { OFF }), setup)),
            SERVES => moves.push(((present - 1, works, if present > 1 { SERVES } else { OFF }), 1.0)),
            _ => {}
        }
        moves
    });
    let station = Station::new("desk", at(1.0)).capacity(5).setup(at(setup)).failures(at(failures), at(repairs));
    assert_figures(
        &desk(station, arrivals),
        &[
            ("present", chain.mean(|(present, ..)| f64::from(present)), &|one| mean_present(one, 0)),
            ("lost", chain.share(|(present, ..)| present == 5), &lost(0)),
            ("sets up", chain.share(|(.., server)| server == SETS_UP), &absent),
        ],
    );
}

/// Two servers that fail at rate 0.25 and are repaired at rate 0.5, and patience: against the chain of these rates.
fn assert_failures_and_patience(failures: f64, repairs: f64) {
    let (arrivals, patience) = (1.6, 0.4);
    // Tokens that have not been served yet, those that have, though perhaps interrupted, and servers in order.
    type State = (u32, u32, u32);
    fn next((line, begun, works): State) -> State {
        let more = line.min(works.saturating_sub(begun));
        (line - more, begun + more, works)
    }
    let chain = Chain::new((0, 0, 2), |(line, begun, works): State| {
        let mut moves = vec![
            (next(((line + 1).min(40), begun, works)), arrivals),
            (next((line, begun.saturating_sub(1), works)), f64::from(begun.min(works))),
            ((line.saturating_sub(1), begun, works), patience * f64::from(line)),
            ((line, begun, works.saturating_sub(1)), failures * f64::from(works)),
            (next((line, begun, (works + 1).min(2))), repairs * f64::from(2 - works)),
        ];
        moves.retain(|(_, rate)| *rate > 0.0);
        moves
    });
    let (line, begun) = (chain.mean(|(line, ..)| f64::from(line)), chain.mean(|(_, begun, _)| f64::from(begun)));
    let station = Station::new("desk", at(1.0)).servers(2).failures(at(0.25), at(0.5)).patience(at(patience), None);
    let busy = |outcome: &NetworkOutcome| units(outcome.stations.facilities[0].busy) / outcome.stations.measured();
    assert_figures(
        &desk(station, arrivals),
        &[
            ("present", line + begun, &|one| mean_present(one, 0)),
            ("gone", patience * line / arrivals, &gone(0)),
            ("busy", chain.mean(|(_, begun, works)| f64::from(begun.min(works))), &busy),
        ],
    );
}

/// Failures and patience: who is interrupted has begun, and waits for a server without patience, before all others.
#[test]
fn who_is_interrupted_has_patience() {
    assert_failures_and_patience(0.25, 0.5);
}

/// A chain with one rate a tenth larger differs.
#[test]
#[should_panic(expected = "theory")]
fn one_changed_rate_is_caught() {
    assert_failures_and_patience(0.25, 0.55);
}
