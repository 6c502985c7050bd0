//! Rules: from words to checked expressions.

mod assignments;
mod outside;
mod tuples;

use std::cell::{Cell, RefCell};

use super::cell_space::five_dimensions;
use super::constants::{constant, settled};
use super::error::{Fault, RuleError};
use super::expression::{Delay, E, Expression, FORMULAS, FUNCTIONS, Operator, PI, REFUSED, Rule, Step};
use super::fixed::Fixed;
use super::layers::AXES;
use super::lexer::{Token, tokens};
use super::numerals::{FixedError, decimal};
use super::ratio::Ratio;
use super::source::{Place, Sources};
use super::statements::Statement;

/// The deepest expression.
const DEEPEST: usize = 96;

/// The meaning of references in a rule.
pub(super) struct Neighbourhood<'a> {
    /// The name of the cell space.
    pub space: &'a str,
    /// Coordinates of a cell: 2 to 4.
    pub dimensions: usize,
    /// The cells that a cell hears, itself included, as row, column, plane and layer from it.
    pub cells: &'a [[i32; AXES]],
    /// The names of the ports; the value without a port has the number behind theirs.
    pub ports: &'a [String],
    /// The numbers of a port.
    pub slots: usize,
    /// The names of the state variables.
    pub variables: &'a [String],
    /// The names of ports by which cells send to the outside.
    pub outlets: &'a [String],
    /// Whether the rules are for values that come in from outside.
    pub inlet: Cell<bool>,
    /// The names of input ports whose values rules read.
    pub read: &'a RefCell<Vec<String>>,
}

impl Neighbourhood<'_> {
    /// The expression of a reference to a port of a cell.
    pub fn find(&self, cell: [i32; AXES], port: usize) -> Option<Expression> {
        let place = self.cells.iter().position(|c| *c == cell)?;
        if cell == [0; AXES] {
            return Some(Expression::Own(port));
        }
        let own_before = self.cells[..place].contains(&[0; AXES]);
        Some(Expression::Neighbour(place - usize::from(own_before), port))
    }

    /// The number of the value without a port.
    pub fn plain(&self) -> usize {
        self.ports.len() * self.slots
    }
}

/// An expression and its depth.
type Deep = (Expression, usize);

/// Reads the rule of a statement.
pub(super) fn rule(sources: &Sources, statement: &Statement, cells: &Neighbourhood) -> Result<Rule, RuleError> {
    let tokens = tokens(sources, &statement.value)?;
    let mut parser = Parser { sources, cells, tokens: &tokens, at: 0, end: statement.place, nested: 0 };
    let values = parser.values()?;
    let values = parser.numbers(values)?;
    let before = parser.variables()?;
    let delay = parser.delay()?;
    // The original has the assignments before the delay only.
    let variables = if before.is_empty() { parser.variables()? } else { before };
    let condition = parser.part("the condition in braces")?;
    let condition = parser.number(condition)?;
    match parser.peek() {
        None => settled(sources, Rule { values, variables, delay, condition }),
        Some(_) => Err(parser.unexpected("the end of the rule: {VALUE} DELAY {CONDITION}")),
    }
}

