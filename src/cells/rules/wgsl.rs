//! Rules as WGSL: only the rules of a file are written here; what they need is in `shaders/cells/`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::cell_space::{Waiting, Zone};
use super::expression::{Delay, Expression, Operator, Rule};
use super::file::{RuleFile, RuleSection};
use super::fixed::Fixed;
use super::interpreter::RuleFault;
use super::model::RuleModel;
use crate::cells::gpu::{CellKernels, DeviceCells};
use crate::device::{BufferSpec, BufferUse};
use crate::kernels::{Mounts, Source};

/// What rules may call; only what they do call goes into a kernel.
const IMPORTS: &str = "\
import package::cells::cell::{state_word};
import package::cells::draws::{draw_integer, draw_random, draw_sign, draw_uniform, rule_keep, rule_resume};
import package::cells::fixed::{
    ONE, UNDEFINED, fixed_absolute, fixed_add, fixed_divide, fixed_fractional, fixed_maximum, fixed_minimum,
    fixed_multiply, fixed_negate, fixed_remainder, fixed_round, fixed_sign, fixed_subtract, fixed_truncate, fixed_truth,
    fixed_whole,
};
import package::cells::logic::{
    logic_and, logic_differs, logic_equal, logic_equivalent, logic_even, logic_greater, logic_greater_equal,
    logic_implies, logic_less, logic_less_equal, logic_not, logic_odd, logic_or, logic_truth, logic_undefined,
    logic_whole, logic_xor,
};
import package::cells::ports::{rule_given, rule_own_port, rule_port, rule_sets};
import package::cells::rules::{
    RULE_NONE, rule_clock, rule_delay, rule_milliseconds, rule_neighbour, rule_own, rule_value,
};
import package::cells::space::{cell_id};
import package::cells::variables::{rule_keep_variable, rule_variable};
import faults::{raise};
import word64::{wide};

";

impl RuleModel {
    /// The rules as a module: `rule_choose(cell)`, which the modules of `shaders/cells/` call, and sizes of the state.
    ///
    /// ```
    /// # use tickless::{cells::rules::RuleFile, time::Time};
    /// # let text = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\nborder : wrapped\n\
    /// #             neighbors : a(0,0)\ninitialvalue : 2.5\nlocaltransition : r\n[r]\nrule : {(0,0)+1} 100 {t}\n";
    /// let model = RuleFile::parse(text, "a.ma", |_| None)?.model(Time::UNIT, 1);
    /// assert!(model.wgsl().contains("fixed_add(rule_own, 65536)"));
    /// # Ok::<(), tickless::cells::rules::RuleError>(())
    /// ```
    pub fn wgsl(&self) -> String {
        IMPORTS.to_owned() + &self.written()
    }

    /// The module with `cell_output` and `cell_transition`.
    fn module(&self) -> &'static str {
        match (self.file.waiting, self.file.ports.is_empty()) {
            (Waiting::Transport, true) => "cells/delay_transport",
            (Waiting::Inertial, true) => "cells/delay_inertial",
            (Waiting::Transport, false) => "cells/ports_transport",
            (Waiting::Inertial, false) => "cells/ports_inertial",
        }
    }

    /// The rules themselves.
    fn written(&self) -> String {
        let file = &self.file;
        let mut writer = Writer { text: String::new(), indent: 0, names: 0, variables: vec![] };
        writer.line(&format!("const RULE_NEIGHBOURS: u32 = {}u;", file.space.offsets().len()));
        writer.line(&format!("const RULE_HEARS_ITSELF: bool = {};", file.hears_itself));
        writer.line(&format!("const RULE_WAITING: u32 = {}u;", self.layout.waiting));
        writer.line(&format!("const RULE_ROOM: u32 = {}u;", self.layout.room));
        if let Some(at) = self.layout.stream {
            writer.line(&format!("const RULE_STREAM: u32 = {at}u;"));
        }
        if !file.ports.is_empty() {
            writer.line(&format!("const RULE_PORTS: u32 = {}u;", file.ports.len()));
        }
        if !file.variables.is_empty() {
            writer.line(&format!("const RULE_VARIABLES: u32 = {}u;", self.layout.variables));
        }
        for (number, section) in file.sections.iter().enumerate() {
            writer.section(file, number, section);
        }
        writer.by_place(file);
        writer.choose(file, self.layout.stream.is_some());
        writer.text
    }
}

