//! How far apart in time tasks can be that are tied to each other.

/// By task and task: the most time from the one to the other that `couplings` leave, where no two are further apart than
/// `span`. A coupling names two tasks, and the least and the most time from the first to the second. Shortest ways
/// [Floyd 1962].
pub(in crate::tasking) fn most_apart(
    tasks: usize,
    span: i128,
    couplings: impl IntoIterator<Item = (usize, usize, Option<i64>, Option<i64>)>,
) -> Vec<i128> {
    let mut apart = vec![span; tasks * tasks];
    for (a, b, least, most) in couplings {
        let (there, back) = (a * tasks + b, b * tasks + a);
        apart[there] = apart[there].min(most.map_or(span, i128::from));
        apart[back] = apart[back].min(least.map_or(span, |least| -i128::from(least)));
    }
    for by in 0..tasks {
        for a in 0..tasks {
            for b in (0..tasks).filter(|&b| a != b && a != by && b != by) {
                apart[a * tasks + b] = apart[a * tasks + b].min(apart[a * tasks + by] + apart[by * tasks + b]);
            }
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second is 5 to 10 after the first, and the third 5 to 10 after the second.
    #[test]
    fn ways_over_other_tasks_count() {
        let apart = most_apart(3, 100, [(0, 1, Some(5), Some(10)), (1, 2, Some(5), Some(10))]);
        assert_eq!((apart[1], apart[2], apart[5]), (10, 20, 10));
        assert_eq!((apart[3], apart[6], apart[7]), (-5, -10, -5));
    }
}