struct Parser<'a> {
    sources: &'a Sources,
    cells: &'a Neighbourhood<'a>,
    tokens: &'a [(Token, Place)],
    at: usize,
    /// The place of an error at the end.
    end: Place,
    nested: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn place(&self) -> Place {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(self.end, |(_, place)| *place)
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn fail<T>(&self, fault: Fault) -> Result<T, RuleError> {
        Err(self.sources.fail(self.place(), fault))
    }

    fn unexpected(&self, expected: &str) -> RuleError {
        let expected = match self.peek() {
            Some(Token::Sign("~")) => {
                "a cell before its port, as in (0,1)~NAME, or an assignment, '{ ~NAME := VALUE; }'"
            }
            Some(Token::Sign(":=")) => {
                "'=' of a comparison: assignments stand in braces before the delay, as in '{ $NAME := VALUE; }'"
            }
            _ => expected,
        };
        let found = self.peek().map_or("the end".into(), Token::shown);
        self.sources.fail(self.place(), Fault::Syntax { found, expected: expected.into() })
    }

    fn expect(&mut self, sign: &str) -> Result<(), RuleError> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("'{sign}'"))) }
    }

    /// A part of a rule: an expression in braces, or a single value.
    fn part(&mut self, what: &str) -> Result<Expression, RuleError> {
        if self.take("{") {
            let (expression, _) = self.expression(0)?;
            self.expect("}")?;
            return Ok(expression);
        }
        if self.peek().is_none() {
            return Err(self.unexpected(what));
        }
        Ok(self.unary()?.0)
    }

    /// A delay: an exact number of milliseconds, or an expression.
    fn delay(&mut self) -> Result<Delay, RuleError> {
        let braced = usize::from(self.is("{"));
        let word = |n: usize| self.tokens.get(self.at + n).map(|(token, _)| token);
        let alone = braced == 0 || matches!(word(2), Some(Token::Sign("}")));
        let Some(Token::Number(text)) = word(braced).filter(|_| alone).cloned() else {
            let delay = self.part("the delay")?;
            return self.number(delay).map(Delay::Computed);
        };
        self.at += braced;
        let ticks = decimal(&text, 32).or_else(|error| {
            let allowed = "a delay is below 4294967296 ms".to_owned();
            self.fail(match error {
                FixedError::Range => Fault::Value { what: "the delay".into(), value: text, allowed },
                FixedError::Form => Fault::Number { text, error },
            })
        })?;
        self.at += 1 + braced;
        Ok(Delay::Ticks(ticks))
    }

    /// An expression of operators of a level and above.
    fn expression(&mut self, level: usize) -> Result<Deep, RuleError> {
        self.nested += 1;
        if self.nested > DEEPEST * LEVELS {
            return self.fail(Fault::Many { what: "nested expressions".into(), most: DEEPEST });
        }
        let found = match level {
            1 if matches!(self.peek(), Some(Token::Name(name)) if name == "not") => {
                self.at += 1;
                let inner = self.expression(1)?;
                self.apply(Operator::Not, vec![inner])
            }
            LEVELS => self.unary(),
            _ => self.chain(level),
        };
        self.nested -= 1;
        found
    }

    /// Operands with operators of a level between them, from the left.
    fn chain(&mut self, level: usize) -> Result<Deep, RuleError> {
        let mut left = self.expression(level + 1)?;
        while let Some(operator) = self.peek().and_then(|token| binary(level, token)) {
            self.at += 1;
            let right = self.expression(level + 1)?;
            left = self.apply(operator, vec![left, right])?;
        }
        Ok(left)
    }

    fn apply(&self, operator: Operator, parts: Vec<Deep>) -> Result<Deep, RuleError> {
        let depth = 1 + parts.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
        if depth > DEEPEST {
            let what = "operations within each other (a + b + c counts as two)".into();
            return self.fail(Fault::Many { what, most: DEEPEST });
        }
        self.of_values(operator, parts, depth)
    }

    /// A value with or without a sign before it.
    fn unary(&mut self) -> Result<Deep, RuleError> {
        let mut negative = false;
        while self.is("-") || self.is("+") {
            negative ^= self.take("-") || !self.take("+");
        }
        let value = self.primary()?;
        let value = self.component(value)?;
        match value {
            (Expression::Constant(number), depth) if negative => Ok((Expression::Constant(number.negated()), depth)),
            (Expression::Exact(ratio, place), depth) if negative => {
                Ok((Expression::Exact(ratio.negated(), place), depth))
            }
            value if negative => self.apply(Operator::Negate, vec![value]),
            value => Ok(value),
        }
    }

    fn primary(&mut self) -> Result<Deep, RuleError> {
        match self.peek().cloned() {
            Some(Token::Number(text)) => {
                let (place, number) = (self.place(), Ratio::parse(&text));
                let number = number.or_else(|error| self.fail(Fault::Number { text, error }))?;
                self.at += 1;
                Ok((constant(number, place), 1))
            }
            Some(Token::Sign("?")) => {
                self.at += 1;
                Ok((Expression::Constant(Fixed::UNDEFINED), 1))
            }
            Some(Token::Sign("(")) if self.is_reference() => self.reference(),
            Some(Token::Sign("[")) => self.tuple(),
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.expression(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(Token::Name(name)) => self.named(&name),
            Some(Token::Sign("$")) => Ok((Expression::Variable(self.variable()?), 1)),
            _ => Err(self.unexpected("a number, a cell as in (0,1), a function or '('")),
        }
    }

    /// Whether a cell follows rather than an expression in parentheses: `(` number `,`.
    fn is_reference(&self) -> bool {
        let word = |n: usize| self.tokens.get(self.at + n).map(|(token, _)| token);
        let signed = usize::from(matches!(word(1), Some(Token::Sign("-" | "+"))));
        matches!(word(1 + signed), Some(Token::Number(_))) && matches!(word(2 + signed), Some(Token::Sign(",")))
    }

    /// A cell: `(row,column)`, `(row,column,plane)` or `(row,column,plane,layer)` from the cell, and its port.
    fn reference(&mut self) -> Result<Deep, RuleError> {
        let start = self.place();
        let cell = coordinates(self)?;
        let port = self.port()?;
        let shown: Vec<String> = cell.iter().map(i32::to_string).collect();
        let shown = format!("({})", shown.join(","));
        let mut full = [0; AXES];
        full.iter_mut().zip(&cell).for_each(|(to, from)| *to = *from);
        let found = self.cells.find(full, port).filter(|_| cell.len() == self.cells.dimensions);
        let missing = Fault::Neighbour { cell: shown, space: self.cells.space.to_owned() };
        found.map(|found| (found, 1)).ok_or_else(|| self.sources.fail(start, missing))
    }

    /// A constant or a function.
    fn named(&mut self, name: &str) -> Result<Deep, RuleError> {
        match name {
            "portvalue" => return self.port_value(),
            "send" => return self.send(),
            _ => {}
        }
        let written = match name {
            "t" => Some("1"),
            "f" => Some("0"),
            "pi" => Some(PI),
            "e" => Some(E),
            _ => None,
        };
        if let Some(number) = written.and_then(|text| Ratio::parse(text).ok()) {
            let place = self.place();
            self.at += 1;
            return Ok((constant(number, place), 1));
        }
        if let Some((_, steps)) = FORMULAS.iter().find(|(known, _)| *known == name) {
            return self.formula(name, steps);
        }
        let counted = match name {
            "truecount" => Some(Fixed::ONE),
            "falsecount" => Some(Fixed::ZERO),
            "undefcount" => Some(Fixed::UNDEFINED),
            _ => None,
        };
        let plain = self.cells.plain();
        let (mut operator, takes) = match FUNCTIONS.iter().find(|(known, ..)| *known == name) {
            _ if counted.is_some() => (Operator::Count(plain), 0),
            Some((_, Operator::Count(_), takes)) => (Operator::Count(plain), *takes),
            Some((_, operator, takes)) => (*operator, *takes),
            None => return self.fail(unknown(name)),
        };
        let start = self.place();
        self.at += 1;
        if let Some(number) = counted.filter(|_| self.follows(&["(", "~"])) {
            let why = format!("write statecount({number}, ~NAME)");
            let fault = Fault::Unsupported { what: format!("'{name}' of a port"), why };
            return Err(self.sources.fail(start, fault));
        }
        let mut parts = self.arguments(takes, &mut operator)?;
        if parts.len() != takes {
            let takes = format!("{takes} arguments");
            let fault = Fault::Arguments { function: format!("'{name}'"), takes, given: parts.len() };
            return Err(self.sources.fail(start, fault));
        }
        parts.extend(counted.map(|number| (Expression::Constant(number), 1)));
        if operator == Operator::Position {
            let mut axes = (0..self.cells.dimensions as i64).filter_map(Fixed::whole);
            if !axes.any(|axis| Expression::Constant(axis) == parts[0].0) {
                let value = match &parts[0].0 {
                    Expression::Constant(number) => number.to_string(),
                    _ => "an expression".into(),
                };
                let allowed = format!("cellpos(0) is the row, cellpos(1) the column{}", self.other_axes());
                let fault = Fault::Value { what: "the argument of 'cellpos'".into(), value, allowed };
                return Err(self.sources.fail(start, fault));
            }
        }
        self.apply(operator, parts)
    }

    /// A function of one argument that is made of others.
    fn formula(&mut self, name: &str, steps: &[Step]) -> Result<Deep, RuleError> {
        let start = self.place();
        self.at += 1;
        let mut parts = self.arguments(1, &mut Operator::Negate)?;
        let given = parts.len();
        let Some(mut value) = parts.pop().filter(|_| given == 1) else {
            let fault = Fault::Arguments { function: format!("'{name}'"), takes: "1 arguments".into(), given };
            return Err(self.sources.fail(start, fault));
        };
        let mut is_inverse = false;
        for Step(operator, number) in steps {
            let number =
                Ratio::parse(number).map_or(Expression::Constant(Fixed::ONE), |number| constant(number, start));
            let number = (number, 1);
            value = match operator {
                Operator::Sine | Operator::Cosine | Operator::Tangent => {
                    is_inverse = true;
                    self.apply(*operator, vec![value])?
                }
                _ if is_inverse => self.apply(*operator, vec![number, value])?,
                _ => self.apply(*operator, vec![value, number])?,
            };
        }
        Ok(value)
    }

    fn other_axes(&self) -> &'static str {
        ["", ", cellpos(2) the plane", ", cellpos(2) the plane, cellpos(3) the layer"][self.cells.dimensions - 2]
    }

    /// The arguments in parentheses after the name of a function; a function without arguments needs no parentheses. A
    /// counting function has a port as its last argument.
    fn arguments(&mut self, takes: usize, operator: &mut Operator) -> Result<Vec<Deep>, RuleError> {
        let mut parts = vec![];
        let closed = matches!(self.tokens.get(self.at + 1), Some((Token::Sign(")"), _)));
        if takes == 0 && !(self.is("(") && closed) {
            return Ok(parts);
        }
        self.expect("(")?;
        while !self.take(")") {
            if !parts.is_empty() {
                self.expect(",")?;
            }
            if let (Operator::Count(port), true) = (&mut *operator, !parts.is_empty() && self.is("~")) {
                *port = self.port()?;
                self.expect(")")?;
                break;
            }
            parts.push(self.expression(0)?);
        }
        Ok(parts)
    }
}

