// queueing/start: the start of a service, shared by departure, arrival and the initial state.

@group(0) @binding(7) var<storage, read> logarithms: array<vec4<u32>, 256>;
@group(0) @binding(8) var<uniform> parameters: Parameters;

// Starts the service of a token that arrived at `arrival` at time `start`; returns when it ends.
fn start_service(facility: ptr<function, Facility>, token: u32, arrival: Time, start: Time) -> Time {
    var stream = Stream((*facility).state, (*facility).increment);
    let time = service_time(parameters.law, &stream);
    (*facility).state = stream.state;
    (*facility).service = wide_add((*facility).service, time);
    (*facility).waiting = wide_add((*facility).waiting, wide_sub(start, arrival));
    (*facility).serving = token;
    return wide_add(start, time);
}
