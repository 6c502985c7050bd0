//! The numbers of servers of a station over time.

use tickless_core::time::Time;

/// The numbers of servers on duty over time.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Shifts, Station};
/// // Three by day, one by night; who is served at the end of a shift is served to the end.
/// let shifts = Shifts::new(vec![(0.0, 1), (480.0, 3), (1200.0, 1)]).every(1440.0);
/// let desk = Station::new("desk", "exponential:4".parse()?).shifts(shifts);
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shifts {
    /// Times in time units, and the number of servers from each on.
    pub(crate) steps: Vec<(f64, u32)>,
    pub(crate) period: Option<f64>,
    pub(crate) interrupts: bool,
}

impl Shifts {
    /// Times in time units, and the number of servers from each on. The first time is 0, and the last number holds for
    /// ever.
    pub fn new(steps: Vec<(f64, u32)>) -> Self {
        Self { steps, period: None, interrupts: false }
    }

    /// The shifts repeat after this many time units.
    #[must_use]
    pub fn every(mut self, period: f64) -> Self {
        self.period = Some(period);
        self
    }

    /// Services in progress are interrupted where fewer servers are left, and go on later: first the services that are last in
    /// the order of service. Without this call all are served to the end.
    #[must_use]
    pub fn interrupting(mut self) -> Self {
        self.interrupts = true;
        self
    }

    /// The fault: the quantity, its value, and the allowed values.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        let (Some((first, _)), Some((last, _))) = (self.steps.first(), self.steps.last()) else {
            return Some(("the number of shifts", 0.0, "1 or more"));
        };
        if *first != 0.0 {
            return Some(("the first time of the shifts", *first, "0"));
        }
        if let Some(period) = self.period.filter(|period| !(*period - last >= SHORTEST && *period < MOST)) {
            return Some(("the period", period, "1e-6 or more after the last time of the shifts, and below 2^30"));
        }
        let ends = self.steps.iter().skip(1).map(|(start, _)| *start);
        let wrong = self.steps.iter().zip(ends).find(|((start, _), end)| !(*end - start >= SHORTEST && *end < MOST));
        if let Some((_, end)) = wrong {
            return Some(("a time of the shifts", end, "1e-6 or more after the one before it, and below 2^30"));
        }
        let most = self.most();
        (most == 0).then_some(("the number of servers in every shift", 0.0, "1 or more in one of them"))
    }

    /// The most servers of a shift.
    pub(crate) fn most(&self) -> u32 {
        self.steps.iter().map(|(_, servers)| *servers).max().unwrap_or(0)
    }
}

/// The shortest shift; the bound of the ends of shifts, in time units.
const SHORTEST: f64 = 1e-6;
const MOST: f64 = 1_073_741_824.0;

/// Checked [`Shifts`] in ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShiftSchedule {
    /// When each shift begins, and how many servers it has.
    steps: Vec<(u64, u32)>,
    period: Option<u64>,
    /// Whether its end interrupts services.
    pub(crate) interrupts: bool,
}

impl ShiftSchedule {
    /// Of shifts without a fault.
    pub(crate) fn new(shifts: &Shifts) -> Self {
        let ticks = |units: f64| (units * Time::UNIT.ticks() as f64).round() as u64;
        Self {
            steps: shifts.steps.iter().map(|(start, servers)| (ticks(*start), *servers)).collect(),
            period: shifts.period.map(ticks),
            interrupts: shifts.interrupts,
        }
    }

    /// The beginning and the servers of the n-th shift; `None` where there is none before 2³¹ time units.
    pub(crate) fn shift(&self, number: u64) -> Option<(Time, u32)> {
        let count = self.steps.len() as u64;
        let (periods, place) = (number / count, (number % count) as usize);
        let (start, servers) = self.steps[place];
        let before = match self.period {
            None if periods > 0 => return None,
            period => period.unwrap_or(0).checked_mul(periods)?,
        };
        let ticks = before.checked_add(start).filter(|ticks| *ticks < 1 << 63)?;
        Some((Time::from_ticks(ticks), servers))
    }

    /// The most servers of the shifts from the n-th on.
    pub(crate) fn most_from(&self, number: u64) -> u32 {
        let count = self.steps.len() as u64;
        let first = if self.period.is_some() { 0 } else { number.min(count - 1) };
        self.steps[first as usize..].iter().map(|(_, servers)| *servers).max().unwrap_or(0)
    }