impl DeviceCells for RuleModel {
    fn kernels(&self) -> CellKernels {
        let buffer =
            |keys: Vec<u32>| BufferSpec::filled("rule_keys", BufferUse::Storage, bytemuck::cast_slice(&keys).to_vec());
        CellKernels {
            label: "rules",
            mounts: Mounts::default().with("model", self.module()).with("rule_file", Source::Text(self.wgsl())),
            buffers: self.keys().map(buffer).into_iter().collect(),
        }
    }

    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        // Streams start from the key of the replication.
        (replication == 0 || self.layout.stream.is_none()).then(Vec::new)
    }

    fn fault(&self, bits: u32) -> String {
        RuleFault::of_bits(bits)
            .map_or_else(|| format!("the rules have set the fault {bits}"), |fault| fault.to_string())
    }
}

/// The function of an operator whose arguments are all evaluated.
fn function(operator: Operator) -> &'static str {
    use Operator as O;
    match operator {
        O::Add => "fixed_add",
        O::Subtract => "fixed_subtract",
        O::Multiply => "fixed_multiply",
        O::Divide => "fixed_divide",
        O::Negate => "fixed_negate",
        O::Equal => "logic_equal",
        O::Differs => "logic_differs",
        O::Less => "logic_less",
        O::LessEqual => "logic_less_equal",
        O::Greater => "logic_greater",
        O::GreaterEqual => "logic_greater_equal",
        O::And => "logic_and",
        O::Or => "logic_or",
        O::Xor => "logic_xor",
        O::Implies => "logic_implies",
        O::Equivalent => "logic_equivalent",
        O::Not => "logic_not",
        O::Minimum => "fixed_minimum",
        O::Maximum => "fixed_maximum",
        O::Absolute => "fixed_absolute",
        O::Sign => "fixed_sign",
        O::Truncate => "fixed_truncate",
        O::Round => "fixed_round",
        O::Fractional => "fixed_fractional",
        O::Remainder => "fixed_remainder",
        O::Odd => "logic_odd",
        O::Even => "logic_even",
        O::Whole => "logic_whole",
        O::Undefined => "logic_undefined",
        O::Clock => "rule_clock",
        O::Random => "draw_random",
        O::RandomInteger => "draw_integer",
        O::RandomSign => "draw_sign",
        O::Uniform => "draw_uniform",
        O::If | O::IfUndefined | O::Count(_) | O::Position => unreachable!("these are written on their own"),
    }
}

fn number(number: Fixed) -> String {
    if number.is_undefined() { "UNDEFINED".into() } else { number.bits().to_string() }
}

struct Writer {
    text: String,
    indent: usize,
    /// Names given so far.
    names: usize,
    /// The name that the value of each state variable has.
    variables: Vec<String>,
}

/// The name of the cell's value on a port.
fn own(file: &RuleFile, port: usize) -> String {
    if file.ports.is_empty() { "rule_own".into() } else { format!("own{port}") }
}

/// The name of a neighbour's value on a port.
fn neighbour(file: &RuleFile, n: usize, port: usize) -> String {
    if file.ports.is_empty() { format!("n{n}") } else { format!("n{n}p{port}") }
}

impl Writer {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{:1$}{line}", "", 4 * self.indent).expect("a string takes all");
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// A new name.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Gives a value a name.
    fn bind(&mut self, value: &str) -> String {
        let name = self.name();
        self.line(&format!("let {name} = {value};"));
        name
    }

