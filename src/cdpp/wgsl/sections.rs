//! Sections of rules, cut into functions of a few rules, and the one place that calls them.
//!
//! A driver that inlines functions makes each early `return` a deeper block around the rest; Mesa's software adapter
//! crashes at 80. So a function has few rules, and functions follow each other without being nested. Rules that sections
//! share by `else` are called from one place, too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::cell_space::Zone;
use super::super::expression::{Expression, Rule};
use super::super::file::RuleSection;
use super::super::layers::Way;
use super::writer::{LookedAt, SENDS, Writer};

/// Rules of a function.
const TOGETHER: usize = 16;

/// Rules that some sections have at the same distance from their end.
struct Step {
    /// Functions between these rules and the end.
    behind: usize,
    body: String,
    sections: BTreeSet<usize>,
}

/// The sections by their kind.
#[derive(Default)]
struct Kinds {
    /// Sections that count the neighborhood on a port.
    counting: BTreeMap<usize, BTreeSet<usize>>,
    /// Sections in which a rule must hold.
    strict: BTreeSet<usize>,
}

impl Kinds {
    fn new(sections: &[RuleSection]) -> Self {
        let mut found = Self::default();
        for (number, section) in sections.iter().enumerate() {
            for port in LookedAt::new(&section.rules).counted {
                found.counting.entry(port).or_default().insert(number);
            }
            if !section.stochastic() {
                found.strict.insert(number);
            }
        }
        found
    }
}

/// The rules of each function, the last first: fewer rules where expressions branch deeply.
fn together(rules: &[Rule]) -> Vec<&[Rule]> {
    let mut functions = vec![];
    let mut rest = rules;
    while !rest.is_empty() {
        let mut deepest = 0;
        let fits = rest.iter().rev().enumerate().take_while(|(count, rule)| {
            deepest = rule.expressions().map(Expression::branches).max().unwrap_or(0).max(deepest);
            *count == 0 || count + deepest < TOGETHER
        });
        let (before, last) = rest.split_at(rest.len() - fits.count());
        functions.push(last);
        rest = before;
    }
    functions
}

/// Names of coordinates of cells.
const AXES: [&str; 4] = ["row", "column", "plane", "layer"];