    /// The length of each shift of a period, in ticks (without a period the last length is [`Time::NEVER`]), and its number of
    /// servers.
    pub(crate) fn lengths(&self) -> Vec<(u64, u32)> {
        let ends = self.steps.iter().skip(1).map(|(start, _)| *start).chain([self.period.unwrap_or(u64::MAX)]);
        let length =
            |(&(start, servers), end): (&(u64, u32), u64)| (if end == u64::MAX { end } else { end - start }, servers);
        self.steps.iter().zip(ends).map(length).collect()
    }

    /// The mean number of servers between two times.
    pub(crate) fn mean(&self, from: Time, until: Time) -> f64 {
        let area = |until: Time| {
            let mut area = 0.0;
            let whole = self.period.map_or(0, |period| until.ticks() / period);
            let start = |step: usize| self.steps.get(step).map(|(start, _)| *start);
            let of_period = |end: u64| -> f64 {
                let of_step = |step: usize| {
                    let (begin, servers) = self.steps[step];
                    let stop = start(step + 1).unwrap_or(u64::MAX).min(end);
                    f64::from(servers) * stop.saturating_sub(begin) as f64
                };
                (0..self.steps.len()).map(of_step).sum()
            };
            if let Some(period) = self.period {
                area += whole as f64 * of_period(period);
            }
            area + of_period(until.ticks() - whole * self.period.unwrap_or(0))
        };
        let span = until.ticks().saturating_sub(from.ticks());
        if span == 0 { 0.0 } else { (area(until) - area(from)) / span as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_come_in_order_and_again() {
        let shift_schedule = ShiftSchedule::new(&Shifts::new(vec![(0.0, 1), (8.0, 3)]).every(24.0));
        let shift = |number| shift_schedule.shift(number).map(|(time, servers)| (time.units(), servers));
        assert_eq!([0, 1, 2, 3].map(shift), [Some((0.0, 1)), Some((8.0, 3)), Some((24.0, 1)), Some((32.0, 3))]);
        let units = |units| Time::from_units(units).unwrap();
        assert_eq!(shift_schedule.lengths(), [(8 << 32, 1), (16 << 32, 3)]);
        assert_eq!([0, 1, 2, 5].map(|number| shift_schedule.most_from(number)), [3; 4]);
        assert_eq!(shift_schedule.mean(Time::ZERO, units(24.0)), (8.0 + 48.0) / 24.0);
        assert_eq!(shift_schedule.mean(units(4.0), units(28.0)), (4.0 + 48.0 + 4.0) / 24.0);
        assert_eq!(shift_schedule.mean(units(50.0), units(54.0)), 1.0);
        let once = ShiftSchedule::new(&Shifts::new(vec![(0.0, 0), (8.0, 2)]));
        assert_eq!((once.shift(2), once.mean(Time::ZERO, units(16.0))), (None, 1.0));
        assert_eq!(once.lengths(), [(8 << 32, 0), (u64::MAX, 2)]);
        let fewer = ShiftSchedule::new(&Shifts::new(vec![(0.0, 1), (8.0, 3), (9.0, 2)]));
        assert_eq!([0, 1, 2].map(|number| fewer.most_from(number)), [3, 3, 2]);
    }

    #[test]
    fn faults_are_named() {
        let fault = |shifts: Shifts| shifts.fault().map(|(what, ..)| what);
        assert_eq!(fault(Shifts::new(vec![])), Some("the number of shifts"));
        assert_eq!(fault(Shifts::new(vec![(1.0, 2)])), Some("the first time of the shifts"));
        assert_eq!(fault(Shifts::new(vec![(0.0, 2)]).every(f64::NAN)), Some("the period"));
        assert_eq!(fault(Shifts::new(vec![(0.0, 2), (0.0, 3)])), Some("a time of the shifts"));
        assert_eq!(fault(Shifts::new(vec![(0.0, 2)]).every(0.0)), Some("the period"));
        assert_eq!(fault(Shifts::new(vec![(0.0, 0)])), Some("the number of servers in every shift"));
        assert_eq!(fault(Shifts::new(vec![(0.0, 0), (1.0, 1)]).every(2.0)), None);
    }
}
