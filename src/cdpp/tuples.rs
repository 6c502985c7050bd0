//! Tuples: a port has a number, or several in brackets. Where a file has tuples, each of its ports becomes as many ports as
//! the longest tuple has numbers and one more, for their count, which is `?` where the port has a single number.

use super::cell_space::{find, number};
use super::error::{Fault, RuleError};
use super::expression::{Expression, Operator};
use super::fixed::Fixed;
use super::lexer::{Token, tokens};
use super::source::{SourceLine, Sources};
use super::statements::Section;

/// The value of a cell at the start.
#[derive(Clone, Debug)]
pub(super) enum Start {
    Number(Fixed),
    Tuple(Vec<Fixed>),
}

/// The unknown value.
pub(super) static UNKNOWN: Start = Start::Number(Fixed::UNDEFINED);

impl Start {
    /// Reads a number, or several in brackets with commas between them, behind which other text is ignored.
    pub fn new(sources: &Sources, line: &SourceLine) -> Result<Self, RuleError> {
        let Some(inner) = line.text.strip_prefix('[') else {
            let text = line.text.split_whitespace().next().unwrap_or("");
            return Ok(Self::Number(number(sources, text, line.place)?));
        };
        let Some((inner, _)) = inner.split_once(']') else {
            let expected = "a tuple as in '[1,2]'".into();
            return Err(sources.fail(line.place, Fault::Syntax { found: "'['".into(), expected }));
        };
        let numbers = inner.split(',').map(|text| number(sources, text.trim(), line.place));
        Ok(Self::Tuple(numbers.collect::<Result<_, _>>()?))
    }

    /// Its numbers.
    pub fn numbers(&self) -> &[Fixed] {
        match self {
            Self::Number(number) => std::slice::from_ref(number),
            Self::Tuple(numbers) => numbers,
        }
    }

    /// The number of numbers in brackets; 0 for a single number.
    pub fn size(&self) -> usize {
        match self {
            Self::Number(_) => 0,
            Self::Tuple(numbers) => numbers.len(),
        }
    }

    /// The number at a place of a port.
    pub fn at(&self, place: usize, slots: usize) -> Fixed {
        match self {
            Self::Tuple(numbers) if place + 1 == slots => Fixed::whole(numbers.len() as i64).unwrap_or(Fixed::MOST),
            _ => self.numbers().get(place).copied().unwrap_or(Fixed::UNDEFINED),
        }
    }
}

/// The sections of rules of some names, in small letters, and the sections reached by their `else`.
fn reached<'a>(sections: &'a [Section], names: impl Iterator<Item = &'a str>) -> Vec<&'a Section> {
    let mut open: Vec<String> = names.map(str::to_owned).collect();
    let mut found: Vec<&Section> = vec![];
    while let Some(name) = open.pop() {
        let Some(section) = sections.iter().rfind(|section| section.name == name) else { continue };
        if found.iter().all(|other| !std::ptr::eq(*other, section)) {
            found.push(section);
            open.extend(find(section, "else").map(|other| other.text().0.to_ascii_lowercase()));
        }
    }
    found
}

/// The size of the longest tuple in the rules of sections of some names and those reached by `else`.
pub(super) fn longest<'a>(sources: &Sources, sections: &'a [Section], names: impl Iterator<Item = &'a str>) -> usize {
    let statements = reached(sections, names).into_iter().flat_map(|section| &section.statements);
    let rules = statements.filter(|statement| statement.key == "rule");
    let of_rule = |tokens: Vec<(Token, _)>| {
        let (mut most, mut count, mut depth) = (0, 0, 0);
        for (token, _) in tokens {
            match token {
                Token::Sign("[") => (count, depth) = (1, 0),
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth -= 1,
                Token::Sign(",") if depth == 0 && count > 0 => count += 1,
                Token::Sign("]") => {
                    most = count.max(most);
                    count = 0;
                }
                _ => {}
            }
        }
        most
    };
    // A fault of a rule is reported when the rule is read.
    rules.filter_map(|rule| tokens(sources, &rule.value).ok()).map(of_rule).max().unwrap_or(0)
}

