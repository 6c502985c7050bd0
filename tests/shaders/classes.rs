//! Networks of classes that together have every kernel of them.
//!
//! In rounds: one whose visits are known at the arrival, with phases and batches.
//!
//! Event by event: sources and a station that change and block; a station whose tokens share its servers and take turns, with all that is
//! recorded; phases; servers that set up, go away and wear out, classes that have room of their own, and services that are repeated; units of resources, some
//! of which are taken from tokens;
//! speeds and weights; tokens that split, and groups of servers, which fail. A source chooses, and who finds no room goes elsewhere, beside the servers that
//! set up; another one chooses whose tokens come in batches. Tokens carry sizes where they split, and where servers are for several of them,
//! or go round; servers walk beside targets.

pub const IN_ROUNDS: &str = r#"
window = 0.5
[[class]]
name = "a"
[[class]]
name = "b"
[[source]]
name = "in"
to = "desk"
phases = { generator = [[-1, 1], [1, -1]], arrivals = [1, 2] }
batch = [0.5, 0.5]
class = "b"
[[station]]
name = "desk"
service = "exponential:1"
routing = "round-robin"
shifts = [[0, 1], [9, 0]]
period = 10
[[station.class]]
name = "b"
service = "exponential:2"
tokens = 1
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "desk"
class = "b"
becomes = "a"
[[route]]
from = "desk"
to = "out"
"#;
pub const CHANGING: &str = r#"
[[source]]
name = "in"
to = "desk"
rates = [[0, 0.1]]
batch = [0.5, 0.5]
[[station]]
name = "desk"
service = "lognormal:1,1"
discipline = "siro"
capacity = 4
full = "exchanges"
routing = "shortest-queue"
shifts = [[0, 1], [5, 2]]
failures = { up = "exponential:9", down = "exponential:1" }
[[route]]
from = "desk"
to = "desk"
"#;
pub const SHARING: &str = r#"
series_step = 1
distributions = ["desk"]
[[source]]
name = "in"
to = ["desk", "desk"]
routing = "round-robin"
interval = "exponential:9"
batch = [0.5, 0.5]
[[station]]
name = "desk"
service = "exponential:1"
discipline = "ps"
routing = "round-robin"
tokens = 2
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "out"
"#;
pub const ABSENT: &str = r#"
[[class]]
name = "a"
[[source]]
name = "in"
to = ["desk", "other"]
routing = "shortest-response"
interval = "exponential:9"
[[station]]
name = "desk"
service = "exponential:1"
capacity = 4
full_to = "other"
full = "repeats"
routing = "least-work"
failures = { use = "exponential:9", down = "exponential:1" }
setup = "exponential:1"
[[station.class]]
name = "a"
capacity = 3
[[station]]
name = "other"
service = "exponential:1"
routing = "by-visit"
vacation = "exponential:1"
[[station]]
name = "long"
service = "exponential:1"
standby = { servers = 1, comes_at = 3 }
time_factors = [[0, 1], [4, 2]]
[[route]]
from = "desk"
to = "other"
[[route]]
from = "other"
to = "desk"
[[route]]
from = "other"
to = "long"
[[route]]
from = "long"
to = "other"
"#;
pub const SEIZING: &str = r#"
[[class]]
name = "a"
[[class]]
name = "b"
priority = 1
[[resource]]
name = "room"
units = 2
[[resource]]
name = "tool"
units = 1
preemptive = true
[[source]]
name = "in"
to = "desk"
interval = "exponential:9"
[[station]]
name = "desk"
service = "exponential:1"
capacity = 4
full = "blocks-before"
seizes = { room = 1 }
failures = { use = "exponential:9", down = "exponential:1" }
setup = "exponential:1"
off_after = "exponential:2"
[[station]]
name = "other"
service = "exponential:1"
preemptive = true
capacity = 4
full = "exchanges"
seizes = { room = 1 }
seizes_at = "arrival"
releases = { room = 2 }
[[station]]
name = "third"
service = "exponential:1"
seizes = { tool = 1 }
releases = { tool = 1 }
[[route]]
from = "desk"
to = "other"
[[route]]
from = "other"
to = "third"
[[route]]
from = "third"
to = "desk"
"#;
pub const STOPPING: &str = r#"
[[station]]
name = "desk"
service = "exponential:1"
capacity = 4
full = "blocks-before"
tokens = 1
[[station]]
name = "other"
service = "exponential:1"
[[route]]
from = "desk"
to = "other"
[[route]]
from = "other"
to = "desk"
"#;
pub const FORKING: &str = r#"
distributions = ["last"]
[[attribute]]
name = "size"
law = "exponential:1"
[[source]]
name = "in"
to = "desk"
interval = "exponential:1"
[[station]]
name = "desk"
service = "exponential:0.1"
routing = "fork"
[[station]]
name = "one"
service = "exponential:0.1"
servers = [{ name = "first", shifts = [[0, 1], [5, 2]], failures = { up = "exponential:9", down = "exponential:1" } }, { name = "second", factor = 2 }]
[[station]]
name = "last"
service = "exponential:0.1"
joins = true
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "one"
[[route]]
from = "desk"
to = "last"
[[route]]
from = "one"
to = "last"
[[station]]
name = "end"
service = "exponential:0.1"
capacity = 4
full = "blocks-before"
[[route]]
from = "last"
to = "end"
[[route]]
from = "end"
to = "out"
"#;
pub const PACED: &str = r#"
fold = 24
distributions = ["desk"]
[[resource]]
name = "room"
units = 2
[[class]]
name = "a"
[[class]]
name = "b"
priority = 1
[[source]]
name = "in"
to = "desk"
interval = "exponential:9"
[[station]]
name = "desk"
service = "exponential:1"
preemptive = true
speeds = [1, 2]
[[station]]
name = "other"
service = "exponential:1"
discipline = "ps"
capacity = 4
full = "blocks-before"
seizes = { room = 1 }
seizes_at = "arrival"
releases = { room = 1 }
[[station.class]]
name = "a"
weight = 2
[[route]]
from = "desk"
to = "other"
[[route]]
from = "other"
to = "desk"
"#;
pub const VARIED: &str = r#"
[[resource]]
name = "room"
shifts = [[0, 2], [5, 1]]
period = 9
failures = { up = "exponential:9", down = "exponential:1" }
[[source]]
name = "in"
to = "desk"
phases = { generator = [[-0.1, 0.1], [0.1, -0.1]], arrivals = [2, 0.5] }
batch = [0.5, 0.5]
[[station]]
name = "desk"
service = "exponential:0.1"
seizes = { room = 1 }
routing = "fork"
[[station]]
name = "one"
service = "exponential:0.1"
discipline = "ps"
servers = 40000
speeds = [65536]
[[station]]
name = "last"
service = "exponential:0.1"
joins = true
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "one"
[[route]]
from = "desk"
to = "last"
[[route]]
from = "one"
to = "last"
[[route]]
from = "last"
to = "out"
"#;
pub const TARGETED: &str = r#"
[[source]]
name = "in"
to = "desk"
interval = "exponential:1"
[[station]]
name = "desk"
service = "exponential:0.1"
routing = "fork"
[[station]]
name = "last"
service = "exponential:0.1"
joins = true
targets = [1, 2]
[[station]]
name = "round"
service = "exponential:0.1"
servers = [{ name = "walking", takes = "limited:2", walking = "constant:1" }, { name = "late", shifts = [[0, 0], [5, 2]] }]
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "last"
[[route]]
from = "desk"
to = "last"
[[route]]
from = "last"
to = "round"
[[route]]
from = "round"
to = "out"
"#;
pub const CARRYING: &str = r#"
[[class]]
name = "a"
[[class]]
name = "b"
[[attribute]]
name = "size"
law = "exponential:1"
[[source]]
name = "in"
to = "desk"
rates = [[0, 0.1]]
[[source]]
name = "bs"
to = "desk"
class = "b"
interval = "exponential:1"
[[station]]
name = "desk"
service = "attribute:size"
discipline = "edd"
order_by = "size"
patience = "attribute:size"
patience_until = "end"
routing = "by-attribute"
route_by = "size"
[[station]]
name = "bench"
service = "exponential:1"
kit = [["a", 1], ["b", 2]]
splits = [0.5, 0.5]
[[station]]
name = "oven"
service = "exponential:1"
[[station.servers]]
name = "large"
batch_most = 3
batch_least = 2
batch_wait = 5
batch_factors = [1, 2]
[[station.servers]]
name = "round"
takes = "gated"
switching = "constant:1"
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "oven"
up_to = 1
[[route]]
from = "desk"
to = "bench"
[[route]]
from = "bench"
to = "oven"
[[route]]
from = "oven"
to = "out"
"#;

pub const CONTROLLED: &str = r#"
[[class]]
name = "a"
[[class]]
name = "b"
[[source]]
name = "in"
interval = "exponential:2"
to = ["desk", "other"]
routing = "round-robin"
class = "b"
[[station]]
name = "desk"
service = "exponential:1"
servers = 2
tokens = 1
[[station]]
name = "other"
service = "exponential:1"
patience = "constant:3"
[[sink]]
name = "out"
[[route]]
from = "desk"
to = "other"
[[route]]
from = "other"
to = "out"
[[route]]
from = "other"
to = "desk"
"#;
