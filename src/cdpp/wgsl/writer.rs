//! Expressions and rules as statements of WGSL.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use super::super::expression::{Delay, Expression, Operator, Rule};
use super::super::factor::Factor;
use super::super::file::RuleFile;
use super::super::fixed::Fixed;
use super::{function, number, wide};

/// The result of a function of rules where no rule holds.
const NONE: &str = "0u";
/// A rule holds, and sends nothing.
const SILENT: &str = "1u";
/// A rule holds and sends.
pub(super) const SENDS: &str = "2u";

pub(super) struct Writer<'a> {
    pub(super) text: String,
    pub(super) file: &'a RuleFile,
    indent: usize,
    /// Names given in this function.
    names: usize,
    /// The names of values computed already, for each block around the line.
    known: Vec<HashMap<String, String>>,
    /// The name that the value of each state variable has.
    variables: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(file: &'a RuleFile) -> Self {
        Self { text: String::new(), file, indent: 0, names: 0, known: vec![], variables: vec![] }
    }

    pub(super) fn line(&mut self, line: &str) {
        writeln!(self.text, "{:1$}{line}", "", 4 * self.indent).expect("a string takes all");
    }

    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
        self.known.push(HashMap::new());
    }

    pub(super) fn close(&mut self) {
        self.known.pop();
        self.indent -= 1;
        self.line("}");
    }

    /// The name of the cell's value on a port.
    fn own(&self, port: usize) -> String {
        if self.file.ports.is_empty() { "rule_own".into() } else { format!("own{port}") }
    }

    /// The name of a neighbour's value on a port.
    fn neighbour(&self, n: usize, port: usize) -> String {
        if self.file.ports.is_empty() { format!("n{n}") } else { format!("n{n}p{port}") }
    }

    /// The WGSL that reads a neighbour's value on a port; `n` is a WGSL expression.
    pub(super) fn reads(&self, n: &str, port: usize) -> String {
        if self.file.ports.is_empty() { format!("rule_neighbour({n})") } else { format!("rule_port({n}, {port}u)") }
    }

    /// A new name.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Gives a value a name: the name that it has if it is computed already. None of its parts changes while the rules of a
    /// cell are tried.
    fn bind(&mut self, value: String) -> String {
        if let Some(name) = self.known.iter().rev().find_map(|block| block.get(&value)) {
            return name.clone();
        }
        let name = self.bind_anew(&value);
        if let Some(block) = self.known.last_mut() {
            block.insert(value, name.clone());
        }
        name
    }

    /// Gives a value a new name each time.
    fn bind_anew(&mut self, value: &str) -> String {
        let name = self.name();
        self.line(&format!("let {name} = {value};"));
        name
    }

    /// Writes the statements that a value needs; returns the value.
    fn value(&mut self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(constant) => number(*constant),
            Expression::Exact(..) => unreachable!("an exact constant is a number or a factor once a rule is read"),
            Expression::Own(port) => self.own(*port),
            Expression::Neighbour(n, port) => self.neighbour(*n, *port),
            Expression::Variable(n) => self.variables[*n].clone(),
            Expression::Input(n) => self.bind(format!("input_value({n}u)")),
            Expression::Apply(operator @ (Operator::If | Operator::IfUndefined), parts) => {
                self.branch(*operator, parts)
            }
            Expression::Apply(Operator::Number, parts) => self.value(&parts[0]),
            Expression::Apply(Operator::Scale(Factor { mantissa, shift, negative }), parts) => {
                let value = self.value(&parts[0]);
                self.bind(format!("fixed_scale({value}, {}, {shift}u, {negative})", wide(*mantissa)))
            }
            Expression::Apply(Operator::Chance(chance), _) => {
                self.bind_anew(&format!("draw_happens({})", wide(*chance)))
            }
            Expression::Apply(Operator::Count(port), parts) => {
                let value = self.value(&parts[0]);
                self.bind(format!("rule_count{port}({value})"))
            }
            Expression::Apply(Operator::Position, parts) => {
                let axis = match parts[0] {
                    Expression::Constant(Fixed::ZERO) => "row",
                    Expression::Constant(Fixed::ONE) => "column",
                    Expression::Constant(axis) if Fixed::whole(2) == Some(axis) => "plane",
                    _ => "layer",
                };
                self.bind(format!("fixed_whole(rule_{axis}())"))
            }
            Expression::Apply(operator, parts) => {
                let values: Vec<String> = parts.iter().map(|part| self.value(part)).collect();
                let value = format!("{}({})", function(*operator), values.join(", "));
                if operator.draws() { self.bind_anew(&value) } else { self.bind(value) }
            }
        }
    }

    /// A value that the cell keeps.
    fn kept(&mut self, expression: &Expression) -> String {
        let value = self.value(expression);
        if self.file.is_wide { value } else { self.bind(format!("rule_kept({value})")) }
    }

    /// One of the branches; the others must not be evaluated.
    fn branch(&mut self, operator: Operator, parts: &[Expression]) -> String {
        let condition = self.value(&parts[0]);
        let condition = self.bind(format!("logic_truth({condition})"));
        let name = self.name();
        self.line(&format!("var {name} = wide(0u, 0u);"));
        let otherwise = |writer: &mut Self, head: String, part: &Expression| {
            writer.open(&head);
            let value = writer.value(part);
            writer.line(&format!("{name} = {value};"));
            writer.close();
        };
        otherwise(self, format!("if (is_one({condition})) {{"), &parts[1]);
        if operator == Operator::IfUndefined {
            otherwise(self, format!("if (is_unknown({condition})) {{"), &parts[3]);
            otherwise(self, format!("if (is_zero({condition})) {{"), &parts[2]);
        } else if let Expression::Apply(Operator::If, next) = &parts[2] {
            self.next_branch(&name, &condition, next);
        } else {
            otherwise(self, format!("if (!is_one({condition})) {{"), &parts[2]);
        }
        name
    }

    /// Continues a table of `if(a, x, if(b, y, if(c, z, ...)))`: one branch after the other, not nested.
    fn next_branch(&mut self, name: &str, condition: &str, mut parts: &[Expression]) {
        let open = self.name();
        self.line(&format!("var {open} = !is_one({condition});"));
        loop {
            self.open(&format!("if ({open}) {{"));
            let condition = self.value(&parts[0]);
            let condition = self.bind(format!("logic_truth({condition})"));
            self.open(&format!("if (is_one({condition})) {{"));
            let value = self.value(&parts[1]);
            self.line(&format!("{name} = {value};"));
            self.close();
            self.line(&format!("{open} = !is_one({condition});"));
            self.close();
            let Expression::Apply(Operator::If, next) = &parts[2] else { break };
            parts = next;
        }
        self.open(&format!("if ({open}) {{"));
        let value = self.value(&parts[2]);
        self.line(&format!("{name} = {value};"));
        self.close();
    }

    /// The body of a function of rules, one after the other: the kind of the first rule that holds. A `strict` function
    /// notes unknown conditions.
    pub(super) fn rules(&mut self, rules: &[Rule], strict: bool) {
        self.names = 0;
        self.look(&LookedAt::new(rules));
        for rule in rules {
            self.rule(rule, strict);
        }
        self.line(&format!("return {NONE};"));
    }

    /// Names the values that rules read. The counts are there already.
    fn look(&mut self, looked_at: &LookedAt) {
        for port in looked_at.own.iter().filter(|_| !self.file.ports.is_empty()) {
            self.line(&format!("let own{port} = rule_own_port({port}u);"));
        }
        for (n, port) in &looked_at.neighbours {
            let counted = looked_at.counted.contains(port);
            let value = if counted { format!("rule_around{port}[{n}]") } else { self.reads(&format!("{n}u"), *port) };
            self.line(&format!("let {} = {value};", self.neighbour(*n, *port)));
        }
        for n in &looked_at.variables {
            self.line(&format!("let s{n} = rule_variable({n}u);"));
        }
        self.variables = (0..self.file.variables.len()).map(|n| format!("s{n}")).collect();
    }

    /// The assignments of a rule after its delay: state variables, then values, which see the new variables.
    fn give(&mut self, rule: &Rule) {
        let before = self.variables.clone();
        for (n, expression) in &rule.variables {
            let value = self.kept(expression);
            self.line(&format!("rule_keep_variable({n}u, {value});"));
            self.variables[*n] = value;
        }
        let ports = !self.file.ports.is_empty();
        for (port, expression) in &rule.values {
            let value = self.kept(expression);
            let to = if ports { format!("rule_given[{port}]") } else { "rule_value".into() };
            self.line(&format!("{to} = {value};"));
        }
        if ports {
            let sets = rule.values.iter().fold(0, |all, (port, _)| all | 1_u32 << port);
            self.line(&format!("rule_sets = {sets}u;"));
        }
        self.variables = before;
        // Without ports nothing is sent where a rule gives no value.
        let given = if ports || !rule.values.is_empty() { SENDS } else { SILENT };
        self.line(&format!("return {given};"));
    }

    fn rule(&mut self, rule: &Rule, strict: bool) {
        let condition = self.value(&rule.condition);
        self.open(&format!("if (is_one({condition})) {{"));
        let delay = match &rule.delay {
            Delay::Ticks(ticks) => format!("wide({}u, {}u)", *ticks as u32, ticks >> 32),
            Delay::Computed(expression) => {
                let delay = self.value(expression);
                format!("rule_milliseconds({delay})")
            }
        };
        self.line(&format!("rule_delay = {delay};"));
        self.give(rule);
        self.close();
        if strict {
            self.line(&format!("rule_unknown = rule_unknown || is_unknown({condition});"));
        }
    }
}

/// The values that rules read.
#[derive(Default)]
pub(super) struct LookedAt {
    /// Ports of the cell.
    own: BTreeSet<usize>,
    /// Neighbours and ports by name.
    neighbours: BTreeSet<(usize, usize)>,
    /// Ports on which the neighborhood is counted.
    pub(super) counted: BTreeSet<usize>,
    variables: BTreeSet<usize>,
}

impl LookedAt {
    pub(super) fn new(rules: &[Rule]) -> Self {
        let mut found = Self::default();
        rules.iter().flat_map(Rule::expressions).for_each(|expression| found.add(expression));
        found
    }

    fn add(&mut self, expression: &Expression) {
        match expression {
            Expression::Constant(_) | Expression::Exact(..) | Expression::Input(_) => {}
            Expression::Own(port) => _ = self.own.insert(*port),
            Expression::Neighbour(n, port) => _ = self.neighbours.insert((*n, *port)),
            Expression::Variable(n) => _ = self.variables.insert(*n),
            Expression::Apply(operator, parts) => {
                if let Operator::Count(port) = operator {
                    self.counted.insert(*port);
                }
                parts.iter().for_each(|part| self.add(part));
            }
        }
    }
}
