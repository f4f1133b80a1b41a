//! Tasks that all have to keep apart in heading: at most one of them can be in each small part of the circle.
//!
//! Couplings look at pairs, and pairs of tasks hardly ever see that three of them want the same two headings. Here a
//! part of the circle is given away like a vehicle: to one task at most.

use super::coupling::Coupling;
use super::problem::Problem;

/// Tasks of which any two keep apart, and a division of the circle into parts that hold one of them at most.
#[derive(Clone, Debug)]
pub struct Circle {
    pub tasks: Vec<usize>,
    /// For each heading its part.
    pub part: Vec<usize>,
    pub parts: usize,
    /// Where the prices of the parts are listed.
    pub start: usize,
}

impl Circle {
    /// Circles that cover what couplings have in common, and for each coupling whether it says no more than they do.
    pub fn all(problem: &Problem, couplings: &[Coupling]) -> (Vec<Self>, Vec<bool>) {
        let mut angles: Vec<i64> = couplings.iter().map(|coupling| coupling.apart).filter(|&angle| angle > 0).collect();
        angles.sort_unstable();
        angles.dedup();
        let mut circles = Vec::new();
        let mut said = vec![false; couplings.len()];
        for angle in angles {
            for tasks in groups(problem.tasks(), couplings, angle) {
                let divisions = divisions(problem, angle);
                for coupling in 0..couplings.len() {
                    let Coupling { a, b, .. } = couplings[coupling];
                    if tasks.contains(&a) && tasks.contains(&b) && couplings[coupling].only_apart {
                        said[coupling] |= divisions.iter().any(|part| says_all(problem, &couplings[coupling], part));
                    }
                }
                for part in divisions {
                    let parts = part.iter().max().map_or(0, |last| last + 1);
                    let start = circles.last().map_or(0, |last: &Self| last.start + last.parts);
                    circles.push(Self { tasks: tasks.clone(), part, parts, start });
                }
            }
        }
        (circles, said)
    }
}

/// Groups of three or more tasks of which any two keep at least `angle` apart, until every such pair is in one.
fn groups(tasks: usize, couplings: &[Coupling], angle: i64) -> Vec<Vec<usize>> {
    let mut apart = vec![false; tasks * tasks];
    for coupling in couplings.iter().filter(|coupling| coupling.apart >= angle) {
        apart[coupling.a * tasks + coupling.b] = true;
        apart[coupling.b * tasks + coupling.a] = true;
    }
    let degree = |task: usize| apart[task * tasks..(task + 1) * tasks].iter().filter(|&&apart| apart).count();
    let mut order: Vec<usize> = (0..tasks).collect();
    order.sort_by_key(|&task| (usize::MAX - degree(task), task));
    let mut covered = vec![false; tasks * tasks];
    let mut groups = Vec::new();
    for &a in &order {
        for &b in &order {
            if !apart[a * tasks + b] || covered[a * tasks + b] {
                continue;
            }
            let mut group = vec![a, b];
            for &c in &order {
                if group.iter().all(|&member| apart[member * tasks + c]) {
                    group.push(c);
                }
            }
            for &a in &group {
                for &b in &group {
                    covered[a * tasks + b] = true;
                }
            }
            if group.len() > 2 {
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}

/// Ways to divide the circle into parts of headings less than `angle` apart, as wide as can be.
fn divisions(problem: &Problem, angle: i64) -> Vec<Vec<usize>> {
    let count = problem.headings().len();
    // The number of headings from one on that are all less than the angle from each other.
    let reach = |first: usize, most: usize| {
        let close =
            |n: usize| (1..n).all(|i| (0..i).all(|j| problem.angle((first + i) % count, (first + j) % count) < angle));
        (1..=most).take_while(|&n| close(n)).last().unwrap_or(1)
    };
    let mut divisions: Vec<Vec<usize>> = Vec::new();
    for offset in 0..reach(0, count) {
        let mut part = vec![0; count];
        let (mut done, mut parts) = (0, 0);
        while done < count {
            let length = reach((offset + done) % count, count - done);
            for place in done..done + length {
                part[(offset + place) % count] = parts;
            }
            done += length;
            parts += 1;
        }
        divisions.push(part);
    }
    divisions
}

/// Whether two headings go together exactly if they are in different parts.
fn says_all(problem: &Problem, coupling: &Coupling, part: &[usize]) -> bool {
    let count = problem.headings().len();
    (0..count).all(|h| (0..count).all(|g| (problem.angle(h, g) >= coupling.apart) == (part[h] != part[g])))
}
