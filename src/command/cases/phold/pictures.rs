//! The picture of a report on PHOLD: how many events the processes executed.

use crate::page::{Drawing, Line, Picture, lines};
use tickless_processes::Outcome;

/// Points of the curve.
const POINTS: u64 = 60;

/// `None` if the records of processes were added up, or all have executed the same number of events.
pub fn picture(outcome: &Outcome) -> Option<Picture> {
    let executed = || outcome.processes.iter().map(|process| process.executed);
    let (least, most) = (executed().min()?, executed().max()?);
    if least == most {
        return None;
    }
    let width = (most - least + 1).div_ceil(POINTS);
    let mut counts = vec![0_u32; ((most - least) / width + 1) as usize];
    executed().for_each(|count| counts[((count - least) / width) as usize] += 1);
    let middle = |bin: usize| least as f64 + (bin as f64 + 0.5) * width as f64 - 0.5;
    let points = counts.iter().enumerate().map(|(bin, count)| [middle(bin), f64::from(*count)]).collect();
    let line = Line { name: "processes".into(), points, half_widths: vec![] };
    let title = format!("Events that processes executed, from {least} to {most}");
    let svg = lines(["events of a process", "processes"], &[line], None);
    Some(Picture { about: format!("{title}: how many processes executed as many"), title, drawing: Drawing::Svg(svg) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_device::Target;
    use tickless_processes::Phold;

    #[test]
    fn every_process_is_counted() {
        let model = Phold::new(50).population(3).until(20.0).check().unwrap();
        let outcome =
            tickless_processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        let picture = picture(&outcome).unwrap();
        let most = outcome.processes.iter().map(|process| process.executed).max().unwrap();
        assert!(picture.title.ends_with(&format!("to {most}")), "{}", picture.title);
        let Drawing::Svg(svg) = picture.drawing else { panic!("a PNG") };
        // The chart for phones has the same points.
        let wide = svg.split("</svg>").next().unwrap();
        let counts = wide.split("<title>processes: ").skip(1).map(|rest| rest.split(' ').next().unwrap());
        assert_eq!(counts.map(|count| count.parse::<u32>().unwrap()).sum::<u32>(), 50);
    }
}
