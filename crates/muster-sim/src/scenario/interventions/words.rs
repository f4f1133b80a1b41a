//! Interventions in words, for the log: "stops idle-3".

use std::fmt::{self, Display, Formatter};

use super::{FaultSaid, OrderSaid, RadioSaid, Said};
use crate::scenario::file::FaultName;
use crate::scenario::value::{Place, Positive};

impl Display for Said {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(order) => order.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
            Self::Radio(radio) => radio.fmt(f),
        }
    }
}

fn at(place: Place) -> String {
    let Place([east, north]) = place;
    format!("({}, {})", east.get(), north.get())
}

fn lasting(for_s: Option<Positive>) -> String {
    for_s.map_or_else(String::new, |for_s| format!(" for {} s", for_s.get()))
}

impl Display for OrderSaid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = self.place.map(at);
        if let Some(name) = &self.name {
            write!(f, "asks for a new task, {name}")?;
            if let Some(place) = place {
                write!(f, ", at {place}")?;
            }
            if let Some(seer) = &self.seen_by {
                write!(f, ", which {seer} looks after")?;
            }
            if let Some(order) = &self.order {
                write!(f, ", by way of {}", order.by)?;
                if order.priority > 0 {
                    write!(f, ", priority {}", order.priority)?;
                }
            }
            return Ok(());
        }
        let task = self.task.as_deref().unwrap_or_default();
        match (self.cancel, place, self.priority) {
            (true, ..) => write!(f, "cancels {task}"),
            (false, Some(place), None) => write!(f, "moves {task} to {place}"),
            (false, Some(place), Some(priority)) => {
                write!(f, "moves {task} to {place} and gives it priority {priority}")
            }
            (false, None, priority) => write!(f, "gives {task} priority {}", priority.unwrap_or(0)),
        }
    }
}

impl Display for FaultSaid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (robot, lasts) = (&self.robot, lasting(self.for_s));
        let forgets = if self.memory == Some(false) { ", without its memory" } else { "" };
        match self.kind {
            FaultName::Stop => write!(f, "stops {robot}"),
            FaultName::Pause => write!(f, "lets {robot} hang{lasts}"),
            FaultName::Restart => write!(f, "restarts {robot}, which is down{lasts}{forgets}"),
            FaultName::Deaf => write!(f, "makes {robot} deaf{lasts}"),
            FaultName::Mute => write!(f, "makes {robot} mute{lasts}"),
            FaultName::Offline => write!(f, "takes {robot} off the air{lasts}"),
            FaultName::Back => write!(f, "puts {robot} back{forgets}"),
        }
    }
}

impl Display for RadioSaid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lasts = |inner: Option<Positive>| lasting(self.for_s.or(inner));
        if let Some(jam) = &self.jam {
            let lasts = lasts(jam.for_s);
            return match (jam.at, jam.radius_m) {
                (Some(place), Some(radius)) => {
                    write!(f, "jams the radio within {} m of {}{lasts}", radius.get(), at(place))
                }
                _ => write!(f, "jams the radio everywhere{lasts}"),
            };
        }
        if let Some([one, other]) = self.cut.as_deref() {
            return write!(f, "cuts {one} and {other} off from each other{}", lasts(None));
        }
        let Some(partition) = &self.partition else { return Ok(()) };
        let parts: Vec<String> = partition.parts.iter().map(|part| part.join(", ")).collect();
        write!(f, "splits the team into {} and any others{}", parts.join(" | "), lasts(partition.for_s))
    }
}
