//! Stations of random networks where tokens wait.

use super::*;

/// A station where tokens wait, with shifts or failures where they change.
pub fn queue(
    mut station: Station,
    (uses, levels): (Uses, bool),
    (used, aside, attributes, knows_services): (&mut Used, SinkId, &[AttributeId], &mut bool),
    pick: &mut impl FnMut(u32) -> u32,
) -> Station {
    let discipline = if uses.attributes && pick(2) == 0 {
        let discipline = by_attribute(uses, pick);
        // Few networks may have this one.
        if discipline != Discipline::ShortestRemaining {
            used.insert(discipline.name().into());
        }
        discipline
    } else {
        Discipline::ALL[pick(5) as usize]
    };
    let discipline = match discipline {
        _ if uses.random => Discipline::Random,
        // A device has a kernel for stations where the next token is drawn.
        Discipline::Random => Discipline::FirstCome,
        other => other,
    };
    station = station.servers(1 + pick(3)).discipline(discipline);
    *knows_services = KNOW_SERVICES.contains(&discipline);
    if let Discipline::LeastValue | Discipline::EarliestDue | Discipline::Ageing = discipline {
        station = station.order_by(attributes[pick(2) as usize]);
    }
    let changes = uses.servers && !(uses.absences && pick(3) == 0);
    let kind = if changes { pick(4) } else { 3 };
    let mut fails = false;
    if kind == 0 || kind == 1 {
        used.insert("shifts".into());
        let mut shifts = Shifts::new(vec![(0.0, 2), (f64::from(1 + pick(9)), pick(2)), (10.0, 3)]);
        if pick(2) == 0 {
            used.insert("periods".into());
            shifts = shifts.every(12.0);
        }
        if pick(2) == 0 {
            used.insert("interrupting shifts".into());
            shifts = shifts.interrupting();
        }
        station = station.shifts(shifts);
    }
    if kind == 1 || kind == 2 || changes && kind == 3 {
        used.insert("failures".into());
        station = station.failures(law("exponential:5"), law("exponential:1"));
    } else if uses.absences && kind == 3 && pick(2) == 0 {
        used.insert("failures by use".into());
        fails = true;
        station = station.failures_by_use(law("exponential:5"), law("exponential:1"));
    }
    let mut is_absent = false;
    if uses.absences {
        let absence = law(LAWS[pick(4) as usize]);
        let choice = pick(3);
        is_absent = choice < 2;
        station = match choice {
            0 => {
                used.insert("set-up times".into());
                let mut station = station.setup(absence);
                // Without a draw: networks stay as they are without.
                if kind % 2 == 0 {
                    used.insert("off after a while".into());
                    station = station.off_after(law("uniform:0.2,3"));
                }
                if pick(2) == 0 {
                    used.insert("set-ups called off".into());
                    station.setups_called_off()
                } else {
                    station
                }
            }
            1 => {
                used.insert("vacations".into());
                station.vacations(absence)
            }
            _ => station,
        };
    }
    let is_calm = kind == 3 && !changes && !uses.units && !uses.blocking && !uses.paced && !uses.forks;
    let has_standby = uses.absences && is_calm && !is_absent && !fails && !is_preemptive(discipline);
    if has_standby {
        used.insert("standby".into());
        let (comes_at, servers) = (2, 2 + pick(2));
        station = station.servers(3).standby(Standby { servers, comes_at, goes_at: pick(2) });
        if pick(2) == 0 {
            used.insert("standby that starts".into());
            station = station.standby_starts_in(law(LAWS[pick(4) as usize]));
        }
    }
    let is_interrupting = !has_standby && pick(3) == 0 && levels && !is_preemptive(discipline);
    if is_interrupting {
        station = station.preemptive();
    }
    // Its tokens may split.
    let splits = uses.forks;
    if !uses.stops && pick(3) == 0 {
        let to = (pick(2) == 0).then_some(aside.into());
        station = station.patience(law(LAWS[pick(4) as usize]), to);
        if uses.attributes && pick(2) == 0 {
            used.insert("patience by attributes".into());
            station = station.patience_by(attributes[pick(2) as usize], [0.5, 2.0][pick(2) as usize], pick(2) == 0);
        }
        let is_steady = kind == 3 && !changes && !uses.absences && !is_preemptive(discipline);
        if uses.attributes && is_steady && !is_interrupting && !uses.paced && !uses.units && !uses.blocking && !splits {
            used.insert("patience amid services".into());
            station = station.patience_runs_on();
        }
    }
    station
}
