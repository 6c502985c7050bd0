//! Lists of classes by group of servers, so that each class finds its groups in an order of its own: who comes takes the free group in whose
//! list its class stands earliest, of several the first group.

/// The most steps of the search, and the most entries of all lists.
const MOST_STEPS: usize = 100_000;
const MOST_ENTRIES: usize = 4096;

/// What has been listed so far.
struct Search<'o> {
    /// By class, its groups in their order.
    orders: &'o [(usize, Vec<usize>)],
    /// By class in `orders`, in how many of its groups it is listed.
    listed: Vec<usize>,
    lists: Vec<Vec<usize>>,
    steps: usize,
}

/// The list of each group, if there are lists for these orders, each of a class and its groups.
pub(super) fn preferences(groups: usize, orders: &[(usize, Vec<usize>)]) -> Option<Vec<Vec<usize>>> {
    if groups * orders.len() > MOST_ENTRIES {
        return None;
    }
    let mut search = Search { orders, listed: vec![0; orders.len()], lists: vec![vec![]; groups], steps: 0 };
    search.list(0).then_some(search.lists)
}

impl Search<'_> {
    /// Lists a class in a group and in those behind it, and then in each another one: the first classes of all lists, then the second.
    fn list(&mut self, group: usize) -> bool {
        if self.orders.iter().zip(&self.listed).all(|((_, of), listed)| of.len() == *listed) {
            return true;
        }
        if group == self.lists.len() {
            return self.list(0);
        }
        // Whose earlier groups list it already; those first that have the most groups behind this one.
        let is_next = |number: &usize| self.orders[*number].1.get(self.listed[*number]) == Some(&group);
        let mut next: Vec<usize> = (0..self.orders.len()).filter(is_next).collect();
        next.sort_by_key(|number| std::cmp::Reverse(self.orders[*number].1.len() - self.listed[*number]));
        let members = self.orders.iter().filter(|(_, of)| of.contains(&group)).count();
        if next.is_empty() {
            // A list has no gaps.
            return self.lists[group].len() == members && self.list(group + 1);
        }
        for number in next {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return false;
            }
            self.lists[group].push(self.orders[number].0);
            self.listed[number] += 1;
            if self.list(group + 1) {
                return true;
            }
            self.lists[group].pop();
            self.listed[number] -= 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::preferences;

    /// The groups of a class, as who comes finds them.
    fn found(lists: &[Vec<usize>], class: usize) -> Vec<usize> {
        let place = |list: &Vec<usize>| list.iter().position(|of| *of == class);
        let mut groups: Vec<usize> = (0..lists.len()).filter(|group| place(&lists[*group]).is_some()).collect();
        groups.sort_by_key(|group| place(&lists[*group]));
        groups
    }

    #[test]
    fn lists_give_each_class_its_order() {
        for orders in [
            vec![(0, vec![0, 1]), (1, vec![0, 1])],
            vec![(0, vec![0, 1]), (1, vec![1, 0])],
            vec![(3, vec![0, 2]), (5, vec![1, 2]), (7, vec![0, 1, 2])],
            vec![(0, vec![2, 1, 0]), (1, vec![0, 1]), (2, vec![1, 0])],
        ] {
            let groups = 1 + orders.iter().flat_map(|(_, of)| of).max().unwrap();
            let lists = preferences(groups, &orders).unwrap_or_else(|| panic!("{orders:?}"));
            for (class, order) in &orders {
                assert_eq!(found(&lists, *class), *order, "{lists:?}");
            }
            assert_eq!(lists.iter().map(Vec::len).sum::<usize>(), orders.iter().map(|(_, of)| of.len()).sum::<usize>());
        }
    }

    /// Where both classes want the second group first, no list of it has both in front.
    #[test]
    fn some_orders_have_no_lists() {
        assert_eq!(preferences(2, &[(0, vec![1, 0]), (1, vec![1, 0])]), None);
    }
}
