//! Spaces of four dimensions.

use proptest::prelude::*;

use super::super::{Fixed, RuleFile, RuleModel};
use super::naive::{self, FourDimensions};
use super::parse;
use tickless_cells::CellModel as _;
use tickless_core::run::unwatched;
use tickless_core::time::Time;
use tickless_device::Target;

fn written<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

impl FourDimensions {
    /// The same as a file.
    fn file(&self) -> RuleFile {
        let cells = self.neighbours.iter().map(|cell| format!("({})", written(cell)));
        let cells: Vec<String> = cells.collect();
        let value = |(n, cell): (usize, &String)| format!("{} * if({cell} = ?, 3, {cell})", n + 1);
        let sum = cells.iter().enumerate().map(value).collect::<Vec<_>>().join(" + ");
        let border = if self.is_wrapped { "wrapped" } else { "nowrapped" };
        let text = format!(
            "[top]\ncomponents : a\n[a]\ntype : cell\ndim : ({})\ndelay : transport\nborder : {border}\n\
             neighbors : a{}\ninitialvalue : 0\ninitialmapvalue : start.map\nlocaltransition : r\nstatevariables : n\n\
             statevalues : 0\n[r]\nrule : {{remainder({sum} + cellpos(2) + 2 * cellpos(3) + $n, 5)}} {{ $n := $n + 1; }} 1 {{t}}\n",
            written(&self.size),
            cells.join(" a"),
        );
        let starts: Vec<String> = self.starts.iter().map(i64::to_string).collect();
        RuleFile::parse(&text, "f.ma", |_| Some(starts.join("\n"))).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }
}

fn model(file: RuleFile, until: f64) -> RuleModel {
    file.model(Time::from_units(until).expect("a time"), 1)
}

/// The value of every cell at the end, by its place.
fn values(model: &RuleModel) -> Vec<([i64; 4], String)> {
    let run = tickless_cells::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched())
        .unwrap_or_else(|e| panic!("{e}"));
    let numbers = model.numbers(&run.outcome.output).map(|number: Fixed| number.to_string());
    (0..).map(|cell| model.file().place(cell).map(i64::from)).zip(numbers).collect()
}

fn any_space() -> impl Strategy<Value = FourDimensions> {
    let offset = || [-2..=2_i64, -2..=2, -3..=3, -3..=3];
    let spaces = ([1..4_i64, 1..4, 1..4, 1..4], any::<bool>(), proptest::collection::vec(offset(), 1..7));
    spaces.prop_flat_map(|(size, is_wrapped, mut neighbours)| {
        neighbours.sort_unstable();
        neighbours.dedup();
        let cells = size.iter().product::<i64>() as usize;
        proptest::collection::vec(0..5_i64, cells).prop_map(move |starts| FourDimensions {
            size,
            is_wrapped,
            neighbours: neighbours.clone(),
            starts,
        })
    })
}

