//! References of rules to ports to the outside of the space.

use super::{Deep, Parser};
use crate::error::{Fault, RuleError};
use crate::expression::Expression;
use crate::fixed::Fixed;
use crate::lexer::Token;

impl Parser<'_> {
    /// `portValue(PORT)` or `portValue(thisPort)`: the last value that came in by a port.
    pub(super) fn port_value(&mut self) -> Result<Deep, RuleError> {
        if !self.cells.inlet.get() {
            let why = "only rules that a portInTransition names may read what comes in".into();
            return self.fail(Fault::Unsupported { what: "'portvalue' here".into(), why });
        }
        self.at += 1;
        self.expect("(")?;
        let name = self.port_name()?;
        self.expect(")")?;
        if name == "thisport" {
            return Ok((Expression::Input(0), 1));
        }
        let mut read = self.cells.read.borrow_mut();
        let place = read.iter().position(|other| *other == name).unwrap_or_else(|| {
            read.push(name);
            read.len() - 1
        });
        Ok((Expression::Input(1 + place), 1))
    }

    /// `send(PORT, VALUE)`, which is 0. The value goes nowhere.
    pub(super) fn send(&mut self) -> Result<Deep, RuleError> {
        self.at += 1;
        self.expect("(")?;
        let place = self.place();
        let name = self.port_name()?;
        if !self.cells.outlets.contains(&name) {
            let known = format!("a link from a cell names it, as in 'link : {name}@{}(0,0) PORT'", self.cells.space);
            return Err(self.sources.fail(place, Fault::Unknown { what: "the output port".into(), name, known }));
        }
        self.expect(",")?;
        self.expression(0)?;
        self.expect(")")?;
        Ok((Expression::Constant(Fixed::ZERO), 1))
    }

    /// Whether braces begin with a `send` statement.
    pub(super) fn sends_only(&self) -> bool {
        let is_send = matches!(self.tokens.get(self.at + 1), Some((Token::Name(name), _)) if name == "send");
        let inner = self.tokens[self.at..].iter().take_while(|(token, _)| *token != Token::Sign("}"));
        is_send && inner.filter(|(token, _)| *token == Token::Sign(";")).count() > 0
    }

    fn port_name(&mut self) -> Result<String, RuleError> {
        self.take("~");
        let Some(Token::Name(name)) = self.peek().cloned() else { return Err(self.unexpected("the name of a port")) };
        self.at += 1;
        Ok(name)
    }
}