    /// Writes what a value needs; the value itself.
    fn value(&mut self, expression: &Expression, file: &RuleFile) -> String {
        match expression {
            Expression::Constant(constant) => number(*constant),
            Expression::Own(port) => own(file, *port),
            Expression::Neighbour(n, port) => neighbour(file, *n, *port),
            Expression::Variable(n) => self.variables[*n].clone(),
            Expression::Apply(operator @ (Operator::If | Operator::IfUndefined), parts) => {
                self.branch(*operator, parts, file)
            }
            Expression::Apply(Operator::Count(port), parts) => self.count(&parts[0], *port, file),
            Expression::Apply(Operator::Position, parts) => {
                let axis = match parts[0] {
                    Expression::Constant(Fixed::ZERO) => "row",
                    Expression::Constant(Fixed::ONE) => "column",
                    _ => "plane",
                };
                self.bind(&format!("fixed_whole(rule_{axis}())"))
            }
            Expression::Apply(operator, parts) => {
                let values: Vec<String> = parts.iter().map(|part| self.value(part, file)).collect();
                self.bind(&format!("{}({})", function(*operator), values.join(", ")))
            }
        }
    }

    /// One of the branches, as the others must not be evaluated.
    fn branch(&mut self, operator: Operator, parts: &[Expression], file: &RuleFile) -> String {
        let condition = self.value(&parts[0], file);
        let condition = self.bind(&format!("logic_truth({condition})"));
        let name = self.name();
        self.line(&format!("var {name} = 0;"));
        let otherwise = |writer: &mut Self, head: String, part: &Expression| {
            writer.open(&head);
            let value = writer.value(part, file);
            writer.line(&format!("{name} = {value};"));
            writer.close();
        };
        otherwise(self, format!("if ({condition} == ONE) {{"), &parts[1]);
        if operator == Operator::IfUndefined {
            otherwise(self, format!("if ({condition} == UNDEFINED) {{"), &parts[3]);
            otherwise(self, format!("if ({condition} == 0) {{"), &parts[2]);
        } else {
            otherwise(self, format!("if ({condition} != ONE) {{"), &parts[2]);
        }
        name
    }

    /// How many of the neighborhood have a value on a port.
    fn count(&mut self, value: &Expression, port: usize, file: &RuleFile) -> String {
        let value = self.value(value, file);
        let name = self.name();
        let own = if file.hears_itself { format!("fixed_truth({} == {value})", own(file, port)) } else { "0".into() };
        self.line(&format!("var {name} = {own};"));
        for n in 0..file.space.offsets().len() {
            self.line(&format!("{name} += fixed_truth({} == {value});", neighbour(file, n, port)));
        }
        name
    }

    /// The rules of a section, one after the other.
    fn section(&mut self, file: &RuleFile, number: usize, section: &RuleSection) {
        self.line("");
        self.open(&format!("fn rule_section_{number}() -> bool {{"));
        self.look(file, &LookedAt::new(file, section));
        let strict = !section.stochastic();
        if strict {
            self.line("var unknown = false;");
        }
        for rule in &section.rules {
            self.rule(file, rule, strict);
        }
        if strict {
            self.line("if (!unknown) { raise(RULE_NONE, cell_id); }");
        }
        self.line("return false;");
        self.close();
    }

    /// Gives names to what the rules of a section look at.
    fn look(&mut self, file: &RuleFile, looked_at: &LookedAt) {
        for port in looked_at.own.iter().filter(|_| !file.ports.is_empty()) {
            self.line(&format!("let own{port} = rule_own_port({port}u);"));
        }
        for (n, port) in &looked_at.neighbours {
            let name = neighbour(file, *n, *port);
            let value = if file.ports.is_empty() {
                format!("rule_neighbour({n}u)")
            } else {
                format!("rule_port({n}u, {port}u)")
            };
            self.line(&format!("let {name} = {value};"));
        }
        for n in &looked_at.variables {
            self.line(&format!("let s{n} = rule_variable({n}u);"));
        }
        self.variables = (0..file.variables.len()).map(|n| format!("s{n}")).collect();
    }

