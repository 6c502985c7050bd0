// lib/no_tables: no law has a table.

import package::lib::law::{Law};
import package::lib::pcg32::{Stream};
import word64::{Wide, wide};

fn is_tabled(law: Law) -> bool { return false; }
fn tabled_variate(law: Law, stream: ptr<function, Stream>) -> Wide { return wide(0u, 0u); }
