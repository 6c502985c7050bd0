//! A repeated table or figure of a paper.

use schemars::JsonSchema;
use serde::Serialize;

/// Ours and theirs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValueReport {
    /// The place.
    pub at: String,
    /// Our value; `null` where there is none, as of the next two.
    pub ours: Option<f64>,
    /// Half of the 95 % interval of ours.
    pub half_width: Option<f64>,
    /// The value of the paper.
    pub theirs: Option<f64>,
}

/// Values over the places of the axis.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeriesReport {
    /// What it is called.
    pub name: String,
    /// At each place.
    pub values: Vec<ValueReport>,
}

impl SeriesReport {
    /// Whether there is a column of ours: it has no value where no device has run it.
    pub fn has_ours(&self) -> bool {
        !self.has_theirs() || self.values.iter().any(|value| value.ours.is_some())
    }

    pub fn has_theirs(&self) -> bool {
        self.values.iter().any(|value| value.theirs.is_some())
    }
}

/// The subject of a claim, if it needs special runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The speed of rounds: only on a GPU.
    pub speed: bool,
    /// Effects of large models: only in a full run.
    pub size: bool,
}

/// A sentence of the paper in our words, and its check by our numbers.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub says: &'static str,
    pub about: About,
    /// `None` where numbers are missing.
    pub check: fn(&Exhibit) -> Option<bool>,
    /// The reason why ours differ, if they do.
    pub otherwise: &'static str,
}

impl Claim {
    pub const fn new(says: &'static str, check: fn(&Exhibit) -> Option<bool>, otherwise: &'static str) -> Self {
        Self { says, about: About { speed: false, size: false }, check, otherwise }
    }

    /// It is about the speed of rounds.
    pub const fn of_speed(self) -> Self {
        Self { about: About { speed: true, ..self.about }, ..self }
    }

    /// It is about large models.
    pub const fn of_size(self) -> Self {
        Self { about: About { size: true, ..self.about }, ..self }
    }

    /// The verdict of this run, and the reason if the claim does not hold.
    pub fn judge(&self, exhibit: &Exhibit, within: Circumstances) -> (Verdict, Option<&'static str>) {
        if self.about.speed && !within.gpu {
            return (Verdict::Open, Some("it is about the speed of a GPU, and none ran the rounds"));
        }
        if self.about.size && within.quick {
            return (Verdict::Open, Some("it is about large models, and a quick run has none"));
        }
        match (self.check)(exhibit) {
            Some(true) => (Verdict::Holds, None),
            Some(false) => (Verdict::Differs, Some(self.otherwise)),
            None => (Verdict::Open, Some("this run has no numbers for it")),
        }
    }
}

/// The circumstances of the run on which claims depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    pub gpu: bool,
    pub quick: bool,
}

/// What is said of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They agree with it.
    Holds,
    /// They do not.
    Differs,
    /// They say nothing of it.
    Open,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Differs => "differs",
            Self::Open => "open",
        }
    }
}

/// A table or a figure.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// Its number in the paper.
    pub number: &'static str,
    pub shows: &'static str,
    /// How ours was made.
    pub ours: String,
    /// The values that the text of the paper gives, and those that it does not.
    pub theirs: &'static str,
    pub axis: &'static str,
    pub places: Vec<String>,
    /// The unit of the values.
    pub unit: &'static str,
    /// Whether the values are orders of magnitude apart.
    pub logarithmic: bool,
    pub series: Vec<SeriesReport>,
    pub claims: &'static [Claim],
    /// The reason why it is not repeated, if it is not.
    pub left_out: Option<&'static str>,
}

impl Exhibit {
    /// An exhibit that is not repeated, with the reason.
    pub fn left_out(number: &'static str, shows: &'static str, reason: &'static str) -> Self {
        Self { number, shows, left_out: Some(reason), ..Self::default() }
    }

