// engine/self_test (once on a software adapter; one thread)
// What: counts words[0] iterations of a pair of nested loops.
// Writes: words[1]. Afterwards: words[1] equals words[0] unless the driver cuts loops off.

var<storage, read_write> words: array<u32, 2>;

@compute @workgroup_size(1)
fn main() {
    var count = 0u;
    loop {
        if (count >= words[0]) { break; }
        for (var inner = 0u; inner < 10u; inner += 1u) { count += 1u; }
    }
    words[1] = count;
}
