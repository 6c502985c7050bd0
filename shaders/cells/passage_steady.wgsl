// cells/passage_steady: delays that do not depend on the time of departure. Then times only become earlier.

import package::lib::time::{Time};
import delays::{passage_delay};

fn passage_start(slot: u32, time: Time) -> Time { return time; }
fn passage_delay_first(n: u32, out: Time) -> Time { return passage_delay(n, out); }
fn passage_delay_again(n: u32, out: Time, delay: Time) -> Time { return delay; }
