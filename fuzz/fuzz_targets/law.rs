//! Service laws: what is read and written is read as the same law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::random::ServiceLaw;

fuzz_target!(|text: &str| {
    if let Ok(law) = text.parse::<ServiceLaw>() {
        assert_eq!(law.to_string().parse::<ServiceLaw>().as_ref(), Ok(&law));
        assert!(law.mean() >= 0.0);
    }
});
