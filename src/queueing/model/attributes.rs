//! What tokens carry, checked.

use super::groups::{FACTOR_BITS, longer};
use tickless_core::random::{EffectiveLaw, Stream};
use tickless_core::time::Time;

/// The most attributes of a token.
pub(crate) const MOST_ATTRIBUTES: usize = 4;

/// The values of a token; of a row of a trace `NEVER` where it does not say one.
pub(crate) type Values = [Time; MOST_ATTRIBUTES];

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AttributeRules {
    pub(crate) name: String,
    /// By the class in which a token begins.
    pub(crate) laws: Vec<EffectiveLaw>,
}

impl AttributeRules {
    /// Draws the values of all attributes of a token that begins in a class, one after the other; those that are `known` are not drawn.
    pub(crate) fn values(all: &[Self], class: u32, known: Values, stream: &mut Stream) -> Values {
        let mut values = known;
        for (attribute, value) in all.iter().zip(&mut values) {
            if *value == Time::NEVER {
                *value = attribute.laws[class as usize].service(stream);
            }
        }
        values
    }
}

/// An attribute as a service time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) attribute: u32,
    /// In units of 2^-20.
    pub(crate) factor: u32,
}

impl Size {
    pub(crate) fn longer(self, time: Time) -> Time {
        longer(time, self.factor)
    }

    /// The factor.
    pub(crate) fn times(self) -> f64 {
        f64::from(self.factor) / f64::from(1_u32 << FACTOR_BITS)
    }

    /// The service of a token with these values.
    pub(crate) fn of(self, values: &Values) -> Time {
        self.longer(values[self.attribute as usize])
    }
}
