//! The number of events in the rounds of a device, over the run.

use super::{Drawing, Line, Picture, capital, lines};
use tickless_core::run::Moment;

/// The fewest moments of a picture.
const FEWEST: usize = 8;

/// The mean number of events in a round, between moments of the run; `None` if the run was too short.
pub fn events_a_round(moments: &[Moment], counted: &str) -> Option<Picture> {
    let begin = Moment { rounds: 0, events: 0, ..*moments.first()? };
    let before = [&begin].into_iter().chain(moments);
    let each = before.zip(moments).filter_map(|(before, moment)| {
        let events = moment.events_a_round_since(before)?;
        Some([(before.rounds + moment.rounds) as f64 / 2.0, events])
    });
    let points: Vec<_> = each.collect();
    if points.len() < FEWEST {
        return None;
    }
    let bounds =
        points.iter().fold([f64::MAX, 0.0_f64], |[least, most], [_, events]| [least.min(*events), most.max(*events)]);
    let about = format!(
        "the mean of {counted} in a round over the rounds of the run, from {:.1} to {:.1}",
        bounds[0], bounds[1]
    );
    let line = Line { name: format!("{counted} a round"), points, half_widths: vec![] };
    let drawing = Drawing::Svg(lines(["round", &format!("{counted} a round")], &[line], None));
    Some(Picture { title: format!("{} in a round, over the run", capital(counted)), about, drawing })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::time::Time;

    #[test]
    fn rounds_are_drawn_where_there_are_enough_moments() {
        let moments = |count: u64| -> Vec<Moment> {
            let at = |number: u64| Moment { rounds: 10 * number, events: 30 * number, clock: Time::ZERO };
            (1..=count).map(at).collect()
        };
        assert!(events_a_round(&moments(FEWEST as u64 - 1), "events").is_none());
        assert!(events_a_round(&vec![moments(1)[0]; 20], "events").is_none());
        let picture = events_a_round(&moments(20), "transitions").unwrap();
        assert_eq!(picture.title, "Transitions in a round, over the run");
        assert!(picture.about.ends_with("from 3.0 to 3.0"), "{}", picture.about);
        assert!(matches!(picture.drawing, Drawing::Svg(svg) if svg.contains("transitions a round")));
    }
}