/// The coordinates in parentheses that follow.
fn coordinates(parser: &mut Parser) -> Result<Vec<i32>, RuleError> {
    let mut cell = vec![];
    parser.expect("(")?;
    loop {
        let negative = parser.take("-");
        if !negative {
            parser.take("+");
        }
        let number = match parser.peek() {
            Some(Token::Number(text)) => text.parse::<i32>().ok(),
            _ => None,
        };
        let Some(number) = number else { return Err(parser.unexpected("a whole number")) };
        parser.at += 1;
        cell.push(if negative { -number } else { number });
        if parser.take(")") {
            return Ok(cell);
        }
        if cell.len() == AXES {
            let error = parser.unexpected("')': a cell has 2 to 4 coordinates");
            return if parser.is(",") { parser.fail(five_dimensions()) } else { Err(error) };
        }
        parser.expect(",")?;
    }
}

/// Levels of operators: logic, not, comparisons, sums, products.
const LEVELS: usize = 5;

/// The operator of a level for a word.
fn binary(level: usize, token: &Token) -> Option<Operator> {
    let word = match token {
        Token::Name(name) => name.as_str(),
        Token::Sign(sign) => sign,
        Token::Number(_) => return None,
    };
    Some(match (level, word) {
        (0, "and") => Operator::And,
        (0, "or") => Operator::Or,
        (0, "xor") => Operator::Xor,
        (0, "imp") => Operator::Implies,
        (0, "eqv") => Operator::Equivalent,
        (2, "=" | "==") => Operator::Equal,
        (2, "!=" | "<>") => Operator::Differs,
        (2, "<") => Operator::Less,
        (2, "<=") => Operator::LessEqual,
        (2, ">") => Operator::Greater,
        (2, ">=") => Operator::GreaterEqual,
        (3, "+") => Operator::Add,
        (3, "-") => Operator::Subtract,
        (4, "*") => Operator::Multiply,
        (4, "/") => Operator::Divide,
        _ => return None,
    })
}

/// The fault of a name that is neither a constant nor a function.
fn unknown(name: &str) -> Fault {
    if let Some((_, why)) = REFUSED.iter().find(|(names, _)| names.contains(&name)) {
        return Fault::Unsupported { what: format!("'{name}'"), why: (*why).into() };
    }
    let names: Vec<&str> = FUNCTIONS.iter().map(|(name, ..)| *name).collect();
    let known = format!(
        "the functions are {}, truecount, falsecount and undefcount; the constants pi, e, t, f and ?",
        names.join(", ")
    );
    Fault::Unknown { what: "the name".into(), name: name.into(), known }
}
