//! The values that a rule gives to ports and state variables, and their names.

use super::Parser;
use crate::error::{Fault, RuleError};
use crate::expression::Expression;
use crate::lexer::Token;
use crate::ports::{PLAIN, TAKEN};
use crate::source::Place;

impl Parser<'_> {
    /// Whether these words come next; a name stands for any name.
    pub(super) fn follows(&self, words: &[&str]) -> bool {
        let same = |(word, (token, _)): (&&str, &(Token, Place))| match token {
            Token::Name(_) => *word == "NAME",
            Token::Sign(sign) => sign == word,
            Token::Number(_) => false,
        };
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        rest.len() >= words.len() && words.iter().zip(rest).all(same)
    }

    /// The values of a rule: a value, or values of ports.
    pub(super) fn values(&mut self) -> Result<Vec<(usize, Expression)>, RuleError> {
        let declares = !self.cells.ports.is_empty() || !self.cells.variables.is_empty();
        let sends = self.follows(&["{", "NAME", "("]) && self.sends_only();
        if self.follows(&["{", "~", "NAME", ":="]) || sends || (declares && self.follows(&["{", "}"])) {
            return self.assignments("~");
        }
        Ok(vec![(self.cells.plain(), self.part("the new value")?)])
    }

    /// The state variables that a rule changes, if any.
    pub(super) fn variables(&mut self) -> Result<Vec<(usize, Expression)>, RuleError> {
        let some = self.follows(&["{", "$", "NAME", ":="]) || self.follows(&["{", "}"]);
        if some { self.assignments("$") } else { Ok(vec![]) }
    }

    /// Assignments in braces, to ports or to state variables. A port is set once.
    fn assignments(&mut self, sign: &'static str) -> Result<Vec<(usize, Expression)>, RuleError> {
        let mut found: Vec<(usize, Expression)> = vec![];
        self.expect("{")?;
        while !self.take("}") {
            let start = self.place();
            if sign == "~" && matches!(self.peek(), Some(Token::Name(name)) if name == "send") {
                self.send()?;
                self.expect(";")?;
                continue;
            }
            if !self.follows(&[sign, "NAME", ":="]) {
                return Err(self.unassigned(sign));
            }
            let place = if sign == "~" { self.port()? } else { self.variable()? };
            if sign == "~" && found.iter().any(|(other, _)| *other == place) {
                let name = self.cells.ports.get(place / self.cells.slots).map_or(PLAIN, String::as_str);
                let what = format!("the port '{name}' of this rule");
                return Err(self.sources.fail(start, Fault::Twice { what, before: self.sources.line(start) }));
            }
            self.expect(":=")?;
            let (value, _) = self.expression(0)?;
            found.push((place, if sign == "$" { self.number(value)? } else { value }));
            self.expect(";")?;
        }
        Ok(found)
    }

    fn unassigned(&self, sign: &str) -> RuleError {
        let found = self.peek().map_or("the end".into(), Token::shown);
        let expected = format!("'{sign}NAME := VALUE;' or '}}'");
        self.sources.fail(self.place(), Fault::Syntax { found, expected })
    }

    /// The port after a reference: `~NAME`, or none. The value without a port has names, too.
    pub(super) fn port(&mut self) -> Result<usize, RuleError> {
        if !self.take("~") {
            return Ok(self.cells.plain());
        }
        if matches!(self.peek(), Some(Token::Name(name)) if TAKEN.contains(&name.as_str())) {
            self.at += 1;
            return Ok(self.cells.plain());
        }
        Ok(self.declared("the port", self.cells.ports, "neighborports")? * self.cells.slots)
    }

    /// A state variable: `$NAME`.
    pub(super) fn variable(&mut self) -> Result<usize, RuleError> {
        self.expect("$")?;
        self.declared("the state variable", self.cells.variables, "statevariables")
    }

    /// The number of a declared name.
    fn declared(&mut self, what: &str, names: &[String], key: &str) -> Result<usize, RuleError> {
        let Some(Token::Name(name)) = self.peek().cloned() else { return Err(self.unexpected("a name")) };
        let Some(place) = names.iter().position(|other| *other == name) else {
            let known = match names {
                [] => format!("there are none: declare it in the cell space as in '{key} : {name}'"),
                _ => format!("the {key} are {}", names.join(" ")),
            };
            return self.fail(Fault::Unknown { what: what.into(), name, known });
        };
        self.at += 1;
        Ok(place)
    }
}