    /// What a rule does after its delay: state variables, then values, which see what those have become.
    fn give(&mut self, file: &RuleFile, rule: &Rule) {
        let before = self.variables.clone();
        for (n, expression) in &rule.variables {
            let value = self.value(expression, file);
            self.line(&format!("rule_keep_variable({n}u, {value});"));
            self.variables[*n] = value;
        }
        let ports = !file.ports.is_empty();
        for (port, expression) in &rule.values {
            let value = self.value(expression, file);
            let to = if ports { format!("rule_given[{port}]") } else { "rule_value".into() };
            self.line(&format!("{to} = {value};"));
        }
        if ports {
            let sets = rule.values.iter().fold(0, |all, (port, _)| all | 1_u32 << port);
            self.line(&format!("rule_sets = {sets}u;"));
        }
        self.variables = before;
        // Without ports nothing is sent where a rule gives no value.
        self.line(if ports || !rule.values.is_empty() { "return true;" } else { "return false;" });
    }

    fn rule(&mut self, file: &RuleFile, rule: &Rule, strict: bool) {
        let condition = self.value(&rule.condition, file);
        self.open(&format!("if ({condition} == ONE) {{"));
        let delay = match &rule.delay {
            Delay::Ticks(ticks) => format!("wide({}u, {}u)", *ticks as u32, ticks >> 32),
            Delay::Computed(expression) => {
                let delay = self.value(expression, file);
                format!("rule_milliseconds({delay})")
            }
        };
        self.line(&format!("rule_delay = {delay};"));
        self.give(file, rule);
        self.close();
        if strict {
            self.line(&format!("unknown = unknown || {condition} == UNDEFINED;"));
        }
    }

    /// The section of the cell's zone: the last of those that it is in.
    fn by_place(&mut self, file: &RuleFile) {
        let [width, height, _] = file.space.size();
        self.line("");
        self.line(&format!("fn rule_row() -> u32 {{ return cell_id / {width}u % {height}u; }}"));
        self.line(&format!("fn rule_column() -> u32 {{ return cell_id % {width}u; }}"));
        self.line(&format!("fn rule_plane() -> u32 {{ return cell_id / {}u; }}", width * height));
        self.line("");
        self.open("fn rule_by_place() -> bool {");
        for (section, Zone { first, last, .. }) in file.zones.iter().rev() {
            let axes = ["row", "column", "plane"].iter().zip(first.iter().zip(last));
            let tests: Vec<String> = axes
                .map(|(axis, (first, last))| format!("rule_{axis}() >= {first}u && rule_{axis}() <= {last}u"))
                .collect();
            self.line(&format!("if ({}) {{ return rule_section_{section}(); }}", tests.join(" && ")));
        }
        self.line(&format!("return rule_section_{}();", file.local));
        self.close();
    }

    fn choose(&mut self, file: &RuleFile, draws: bool) {
        self.line("");
        if !file.ports.is_empty() || !file.variables.is_empty() {
            self.line("var<private> rule_cell: u32;");
        }
        self.open("fn rule_choose(cell: u32) -> bool {");
        if file.ports.is_empty() {
            self.line("rule_own = bitcast<i32>(state_word(cell, 0u));");
        }
        if !file.ports.is_empty() || !file.variables.is_empty() {
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

/// What the rules of a section look at.
#[derive(Default)]
struct LookedAt {
    /// Ports of the cell.
    own: BTreeSet<usize>,
    /// Neighbours and ports: all neighbours where one counts.
    neighbours: BTreeSet<(usize, usize)>,
    variables: BTreeSet<usize>,
}

impl LookedAt {
    fn new(file: &RuleFile, section: &RuleSection) -> Self {
        let mut found = Self::default();
        for expression in section.rules.iter().flat_map(Rule::expressions) {
            found.add(expression, file.space.offsets().len());
        }
        found
    }

    fn add(&mut self, expression: &Expression, neighbours: usize) {
        match expression {
            Expression::Constant(_) => {}
            Expression::Own(port) => _ = self.own.insert(*port),
            Expression::Neighbour(n, port) => _ = self.neighbours.insert((*n, *port)),
            Expression::Variable(n) => _ = self.variables.insert(*n),
            Expression::Apply(operator, parts) => {
                if let Operator::Count(port) = operator {
                    self.own.insert(*port);
                    self.neighbours.extend((0..neighbours).map(|n| (n, *port)));
                }
                parts.iter().for_each(|part| self.add(part, neighbours));
            }
        }
    }
}
