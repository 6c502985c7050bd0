//! The names of neighbor ports and state variables, and where they are declared.

use super::error::{Fault, RuleError};
use super::expression::{Expression, Operator, Rule};
use super::fixed::Fixed;
use super::lexer::{Token, tokens};
use super::source::{Place, Sources};
use super::statements::Section;

/// The most ports: words of an output.
pub(super) const MOST_PORTS: usize = 16;
/// The most names that are read of ports or of variables: far more than fit into a cell.
const MOST_NAMES: usize = 1000;
/// The name of the value without a port in a file that has ports.
pub(super) const PLAIN: &str = "out";
/// Names of that value in the original: for a value that a cell sends, and for one that it hears.
pub(super) const TAKEN: [&str; 2] = [PLAIN, "neighborchange"];

/// The declarations of a cell space.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared {
    pub ports: Vec<String>,
    pub variables: Vec<String>,
    /// Values of the variables at the start.
    pub starts: Vec<Fixed>,
    /// Where the first name is declared.
    pub place: Option<Place>,
}

/// Reads the declarations of a section.
pub(super) fn declared(sources: &Sources, section: &Section) -> Result<Declared, RuleError> {
    let ports = names(sources, section, "neighborports", "port")?;
    let variables = names(sources, section, "statevariables", "state variable")?;
    for (name, place) in &ports {
        if TAKEN.contains(&name.as_str()) {
            let allowed = "this is the value that a cell has besides its ports: use another name".into();
            let fault = Fault::Value { what: "the name of a port".into(), value: name.clone(), allowed };
            return Err(sources.fail(*place, fault));
        }
    }
    if let Some((_, place)) = ports.get(MOST_PORTS) {
        return Err(sources.fail(*place, Fault::Many { what: "ports".into(), most: MOST_PORTS }));
    }
    let starts = starts(sources, section, &variables)?;
    let place = ports.first().or(variables.first()).map(|(_, place)| *place);
    let plain = |names: Vec<(String, Place)>| names.into_iter().map(|(name, _)| name).collect();
    Ok(Declared { ports: plain(ports), variables: plain(variables), starts, place })
}

/// The names after a key, which may be there repeatedly.
fn names(sources: &Sources, section: &Section, key: &str, what: &str) -> Result<Vec<(String, Place)>, RuleError> {
    let mut found: Vec<(String, Place)> = vec![];
    for statement in section.statements.iter().filter(|s| s.key == key) {
        for (token, place) in tokens(sources, &statement.value)? {
            let Token::Name(name) = token else {
                let expected = format!("the name of a {what}: letters, digits and '_', with spaces between names");
                return Err(sources.fail(place, Fault::Syntax { found: token.shown(), expected }));
            };
            if let Some((_, other)) = found.iter().find(|(other, _)| *other == name) {
                let fault = Fault::Twice { what: format!("the {what} '{name}'"), before: sources.line(*other) };
                return Err(sources.fail(place, fault));
            }
            if found.len() == MOST_NAMES {
                return Err(sources.fail(place, Fault::Many { what: format!("{what}s"), most: MOST_NAMES }));
            }
            found.push((name, place));
        }
    }
    Ok(found)
}

/// The values after `statevalues`, in the order of the variables; `?` where they are missing.
fn starts(sources: &Sources, section: &Section, variables: &[(String, Place)]) -> Result<Vec<Fixed>, RuleError> {
    if let Some(other) = section.statements.iter().find(|s| VALUES.contains(&s.key.as_str()))
        && variables.is_empty()
    {
        let example = format!("'{}' needs them as in 'statevariables : NAME NAME'", other.key);
        let section = format!("the section '{}'", section.name);
        let fault = Fault::Missing { section, key: "statevariables".into(), example };
        return Err(sources.fail(other.place, fault));
    }
    let mut statements = section.statements.iter().filter(|s| s.key == VALUES[0]).peekable();
    let Some(first) = statements.peek().map(|s| s.place) else {
        return Ok(vec![Fixed::UNDEFINED; variables.len()]);
    };
    let words: Vec<_> = statements.flat_map(|statement| statement.words()).collect();
    let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
    let place = words.first().map_or(first, |word| word.place);
    check_count(sources, place, words.len(), &names)?;
    words.iter().map(|word| super::cell_space::number(sources, &word.text, word.place)).collect()
}

/// Keys that make sense only with variables.
const VALUES: [&str; 2] = ["statevalues", "initialvariablesvalue"];

/// Refuses more or fewer values than there are variables.
pub(super) fn check_count(
    sources: &Sources,
    place: Place,
    count: usize,
    names: &[impl AsRef<str>],
) -> Result<(), RuleError> {
    if count == names.len() {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let allowed = format!("there are {} state variables, {}: give each its value", names.len(), names.join(" "));
    let (what, value) = ("the number of values of state variables".into(), count.to_string());
    Err(sources.fail(place, Fault::Value { what, value, allowed }))
}

/// Whether a rule reads, counts or sets a port.
pub(super) fn uses(rule: &Rule, port: usize) -> bool {
    let test = |expression: &Expression| match expression {
        Expression::Own(p) | Expression::Neighbour(_, p) | Expression::Apply(Operator::Count(p), _) => *p == port,
        _ => false,
    };
    rule.values.iter().any(|(p, _)| *p == port) || rule.expressions().any(|expression| expression.any(&test))
}
