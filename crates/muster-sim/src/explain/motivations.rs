//! Why robots took tasks, took them over and left them: what their motivations came from.

use muster_core::alliance::Category;
use muster_core::event::Quit;
use muster_core::{Event, Note};

use super::Names;

/// What a note about a behaviour set says; `None` if it is about something else.
pub(super) fn sentence(names: Names<'_>, note: &Note) -> Option<String> {
    let (robot, task) = (|id| names.robot(id), |id| names.task(id));
    Some(match note.event {
        Event::Activated { task: id, planned, category, overrides, own_s, best } => {
            let own = own_s.map_or("in a time it does not know yet".to_owned(), |own| format!("in {own:.1} s"));
            let best = best.map(|(mate, s)| format!("{} in {s:.1} s", robot(mate)));
            match (overrides, category, best) {
                (None, Category::First, best) if planned => {
                    let best = best.map_or(String::new(), |best| format!("; {best}, once it is free and there"));
                    format!("starts {}: by its plan for the team it is the one to do it ({own}{best})", task(id))
                }
                (None, Category::Second, best) if planned => {
                    let best = best.map_or(String::new(), |best| format!("; {best}"));
                    format!("starts {}: nobody else has, and it waited long enough ({own}{best})", task(id))
                }
                (Some((mate, elapsed)), ..) => {
                    let (name, task) = (robot(mate), task(id));
                    format!("takes {task} over from {name}, at it for {elapsed:.1}: expects to do it {own}")
                }
                (None, Category::First, Some(best)) => {
                    format!("starts {}: nobody present should do it sooner ({own}; {best})", task(id))
                }
                (None, Category::First, None) => {
                    format!("starts {}: it knows of nobody else who could ({own})", task(id))
                }
                (None, Category::Second, Some(best)) => {
                    format!(
                        "starts {} although others may do it better: it waited long enough ({own}; {best})",
                        task(id)
                    )
                }
                (None, Category::Second, None) => {
                    format!("starts {}: nobody does it, and who is best is not known ({own})", task(id))
                }
            }
        }
        Event::Quit { task: id, why } => match why {
            Quit::Gone => format!("stops {}: it is done", task(id)),
            Quit::NotNeeded => format!("stops {}: it is not needed any more", task(id)),
            Quit::Yielded { to } => format!("yields {} to {}", task(id), robot(to)),
            Quit::Hopeless => format!("gives {} up: it has tried for too long", task(id)),
            Quit::Blocked => format!("gives {} up: it cannot get there", task(id)),
            Quit::Tie { with } => format!("leaves {} to {}, which began first", task(id), robot(with)),
        },
        Event::Done { task: id, took } => format!("has done {} in {took:.1}", task(id)),
        _ => return None,
    })
}
