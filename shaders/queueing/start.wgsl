// queueing/start: the start of a service, shared by departure, arrival and the initial state.

@group(0) @binding(8) var<storage, read> logarithms: array<vec4<u32>, 256>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

// Starts the service of a token that arrived at `arrival` at time `start`; returns when it ends.
fn start_service(server: ptr<function, Server>, increment: Wide, arrival: Time, start: Time) -> Time {
    var stream = Stream((*server).state, increment);
    let time = service_time(parameters.law, &stream);
    (*server).state = stream.state;
    (*server).service = wide_add((*server).service, time);
    (*server).waiting = wide_add((*server).waiting, wide_sub(start, arrival));
    return wide_add(start, time);
}

// Whether the last start carried the sum of waiting times past 64 bits.
fn waiting_wrapped(server: Server, arrival: Time, start: Time) -> bool {
    return wide_less(server.waiting, wide_sub(start, arrival));
}
