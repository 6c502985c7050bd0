// queueing/routes_by_chance: a draw decides where a token goes. The twin of queueing/routes_by_turns.

import topology::{Site, route};

fn edge_for(site: Site, drawn: u32) -> u32 { return route(site, drawn); }