    /// Adds a series. Values that are not given are missing.
    pub fn add(&mut self, name: impl Into<String>, ours: &[Option<f64>], theirs: &[Option<f64>]) {
        let at = |list: &[Option<f64>], place: usize| list.get(place).copied().flatten();
        let value = |(place, name): (usize, &String)| ValueReport {
            at: name.clone(),
            ours: at(ours, place),
            half_width: None,
            theirs: at(theirs, place),
        };
        self.series
            .push(SeriesReport { name: name.into(), values: self.places.iter().enumerate().map(value).collect() });
    }

    /// Gives the last series its intervals.
    pub fn with_half_widths(&mut self, half_widths: &[Option<f64>]) {
        let Some(series) = self.series.last_mut() else { return };
        for (value, half_width) in series.values.iter_mut().zip(half_widths) {
            value.half_width = *half_width;
        }
    }

    /// The existing values of ours in a series, in the order of the axis. It closes gaps: it shows trends, but no places.
    pub fn of(&self, series: usize) -> Vec<f64> {
        self.series
            .get(series)
            .map_or_else(Vec::new, |series| series.values.iter().filter_map(|value| value.ours).collect())
    }

    /// Our value of a series at a place.
    pub fn at(&self, series: usize, place: usize) -> Option<f64> {
        self.series.get(series)?.values.get(place)?.ours
    }

    /// Our value of a series at a place, both by their names.
    pub fn value(&self, series: &str, place: &str) -> Option<f64> {
        self.at(self.named(series)?, self.place(place)?)
    }

    /// Our value of a series at the last place of the axis.
    pub fn last(&self, series: usize) -> Option<f64> {
        self.at(series, self.places.len().checked_sub(1)?)
    }

    /// Our values of a series, where none is missing.
    pub fn whole(&self, series: usize) -> Option<Vec<f64>> {
        (0..self.places.len()).map(|place| self.at(series, place)).collect()
    }

    /// The ratio of each value of a series to the value at the place before, if both exist.
    pub fn ratios(&self, series: usize) -> Vec<f64> {
        let pair = |place| Some(self.at(series, place)? / self.at(series, place - 1)?);
        (1..self.places.len()).filter_map(pair).collect()
    }

    /// The ratio of each value of a series to that of another series, if both exist.
    pub fn quotients(&self, [series, other]: [usize; 2]) -> Vec<f64> {
        let pair = |place| Some(self.at(series, place)? / self.at(other, place)?);
        (0..self.places.len()).filter_map(pair).collect()
    }

    /// The series of a name.
    pub fn named(&self, series: &str) -> Option<usize> {
        self.series.iter().position(|one| one.name == series)
    }

    /// Whether the highest of some series reaches a share of the highest of the others at every place whose number is meant; `None`
    /// if none of the others has a value.
    pub fn reach(&self, series: &[&str], share: f64, is_meant: impl Fn(u32) -> bool) -> Option<bool> {
        let places = (0..self.places.len()).filter(|place| self.places[*place].parse().is_ok_and(&is_meant));
        all_say_yes(places.filter_map(|place| {
            let highest = |is_own: bool| {
                let meant = self.series.iter().filter(|one| series.contains(&one.name.as_str()) == is_own);
                meant.filter_map(|one| one.values.get(place)?.ours).reduce(f64::max)
            };
            Some(highest(true)? >= share * highest(false)?)
        }))
    }

    /// The place with this name on the axis.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|place| place == name)
    }

    /// Whether a check is true of every series; `None` if it can decide none.
    pub fn all(&self, check: impl Fn(&[f64]) -> Option<bool>) -> Option<bool> {
        all_say_yes((0..self.series.len()).filter_map(|series| check(&self.of(series))))
    }

    /// Whether each series is above the one before it at every place where both have values.
    pub fn stacked(&self) -> Option<bool> {
        let pairs = (1..self.series.len()).flat_map(|series| {
            (0..self.places.len()).filter_map(move |place| Some((self.at(series - 1, place)?, self.at(series, place)?)))
        });
        all_say_yes(pairs.map(|(one, other)| other > one))
    }
}

/// Whether all answers are yes; `None` without answers.
pub fn all_say_yes(said: impl Iterator<Item = bool>) -> Option<bool> {
    said.reduce(|all, one| all && one)
}

