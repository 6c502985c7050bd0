//! Ground and weather for tests.

use crate::{Frame, Landscape, Weather};
use tickless_core::random::StreamKey;

/// Fuels and slopes drawn cell by cell: some of it never burns.
pub fn mixed(columns: u32, rows: u32, seed: u64) -> Landscape {
    let frame = Frame { columns, rows, corner: [500.0, -20.0], cell_size: 25.0 };
    let mut stream = StreamKey::new(seed, 0).stream(0);
    let fuels = [1, 2, 4, 9, 10, 99, 0, 101, 122, 145, 188, 98];
    let mut share = || f64::from(stream.draw()) / 4_294_967_296.0;
    let cells = (0..frame.cells()).map(|_| (fuels[(share() * 12.0) as usize], [share() - 0.5, share() - 0.5]));
    let (fuels, gradients) = cells.unzip();
    Landscape::new(frame, fuels, gradients).unwrap()
}

/// Three rows of weather with turning wind.
pub fn windy() -> Weather {
    let mut rows = [Weather::still().rows()[0]; 3];
    for (row, (minutes, wind, from)) in
        rows.iter_mut().zip([(0.0, 10.0, 230.0), (45.5, 25.0, 300.0), (100.0, 0.0, 0.0)])
    {
        (row.minutes, row.wind_kmh, row.wind_from, row.wind_adjustment) = (minutes, wind, from, 0.4);
    }
    Weather::new(rows.to_vec()).unwrap()
}
