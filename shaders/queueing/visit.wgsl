// queueing/visit: how a visit goes, from what its station is when the token arrives: shared by arrivals and the initial
// state. The n-th visit takes the n-th group of draws of the station's stream: the service time's, then the route's.

fn serve(here: u32, station: ptr<function, Station>, arrived: Time) -> Visit {
    let number = (*station).visits;
    (*station).visits = number + 1u;
    if (number == NONE) { raise(FAULT_VISITS, here); }
    let start = wide_maximum(arrived, free_from(here, station));
    if (!wide_less(start, parameters.until)) {
        occupy(here, station, never(), never());
        return Visit(never(), never(), route(here, 0u), number);
    }
    var stream = Stream((*station).state, stream_increment(here));
    let time = service_time(law_of(here), &stream);
    let edge = route(here, draw(&stream));
    (*station).state = stream.state;
    add_sums(station, time, wide_sub(start, arrived));
    let end = wide_add(start, time);
    occupy(here, station, start, end);
    return Visit(start, wide_add(end, delay_of(edge)), edge, number);
}

fn add_sums(station: ptr<function, Station>, service: Wide, waiting: Wide) {
    (*station).service = wide_add((*station).service, service);
    if (wide_less((*station).service, service)) { (*station).service_top += 1u; }
    (*station).waiting = wide_add((*station).waiting, waiting);
    if (wide_less((*station).waiting, waiting)) { (*station).waiting_top += 1u; }
}
