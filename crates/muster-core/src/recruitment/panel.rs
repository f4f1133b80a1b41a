//! What a robot shows of its recruitment: what it asks, what it does for others, how ashamed it is.

use super::{Answering, Message, NOTHING_HEARD, Recruitment, Requesting, Responding, Stage, ashamed};
use crate::panel::{Family, Feeling, Field, Posture, Shown, Viewing};
use crate::task::{Phase, TaskId};

/// The six messages, and ours.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Help,
    Accept,
    Responder,
    Arrival,
    Agree,
    Ackack,
    Done,
}

impl Kind {
    /// The paper's name for it; DONE is ours.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Help => "HELP",
            Self::Accept => "ACCEPT",
            Self::Responder => "RESPONDER",
            Self::Arrival => "ARRIVAL",
            Self::Agree => "AGREE",
            Self::Ackack => "ACKACK",
            Self::Done => "DONE",
        }
    }

    /// The part that it plays in a recruitment.
    pub const fn family(self) -> Family {
        match self {
            Self::Help => Family::Call,
            Self::Accept => Family::Offer,
            Self::Responder | Self::Agree | Self::Ackack => Family::Award,
            Self::Arrival | Self::Done => Family::Other,
        }
    }
}

impl Message {
    /// The part that it plays in a recruitment.
    pub(super) const fn family(&self) -> Family {
        self.kind().family()
    }

    /// The need that it is about: every message is about one.
    pub(super) const fn task(&self) -> Option<TaskId> {
        Some(self.request().need)
    }
}

impl Recruitment {
    pub(super) fn seen_as(&self) -> Posture {
        let asks = self.requesting.as_ref().is_some_and(|requesting| !requesting.is_quiet());
        match self.responding {
            Responding::Working { .. } => Posture::Working,
            _ if asks => Posture::Asking,
            Responding::Offered { .. } => Posture::Offering,
            Responding::Travelling { .. } | Responding::Arrived { .. } | Responding::Returning => Posture::Committed,
            Responding::Idle => Posture::Idle,
        }
    }

    pub(super) fn shows(&self, view: &Viewing<'_>) -> Vec<Field> {
        let asks = self.requesting.as_deref().and_then(|requesting| asks(requesting, view));
        let helps = self.helps(view);
        let does = match (asks, helps) {
            (Some(asks), Some(helps)) => format!("{asks}; {helps}"),
            (Some(does), None) | (None, Some(does)) => does,
            (None, None) if self.phase == Phase::Engaged => "busy on its own account".to_owned(),
            (None, None) => "idle".to_owned(),
        };
        let mut fields = vec![Field::state("does", does)];
        if let Some(requesting) = self.requesting.as_deref() {
            fields.extend(asked(requesting, view));
        }
        if let Some(request) = self.responding.request() {
            fields.push(Field::new("helps", view.robot(request.requester)));
            fields.push(Field::new("with", view.task(request.need)));
        }
        if let Responding::Working { until, .. } = self.responding {
            fields.push(Field::number("lease ends (s)", until.as_secs_f64()));
        }
        fields.extend(self.shows_shame(view));
        fields
    }

    /// What it does for another, in words.
    fn helps(&self, view: &Viewing<'_>) -> Option<String> {
        if self.responding == Responding::Returning {
            return Some("on its way back".to_owned());
        }
        let request = self.responding.request()?;
        let requester = view.names.robot(request.requester);
        Some(match self.responding {
            Responding::Idle | Responding::Returning => return None,
            Responding::Offered { .. } => format!("offered itself to {requester}"),
            Responding::Travelling { .. } => format!("under way for {requester}"),
            Responding::Arrived { .. } => format!("is there, waits for AGREE of {requester}"),
            Responding::Working { .. } => format!("works at {}", view.names.task(request.need)),
        })
    }

    /// Only where SHAME decides, or may, and not of a robot that only ever asks.
    fn shows_shame(&self, view: &Viewing<'_>) -> Vec<Field> {
        let only_asks = self.requesting.is_some() && self.heard == NOTHING_HEARD;
        if self.config.answering == Answering::Always || only_asks {
            return Vec::new();
        }
        let shame = self.shame_at(view.now);
        let gauge = Field::gauge("SHAME", shame.get(), (0.0, 1.0), Some(self.config.shame.threshold));
        let mut fields = vec![gauge];
        // Nobody is called what nobody is: a robot that has heard nothing is not ashamed before anybody.
        if self.heard != NOTHING_HEARD
            && let Some(emotion) =
                ashamed(view.emotions, shame, self.last_help, &view.names.robot(self.heard.requester))
        {
            fields.push(Field::new("feels", Shown::Emotion(Feeling::of(&emotion, view.emotions))));
        }
        fields
    }
}

/// What it asks of others, in words.
fn asks(requesting: &Requesting, view: &Viewing<'_>) -> Option<String> {
    let help = || format!("{} HELP", ordinal(requesting.attempt()));
    Some(match requesting.stage() {
        Stage::Quiet => return None,
        Stage::Barred { .. } => "waits until nobody can be at it, before it calls again".to_owned(),
        Stage::Collecting => format!("calls for help, {}", help()),
        Stage::Pausing => format!("had no answer to its {}, will call again", help()),
        Stage::AwaitingArrival { chosen } => format!("waits for {}", view.names.robot(chosen)),
        Stage::AwaitingAckack { chosen } => format!("hands over to {}, waits for ACKACK", view.names.robot(chosen)),
        Stage::Held { by } => format!("waits until {} is done", view.names.robot(by)),
        Stage::Lent { .. } => "puts off its own call".to_owned(),
    })
}

/// For what it asks, whom it has chosen, and of how many.
fn asked(requesting: &Requesting, view: &Viewing<'_>) -> Vec<Field> {
    let mut fields = Vec::new();
    let Some(need) = requesting.needs().next() else { return fields };
    fields.push(Field::new("needs help for", view.task(need.id)));
    if let Stage::AwaitingArrival { chosen } | Stage::AwaitingAckack { chosen } | Stage::Held { by: chosen } =
        requesting.stage()
    {
        fields.push(Field::new("has chosen", view.robot(chosen)));
    }
    fields.push(Field::number("HELPs sent", f64::from(requesting.attempt())));
    fields.push(Field::number("ACCEPTs heard", requesting.offers().len() as f64));
    let more = requesting.needs().count() - 1;
    if more > 0 {
        fields.push(Field::number("needs after this", more as f64));
    }
    fields
}

/// "1st", "2nd", "11th".
fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (1, teen) if teen != 11 => "st",
        (2, teen) if teen != 12 => "nd",
        (3, teen) if teen != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn numbers_are_read_aloud() {
        let read = [1, 2, 3, 4, 10, 11, 12, 13, 21, 102, 111, 113].map(ordinal);
        let aloud = ["1st", "2nd", "3rd", "4th", "10th", "11th", "12th", "13th", "21st", "102nd", "111th", "113th"];
        assert_eq!(read, aloud);
    }
}
