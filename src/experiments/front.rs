//! Points that no other one beats in two measures at a time.

/// The points that no other point beats: no other one is at least as good in both measures, and better in one. Returns their
/// places, in order. Less is better; a measure that is to be large comes with its sign changed.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::front;
/// let cost_and_wait = [[1.0, 9.0], [2.0, 4.0], [3.0, 4.0], [5.0, 1.0], [6.0, 2.0]];
/// assert_eq!(front(&cost_and_wait), [0, 1, 3]);
/// ```
pub fn front(points: &[[f64; 2]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| points[*a][0].total_cmp(&points[*b][0]).then(points[*a][1].total_cmp(&points[*b][1])));
    let (mut best, mut kept) = (f64::INFINITY, vec![]);
    let mut last: Option<[f64; 2]> = None;
    for place in order {
        // Equal points do not beat each other.
        if points[place][1] < best || last == Some(points[place]) {
            best = points[place][1];
            last = Some(points[place]);
            kept.push(place);
        }
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;

    #[test]
    fn a_front_is_what_nobody_beats() {
        let mut stream = StreamKey::new(2, 0).stream(0);
        for count in [0, 1, 2, 30] {
            for _ in 0..50 {
                let mut draw = || f64::from(stream.draw() % 8);
                let points: Vec<[f64; 2]> = (0..count).map(|_| [draw(), draw()]).collect();
                let beats = |a: &[f64; 2], b: &[f64; 2]| a[0] <= b[0] && a[1] <= b[1] && a != b;
                let expected: Vec<usize> =
                    (0..count).filter(|place| !points.iter().any(|one| beats(one, &points[*place]))).collect();
                assert_eq!(front(&points), expected, "{points:?}");
            }
        }
    }
}
