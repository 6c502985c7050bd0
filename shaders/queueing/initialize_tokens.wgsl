// queueing/initialize_tokens (once; one thread a token)
// What: lines up the tokens of each facility: token i * tokens_each + k is the k-th at facility i, there since 0.
// Writes: tokens.

@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

fn run(group: u32, lane: u32) {
    let id = group * WORKGROUP + lane;
    if (id >= parameters.tokens) { return; }
    let last = (id + 1u) % parameters.tokens_each == 0u;
    tokens[id] = entry(wide(0u, 0u), select(id + 1u, NONE, last), 0u);
}
