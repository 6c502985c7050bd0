// cells/band: a box of the space is here, the cells of one rank and around them those that they hear (choice `extent`). What
// happens to these is known to other ranks. Mirrored in src/cells/gpu/band.rs.

struct Band {
    size: vec4<u32>,   // columns, rows and planes of the whole space
    origin: vec4<u32>, // where the first cell that is here lies in it
    begin: vec4<u32>,  // where own cells begin here, and where they end
    end: vec4<u32>,
}

var<uniform> band: Band;

fn is_own(place: vec3<i32>) -> bool {
    let there = vec3<u32>(place);
    return all(there >= band.begin.xyz) && all(there < band.end.xyz);
}

// The number in the whole space of the cell that is here at a column, row and plane.
fn number_of(place: vec3<u32>, size: vec3<u32>) -> u32 {
    let there = (place + band.origin.xyz) % band.size.xyz;
    return there.x + band.size.x * (there.y + band.size.y * there.z);
}
