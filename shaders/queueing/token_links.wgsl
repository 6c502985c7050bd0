// queueing/token_links: queueing/links where the link of a token lies in its record: a sector of memory less.

fn link_of(entity: u32) -> u32 { return tokens[2u * entity + 1u].w; }
fn set_link(entity: u32, link: u32) { tokens[2u * entity + 1u].w = link; }

// Puts an entity in front of a list.
fn push(list: u32, entity: u32) { set_link(entity, atomicExchange(&links[list], entity + 1u)); }
