//! The images of tuples under symmetries.

use rustc_hash::FxHashSet;

/// The images of each tuple under some symmetries, without those that cover the same squares as an
/// earlier image.
pub fn merge(tuples: &[Vec<usize>], images: &[Vec<usize>]) -> Vec<Vec<Vec<usize>>> {
    let mut covered: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut merged = |tuple: &Vec<usize>| {
        let mut kept = Vec::new();
        for image in images {
            let image: Vec<usize> = tuple.iter().map(|&square| image[square]).collect();
            let mut set = image.clone();
            set.sort_unstable();
            if covered.insert(set) {
                kept.push(image);
            }
        }
        kept
    };
    tuples.iter().map(&mut merged).collect()
}

/// The different orders into which a tuple's squares are brought by the symmetries that keep them: at each
/// place, the place whose square comes there.
pub fn orders(tuple: &[usize], images: &[Vec<usize>]) -> Vec<Vec<u32>> {
    let order = |image: &Vec<usize>| -> Option<Vec<u32>> {
        let place = |&square: &usize| {
            let mut places = (0..).zip(tuple);
            places.find_map(|(place, &other)| (other == image[square]).then_some(place))
        };
        tuple.iter().map(place).collect()
    };
    let mut different: Vec<Vec<u32>> = images.iter().filter_map(order).collect();
    different.sort_unstable();
    different.dedup();
    different
}
