//! Every cell is in one band, and a band has all cells that its cells hear.

use super::*;
use crate::Border;

#[test]
fn a_band_has_its_cells_and_those_that_they_hear() {
    let offsets = [Space::moore(), vec![[2, 0, 0], [0, 3, 0], [0, 0, -1]], vec![[0, -5, 1]], vec![]];
    for (size, offsets) in [[6, 9, 2], [9, 4, 1], [3, 4, 7], [1, 5, 5]].into_iter().zip(offsets.iter().cycle()) {
        for border in [Border::Open, Border::Wrapped] {
            let space = Space::new(size, border, offsets.clone()).unwrap();
            for ranks in 1..5 {
                let bands = Bands::even(&space, ranks);
                bands.check(&space, ranks).unwrap();
                let all: Vec<Band<'_>> = (0..ranks).map(|rank| Band::of(&space, &bands, rank)).collect();
                let mut owned = vec![];
                for (rank, band) in (0..).zip(&all) {
                    for index in 0..band.cells() {
                        let place = band.place(index);
                        let own = (index < band.own()).then_some(index);
                        assert_eq!((band.index(place), band.own_index(place)), (index, own));
                        assert_eq!(band.id(index), space.cell(place));
                        assert_eq!(band.find(band.id(index)), index);
                    }
                    owned.extend((0..band.own()).map(|index| (band.id(index), rank)));
                }
                owned.sort_unstable();
                assert!(owned.iter().map(|(id, _)| *id).eq(0..space.cells()));
                let rank_of = |id: u32| owned[id as usize].1;
                for (rank, band) in (0..).zip(&all) {
                    for id in (0..band.own()).map(|index| band.id(index)) {
                        for heard in (0..offsets.len()).filter_map(|n| space.neighbour(id, n)) {
                            assert!(band.index(space.place(heard)) < band.cells());
                            let other = &all[rank_of(heard) as usize];
                            if rank_of(heard) != rank {
                                assert!(band.mail.from().contains(&rank_of(heard)) && other.mail.to().contains(&rank));
                                let index = other.find(heard);
                                assert!(other.hearers[(index / other.width) as usize].contains(&rank));
                            }
                        }
                    }
                    assert_eq!(band.is_heard(), !band.mail.to().is_empty());
                    // Either both know each other, or neither.
                    for other in 0..ranks {
                        let hears = all[other as usize].mail.from().contains(&rank);
                        assert_eq!(band.mail.to().contains(&other), hears);
                    }
                }
            }
        }
    }
}

#[test]
fn rank_0_hears_everybody_where_it_writes_a_log() {
    let space = Space::new([9, 1, 1], Border::Open, Space::moore()).unwrap();
    let bands = Bands::even(&space, 4);
    let band = |rank| Band::of(&space, &bands, rank).logged();
    assert_eq!((band(0).mail.to(), band(0).mail.from()), (&[1][..], &[1, 2, 3][..]));
    assert_eq!((band(2).mail.to(), band(2).mail.from()), (&[0, 1, 3][..], &[1, 3][..]));
}
