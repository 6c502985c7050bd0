// pathfinding/searches: the query and the result of a search, two words of 16 bytes each: the places of the start and the
// goal, the first word of the path and its moves; the cost, the cells expanded, and how the search ended.
// Reads and writes: searches, of this thread's search only. Mirrored in src/pathfinding/gpu/records.rs.

const FOUND: u32 = 1u;
const NO_PATH: u32 = 2u;
const OPEN_LIST_FULL: u32 = 3u;
const PATHS_FULL: u32 = 4u;

var<storage, read_write> searches: array<vec4<u32>>;

fn start_of(search: u32) -> u32 { return searches[2u * search].x; }
fn goal_of(search: u32) -> u32 { return searches[2u * search].y; }
