// cells/whole: all cells of the space are here (choice `extent`).

fn is_own(place: vec3<i32>) -> bool { return true; }

// The number of the cell at a column, row and plane.
fn number_of(place: vec3<u32>, size: vec3<u32>) -> u32 { return place.x + size.x * (place.y + size.y * place.z); }