impl Writer<'_> {
    /// The coordinates of the cell, and the offset of a neighbour, or 2^32 - 1 where it is no cell.
    pub(super) fn places(&mut self) {
        let layers = &self.file.layers;
        let ([width, height, _], planes) = (self.file.space.size(), layers.planes());
        self.line("");
        self.line(&format!("fn rule_row() -> u32 {{ return cell_id / {width}u % {height}u; }}"));
        self.line(&format!("fn rule_column() -> u32 {{ return cell_id % {width}u; }}"));
        self.line(&format!("fn rule_plane() -> u32 {{ return cell_id / {}u % {planes}u; }}", width * height));
        self.line(&format!("fn rule_layer() -> u32 {{ return cell_id / {}u; }}", width * height * planes));
        self.line("");
        let Some(ways) = layers.ways() else { return self.line("fn rule_way(n: u32) -> u32 { return n; }") };
        let number = |way: Option<usize>| way.map_or(-1, |n| n as i64);
        let each = ways.iter().map(|Way { planes, within, beyond }| {
            format!("vec3<i32>({planes}, {}, {})", number(*within), number(*beyond))
        });
        let (all, count) = (each.collect::<Vec<_>>().join(", "), ways.len());
        self.line(&format!("const RULE_WAYS: array<vec3<i32>, {count}> = array<vec3<i32>, {count}>({all});"));
        self.open("fn rule_way(n: u32) -> u32 {");
        self.line("let way = RULE_WAYS[n];");
        self.line("let plane = i32(rule_plane()) + way.x;");
        self.line(&format!("return bitcast<u32>(select(way.z, way.y, plane >= 0 && plane < {planes}));"));
        self.close();
    }

    /// The neighborhood on each port that is counted, and the functions that read and count it.
    pub(super) fn counts(&mut self) {
        let neighbours = self.file.neighbours();
        for port in Kinds::new(&self.file.sections).counting.into_keys() {
            let own = if self.file.ports.is_empty() { "rule_own".into() } else { format!("rule_own_port({port}u)") };
            let own = if self.file.hears_itself {
                format!("select(0u, 1u, !wide_differs({own}, value))")
            } else {
                "0u".into()
            };
            let each = "for (var n = 0u; n < RULE_NEIGHBOURS; n += 1u)";
            let value = self.reads("n", port);
            self.line("");
            self.line(&format!("var<private> rule_around{port}: array<Number, {}>;", neighbours.max(1)));
            self.line(&format!("fn rule_look{port}() {{ {each} {{ rule_around{port}[n] = {value}; }} }}"));
            self.open(&format!("fn rule_count{port}(value: Number) -> Number {{"));
            self.line(&format!("var count = {own};"));
            self.line(&format!("{each} {{ count += select(0u, 1u, !wide_differs(rule_around{port}[n], value)); }}"));
            self.line("return fixed_whole(count);");
            self.close();
        }
    }

    /// The functions of all sections, and `rule_by_place`, which calls those of the cell's.
    pub(super) fn sections(&mut self) {
        let steps = self.steps();
        let kinds = Kinds::new(&self.file.sections);
        if !kinds.strict.is_empty() {
            self.line("");
            self.line("var<private> rule_unknown: bool;");
        }
        for (number, step) in steps.iter().enumerate() {
            self.line("");
            self.open(&format!("fn rule_step_{number}() -> u32 {{"));
            self.text += &step.body;
            self.close();
        }
        self.by_place(&steps, &kinds);
    }

    /// The steps of all sections, in an order that keeps the order of each: by the distance from the end.
    fn steps(&mut self) -> Vec<Step> {
        let file = self.file;
        let mut steps: Vec<Step> = vec![];
        let mut known: HashMap<(usize, String), usize> = HashMap::new();
        for (number, section) in file.sections.iter().enumerate() {
            let strict = !section.stochastic();
            for (behind, rules) in together(&section.rules).into_iter().enumerate() {
                let body = self.apart(|writer| writer.rules(rules, strict));
                let step = *known.entry((behind, body)).or_insert_with_key(|(_, body)| {
                    steps.push(Step { behind, body: body.clone(), sections: BTreeSet::new() });
                    steps.len() - 1
                });
                steps[step].sections.insert(number);
            }
        }
        steps.sort_by_key(|step| std::cmp::Reverse(step.behind));
        steps
    }

    /// The body of a function, written apart.
    fn apart(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.text);
        self.open("");
        self.text.clear();
        write(self);
        let body = std::mem::take(&mut self.text);
        self.close();
        self.text = before;
        body
    }

    /// The section of the cell: that of its last zone. Then its rules.
    fn by_place(&mut self, steps: &[Step], kinds: &Kinds) {
        let file = self.file;
        self.line("");
        self.open("fn rule_by_place() -> bool {");
        self.line(&format!("var section = {}u;", file.local));
        let axes = &AXES[..file.dimensions.max(3)];
        for axis in axes.iter().filter(|_| !file.zones.is_empty()) {
            self.line(&format!("let {axis} = rule_{axis}();"));
        }
        for (section, Zone { first, last, .. }) in &file.zones {
            let sides = axes.iter().zip(first.iter().zip(last));
            let tests: Vec<_> = sides.map(|(axis, (a, b))| format!("{axis} >= {a}u && {axis} <= {b}u")).collect();
            self.line(&format!("if ({}) {{ section = {section}u; }}", tests.join(" && ")));
        }
        if file.has_inputs() {
            self.line("if (rule_input != 0u) { section = input_section(); }");
        }
        for (port, sections) in &kinds.counting {
            self.line(&format!("if ({}) {{ rule_look{port}(); }}", self.one_of(sections)));
        }
        if !kinds.strict.is_empty() {
            self.line("rule_unknown = false;");
        }
        self.line("var found = 0u;");
        for (number, step) in steps.iter().enumerate() {
            let sections = self.one_of(&step.sections);
            self.line(&format!("if (found == 0u && {sections}) {{ found = rule_step_{number}(); }}"));
        }
        if !kinds.strict.is_empty() {
            let sections = self.one_of(&kinds.strict);
            self.line(&format!("if (found == 0u && !rule_unknown && {sections}) {{ raise(RULE_NONE, cell_id); }}"));
        }
        self.line(&format!("return found == {SENDS};"));
        self.close();
    }

    /// Whether the section is among these.
    fn one_of(&self, sections: &BTreeSet<usize>) -> String {
        if sections.len() == self.file.sections.len() {
            return "true".into();
        }
        let mut ranges: Vec<[usize; 2]> = vec![];
        for &section in sections {
            match ranges.last_mut() {
                Some([_, last]) if *last + 1 == section => *last = section,
                _ => ranges.push([section; 2]),
            }
        }
        let test = |[first, last]: &[usize; 2]| match first == last {
            true => format!("section == {first}u"),
            false => format!("(section >= {first}u && section <= {last}u)"),
        };
        format!("({})", ranges.iter().map(test).collect::<Vec<_>>().join(" || "))
    }

    /// The function that the modules of `shaders/cells/` call.
    pub(super) fn choose(&mut self, draws: bool) {
        let (ports, variables) = (!self.file.ports.is_empty(), !self.file.variables.is_empty());
        self.line("");
        if ports || variables {
            self.line("var<private> rule_cell: u32;");
        }
        self.open("fn rule_choose(cell: u32) -> bool {");
        if !ports {
            self.line("rule_own = state_number(cell, 0u);");
        }
        if ports || variables {
            self.line("rule_cell = cell;");
        }
        if draws {
            self.line("rule_resume(cell);");
        }
        self.line("let chosen = rule_by_place();");
        if draws {
            self.line("rule_keep(cell);");
        }
        self.line("return chosen;");
        self.close();
    }
}