/// Whether values go up from each to the next; `None` for fewer than two.
pub fn rises(values: &[f64]) -> Option<bool> {
    (values.len() > 1).then(|| values.windows(2).all(|pair| pair[1] > pair[0]))
}

/// Whether values go down from each to the next.
pub fn falls(values: &[f64]) -> Option<bool> {
    (values.len() > 1).then(|| values.windows(2).all(|pair| pair[1] < pair[0]))
}

/// Whether measured times or rates go up: the last is above the first, and none is a tenth below the one before it.
pub fn tends_up(values: &[f64]) -> Option<bool> {
    let (first, last) = (values.first()?, values.last()?);
    (values.len() > 1).then(|| last > first && values.windows(2).all(|pair| pair[1] > 0.9 * pair[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIMS: &[Claim] = &[
        Claim::new("it grows", |e| e.all(rises), "noise"),
        Claim::new("it is fast", |e| e.all(tends_up), "it is not").of_speed().of_size(),
    ];
    const FULL: Circumstances = Circumstances { gpu: true, quick: false };

    fn exhibit(values: [f64; 3]) -> Exhibit {
        let places = ["1", "2", "3"].map(str::to_owned).to_vec();
        let mut exhibit = Exhibit { places, claims: CLAIMS, ..Exhibit::default() };
        exhibit.add("a", &values.map(Some), &[Some(1.0)]);
        exhibit
    }

    #[test]
    fn one_changed_value_turns_a_verdict() {
        let judged = |values| CLAIMS[0].judge(&exhibit(values), FULL);
        assert_eq!(judged([1.0, 2.0, 3.0]), (Verdict::Holds, None));
        assert_eq!(judged([1.0, 3.0, 3.0]), (Verdict::Differs, Some("noise")));
    }

    #[test]
    fn what_a_run_cannot_say_is_open() {
        let found = exhibit([1.0, 2.0, 3.0]);
        assert_eq!(CLAIMS[1].judge(&found, FULL).0, Verdict::Holds);
        for within in [Circumstances { gpu: false, ..FULL }, Circumstances { quick: true, ..FULL }] {
            assert_eq!(CLAIMS[1].judge(&found, within).0, Verdict::Open, "{within:?}");
        }
        let nothing = Exhibit { series: vec![], ..found };
        assert_eq!(CLAIMS[0].judge(&nothing, FULL).0, Verdict::Open);
    }

    #[test]
    fn nothing_said_is_no_yes() {
        assert_eq!(
            [&[][..], &[true, true], &[true, false]].map(|said| all_say_yes(said.iter().copied())),
            [None, Some(true), Some(false)]
        );
    }

    #[test]
    fn a_gap_stays_where_it_is() {
        let mut found = exhibit([1.0, 2.0, 6.0]);
        found.add("b", &[Some(2.0), None, Some(3.0)], &[]);
        assert_eq!((found.value("b", "3"), found.value("b", "2"), found.value("c", "3")), (Some(3.0), None, None));
        assert_eq!((found.whole(0), found.whole(1)), (Some(vec![1.0, 2.0, 6.0]), None));
        assert_eq!((found.ratios(0), found.ratios(1)), (vec![2.0, 3.0], vec![]));
        assert_eq!(found.quotients([1, 0]), [2.0, 0.5]);
        found.series[0].values[2].ours = None;
        assert_eq!((found.last(0), found.last(1)), (None, Some(3.0)));
    }

    #[test]
    fn trends_are_seen() {
        assert_eq!((rises(&[1.0]), rises(&[1.0, 1.0]), falls(&[2.0, 1.0])), (None, Some(false), Some(true)));
        assert_eq!((tends_up(&[1.0, 0.95, 1.2]), tends_up(&[1.0, 0.8, 1.2])), (Some(true), Some(false)));
        let mut found = exhibit([1.0, 2.0, 3.0]);
        found.add("b", &[Some(2.0), None, Some(4.0)], &[]);
        assert_eq!((found.stacked(), found.of(1)), (Some(true), vec![2.0, 4.0]));
        found.series[1].values[2].ours = Some(3.0);
        assert_eq!(found.stacked(), Some(false));
    }
}