/// The names of the numbers of a port.
pub(super) fn names(name: &str, slots: usize) -> Vec<String> {
    let name = |place: usize| match place {
        0 => name.to_owned(),
        _ if place + 1 == slots => format!("{name}!size"),
        _ => format!("{name}!{place}"),
    };
    (0..slots).map(name).collect()
}

/// Whether an expression is a tuple, or may be one.
pub(super) fn holds(value: &Expression, slots: usize) -> bool {
    match value {
        Expression::Own(port) | Expression::Neighbour(_, port) => slots > 1 && port.is_multiple_of(slots),
        Expression::Apply(Operator::If | Operator::IfUndefined, parts) => {
            parts[1..].iter().any(|part| holds(part, slots))
        }
        value => is_tuple(value),
    }
}

/// Whether an expression is a tuple, or one of its branches is.
pub(super) fn is_tuple(value: &Expression) -> bool {
    match value {
        Expression::Apply(Operator::Tuple, _) => true,
        Expression::Apply(Operator::If | Operator::IfUndefined, parts) => parts[1..].iter().any(is_tuple),
        _ => false,
    }
}

/// Whether a draw decides which branch is a tuple: it would be drawn for each number.
pub(super) fn is_drawn(value: &Expression, slots: usize) -> bool {
    match value {
        Expression::Apply(Operator::If | Operator::IfUndefined, parts) if holds(value, slots) => {
            parts[0].draws() || parts[1..].iter().any(|part| is_drawn(part, slots))
        }
        _ => false,
    }
}

/// The number at a place of a port that takes a value.
pub(super) fn at(value: &Expression, place: usize, slots: usize) -> Expression {
    let is_port = |port: &usize| port.is_multiple_of(slots);
    match value {
        Expression::Own(port) if is_port(port) => Expression::Own(port + place),
        Expression::Neighbour(n, port) if is_port(port) => Expression::Neighbour(*n, port + place),
        Expression::Apply(Operator::Tuple, parts) if place + 1 == slots => {
            Expression::Constant(Fixed::whole(parts.len() as i64).unwrap_or(Fixed::MOST))
        }
        Expression::Apply(Operator::Tuple, parts) => {
            parts.get(place).cloned().unwrap_or(Expression::Constant(Fixed::UNDEFINED))
        }
        Expression::Apply(operator @ (Operator::If | Operator::IfUndefined), parts) if holds(value, slots) => {
            let of = |(n, part): (usize, &Expression)| if n == 0 { part.clone() } else { at(part, place, slots) };
            Expression::Apply(*operator, parts.iter().enumerate().map(of).collect())
        }
        value if place == 0 => value.clone(),
        _ => Expression::Constant(Fixed::UNDEFINED),
    }
}

/// Whether two values are the same: all their numbers are.
pub(super) fn same(a: &Expression, b: &Expression, slots: usize) -> Expression {
    let equal = |place: usize| Expression::Apply(Operator::Equal, vec![at(a, place, slots), at(b, place, slots)]);
    let and = |all, next| Expression::Apply(Operator::And, vec![all, next]);
    (1..slots).map(equal).fold(equal(0), and)
}

/// A component of a value: `?` where the value is no tuple.
pub(super) fn component(value: &Expression, place: usize, slots: usize) -> Expression {
    let number = if place == 0 {
        let alone = Expression::Apply(Operator::Undefined, vec![at(value, slots - 1, slots)]);
        let first = at(value, 0, slots);
        Expression::Apply(Operator::If, vec![alone, Expression::Constant(Fixed::UNDEFINED), first])
    } else {
        at(value, place, slots)
    };
    Expression::Apply(Operator::Number, vec![number])
}
