//! What was left to chance, written down as it is drawn and drawn again as it was written down: so a robot that records by
//! itself is replayed without knowing what its numbers came from.

use muster_core::{Chance, Duration, RobotId};
use serde::{Deserialize, Serialize};

/// A question to chance, and its answer.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Draw {
    /// One of so many.
    Among(u32, u32),
    /// The number of a life.
    Fresh(u32),
    /// The number of a message.
    Nonce(u32),
    /// A time up to so long.
    Within(Duration, Duration),
    /// A share in so many steps.
    Share(u32, f64),
}

/// Chance that writes down what is drawn.
pub(crate) struct Drawing<'a> {
    chance: &'a mut dyn Chance,
    pub drawn: Vec<Draw>,
}

impl<'a> Drawing<'a> {
    pub fn from(chance: &'a mut dyn Chance) -> Self {
        Self { chance, drawn: Vec::new() }
    }
}

impl Chance for Drawing<'_> {
    fn among(&mut self, robot: RobotId, n: u32) -> u32 {
        let drawn = self.chance.among(robot, n);
        self.drawn.push(Draw::Among(n, drawn));
        drawn
    }

    fn fresh(&mut self, robot: RobotId) -> u32 {
        let drawn = self.chance.fresh(robot);
        self.drawn.push(Draw::Fresh(drawn));
        drawn
    }

    fn nonce(&mut self, robot: RobotId) -> u32 {
        let drawn = self.chance.nonce(robot);
        self.drawn.push(Draw::Nonce(drawn));
        drawn
    }

    fn within(&mut self, robot: RobotId, longest: Duration) -> Duration {
        let drawn = self.chance.within(robot, longest);
        self.drawn.push(Draw::Within(longest, drawn));
        drawn
    }

    fn share(&mut self, robot: RobotId, steps: u32) -> f64 {
        let drawn = self.chance.share(robot, steps);
        self.drawn.push(Draw::Share(steps, drawn));
        drawn
    }
}

/// Chance that gives the answers that were written down.
pub(crate) struct Drawn {
    left: std::vec::IntoIter<Draw>,
    /// The first question that was not asked then.
    wrong: Option<String>,
}

impl Drawn {
    pub fn again(drawn: Vec<Draw>) -> Self {
        Self { left: drawn.into_iter(), wrong: None }
    }

    /// All that was drawn then was drawn now, and no more.
    pub fn end(mut self) -> Result<(), String> {
        match (self.wrong, self.left.next()) {
            (Some(wrong), _) => Err(wrong),
            (None, Some(more)) => Err(format!("{more:?} was drawn, which does not follow from its input")),
            (None, None) => Ok(()),
        }
    }

    /// The next answer, if `answer` finds that it is one to this question.
    fn next<T: Default>(&mut self, question: &str, answer: impl Fn(Draw) -> Option<T>) -> T {
        let drawn = self.left.next();
        if let Some(answer) = drawn.and_then(answer) {
            return answer;
        }
        let was = drawn.map_or_else(|| "nothing".to_owned(), |drawn| format!("{drawn:?}"));
        self.wrong.get_or_insert_with(|| format!("{question} must be drawn, but {was} was recorded"));
        T::default()
    }
}

impl Chance for Drawn {
    fn among(&mut self, _robot: RobotId, n: u32) -> u32 {
        self.next("one of a few", |draw| match draw {
            // What no dice show would lead a machine astray: 0 is what they show if there is nothing to draw.
            Draw::Among(of, drawn) if of == n && (drawn < n || drawn == 0) => Some(drawn),
            _ => None,
        })
    }

    fn fresh(&mut self, _robot: RobotId) -> u32 {
        self.next("the number of a life", |draw| if let Draw::Fresh(drawn) = draw { Some(drawn) } else { None })
    }

    fn nonce(&mut self, _robot: RobotId) -> u32 {
        self.next("the number of a message", |draw| if let Draw::Nonce(drawn) = draw { Some(drawn) } else { None })
    }

    fn within(&mut self, _robot: RobotId, longest: Duration) -> Duration {
        self.next("a time", |draw| match draw {
            Draw::Within(of, drawn) if of == longest && drawn <= longest => Some(drawn),
            _ => None,
        })
    }

    fn share(&mut self, _robot: RobotId, steps: u32) -> f64 {
        self.next("a share", |draw| match draw {
            Draw::Share(of, drawn) if of == steps && (0.0..=1.0).contains(&drawn) => Some(drawn),
            _ => None,
        })
    }
}