proptest! {
    #[test]
    fn cells_hear_whom_they_hear_in_four_dimensions(space in any_space()) {
        let mut expected: Vec<_> = space.run(5).map(|(place, value)| (place, value.to_string())).collect();
        let mut found = values(&model(space.file(), 5.5));
        expected.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn one_other_neighbour_is_seen() {
    let space = |layer: i64| FourDimensions {
        size: [2, 1, 3, 2],
        is_wrapped: true,
        neighbours: vec![[0, 0, 0, 0], [1, 0, -1, layer]],
        starts: (0..12).map(|n| n % 5).collect(),
    };
    let [one, other] = [0, 1].map(|layer| values(&model(space(layer).file(), 3.5)));
    assert_ne!(one, other);
}

/// A file of 2 x 2 x 2 x 3 cells.
fn small(head: &str, rules: &str) -> String {
    format!(
        "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (2,2,2,3)\ndelay : transport\ninitialvalue : 0\n\
         localtransition : r\n{head}\n[r]\n{rules}\n"
    )
}

const HEAD: &str = "border : nowrapped\nneighbors : a(0,0,0,0) a(0,0,1,0) a(0,0,0,-1)";

#[test]
fn zones_places_and_values_have_a_fourth_coordinate() {
    let head = format!("{HEAD}\nzone : z {{ (0,0,1,1)..(1,1,0,2) (1,0,1,0) }}\ninitialcellsvalue : a.val");
    let rules = "rule : {cellpos(3) * 10 + cellpos(2) + if((0,0,1,0) = ?, 100, 0)} 1 {(0,0,0,0) = 0}\nrule : {(0,0,0,0)} 1 {t}\n\
                 [z]\nrule : {(0,0,0,-1) + 7} 1 {time = 0}\nrule : {(0,0,0,0)} 1 {t}";
    let text = small(&head, rules);
    let file = RuleFile::parse(&text, "f.ma", |_| Some("(0,1,1,0) = 5\n(0,1,1,3) = 6\n".into()));
    let file = file.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((file.space().size(), file.layers(), file.neighbours()), ([2, 2, 6], 3, 2));
    let found = values(&model(file, 1.5));
    let of = |place: [i64; 4]| &found.iter().find(|(other, _)| *other == place).expect("a cell").1;
    assert_eq!([of([0, 0, 0, 0]), of([0, 0, 1, 0]), of([0, 1, 1, 0])], ["0", "101", "5"]);
    assert_eq!([of([1, 0, 1, 0]), of([0, 1, 1, 1]), of([0, 1, 1, 2])], ["?", "12", "7"]);
}

#[test]
fn what_has_no_place_in_four_dimensions_is_named() {
    let shown = |text: &str| RuleFile::parse(text, "f.ma", |_| None).expect_err(text).to_string();
    let cases = [
        (HEAD.replace("a(0,0,1,0)", "a(0,0,1)"), "there is a cell with 3 coordinates where one with 4"),
        (HEAD.replace("(0,0,1,0)", "(0,0,1,0,1)"), "a space of five dimensions is not supported: a space has rows"),
        (format!("{HEAD}\nzone : r {{ (0,0,0,0)..(1,1,1,3) }}"), "it goes from a cell to another within 2 x 2 x 2 x 3"),
        (format!("{HEAD}\ninitialrow : 0 1 1"), "'initialrow' in more than two dimensions is not supported"),
        (format!("{HEAD}\nin : i\nlink : i i@a(0,0,0,3)"), "the space has 2 x 2 x 2 x 3 cells"),
        (
            HEAD.replace("(0,0,0,-1)", "(0,0,0,-20000)"),
            "10:1: a neighbor is '(0,0,0,-20000)'; it must be at most 32768 planes away",
        ),
    ];
    for (head, expected) in cases {
        let error = shown(&small(&head, "rule : 1 1 {t}"));
        assert!(error.contains(expected), "{head}\n{error}");
    }
    let rules = [
        ("rule : {(0,0,0,1)} 1 {t}", "the cell (0,0,0,1) is not among the neighbors"),
        ("rule : {(0,0,0,0,1)} 1 {t}", "a space of five dimensions is not supported"),
        ("rule : {cellpos(4)} 1 {t}", "cellpos(2) the plane, cellpos(3) the layer"),
    ];
    for (rule, expected) in rules {
        let error = shown(&small(HEAD, rule));
        assert!(error.contains(expected), "{rule}\n{error}");
    }
    // Each of these has two offsets, as planes wrap within a layer.
    let many: Vec<String> = (0..200).map(|n| format!("a({n},0,1,0)")).collect();
    let error = shown(&small(&format!("border : wrapped\nneighbors : {}", many.join(" ")), "rule : 1 1 {t}"));
    assert!(error.contains("counts twice where its planes wrap within a layer, pass the limit of 256"), "{error}");
    let failed = model(parse(&small(HEAD, "rule : 1 1 {cellpos(3) < 2}")), 2.0);
    let error = naive::run(&failed, 0).expect_err("no rule").to_string();
    assert!(error.contains("test.ma: cell (0,0,0,2) at 0 ms: no rule holds"), "{error}");
    assert_eq!(failed.space().cells(), 24);
}
