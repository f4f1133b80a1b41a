//! Answers what takes long, such as bids, which are found by making the run again: one question after the other, on one
//! thread, however many are asked. Whoever has left is not answered, and a question that nobody waits for any more is
//! given up half-way.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use tokio::sync::oneshot;

use crate::request::Answer;

/// Most questions that may wait; each viewer has a few at most.
const MOST_WAITING: usize = 64;

/// Looks for an answer. It is handed a question to be asked now and then: whether nobody waits any more, so that it should
/// give up.
type Find = Box<dyn FnOnce(&dyn Fn() -> bool) -> Option<Answer> + Send>;

struct Question {
    reply: oneshot::Sender<Answer>,
    find: Find,
}

/// A thread that answers questions.
pub struct Clerk {
    questions: SyncSender<Question>,
}

impl Clerk {
    /// Waits for questions.
    pub fn start() -> std::io::Result<Self> {
        let (questions, asked) = sync_channel::<Question>(MOST_WAITING);
        let work = move || asked.into_iter().for_each(answer);
        std::thread::Builder::new().name("clerk".to_owned()).spawn(work)?;
        Ok(Self { questions })
    }

    /// Has `find` look for an answer when it is its turn.
    pub fn ask(
        &self,
        reply: oneshot::Sender<Answer>,
        find: impl FnOnce(&dyn Fn() -> bool) -> Option<Answer> + Send + 'static,
    ) {
        let refused = self.questions.try_send(Question { reply, find: Box::new(find) });
        if let Err(TrySendError::Full(question) | TrySendError::Disconnected(question)) = refused {
            // The viewer that asked may be gone.
            let _ = question.reply.send(Err("too many such questions wait already: ask again in a moment".to_owned()));
        }
    }
}

fn answer(Question { reply, find }: Question) {
    if !reply.is_closed()
        && let Some(answer) = find(&|| reply.is_closed())
    {
        // The viewer that asked may be gone.
        let _ = reply.send(answer);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::wire::Answered;

    fn value() -> Option<Answer> {
        Some(Ok(Answered::Ping(())))
    }

    /// Those who leave are not answered, and what is under way for them is given up.
    #[test]
    fn nobody_is_answered_who_has_left() {
        let clerk = Clerk::start().expect("a thread");
        let (begun, begins) = mpsc::channel();
        let (reply, gone) = oneshot::channel();
        clerk.ask(reply, move |nobody_waits| {
            begun.send(()).expect("somebody listens");
            while !nobody_waits() {
                std::thread::sleep(Duration::from_millis(1));
            }
            None
        });
        begins.recv().expect("it begins");
        let asked = Arc::new(AtomicUsize::new(0));
        for _ in 0..20 {
            let asked = asked.clone();
            clerk.ask(oneshot::channel().0, move |_| {
                asked.fetch_add(1, Ordering::Relaxed);
                value()
            });
        }
        let (reply, answer) = oneshot::channel();
        clerk.ask(reply, |_| value());
        drop(gone);
        let began = Instant::now();
        assert!(matches!(answer.blocking_recv().expect("an answer"), Ok(Answered::Ping(()))));
        assert!(began.elapsed() < Duration::from_secs(20));
        assert_eq!(asked.load(Ordering::Relaxed), 0, "nobody waited for these");
    }

    /// There is an end to how many may wait.
    #[test]
    fn too_many_are_refused() {
        let clerk = Clerk::start().expect("a thread");
        let (go_on, waits) = mpsc::channel::<()>();
        let (begun, begins) = mpsc::channel();
        let (reply, first) = oneshot::channel();
        clerk.ask(reply, move |_| {
            begun.send(()).expect("somebody listens");
            waits.recv().ok().and_then(|()| value())
        });
        // It is under way, so it waits no longer.
        begins.recv().expect("it begins");
        let waiting: Vec<_> = (0..2 * MOST_WAITING)
            .map(|_| {
                let (reply, answer) = oneshot::channel();
                clerk.ask(reply, |_| value());
                answer
            })
            .collect();
        go_on.send(()).expect("it waits");
        assert!(first.blocking_recv().expect("an answer").is_ok());
        let answers: Vec<Answer> = waiting.into_iter().map(|it| it.blocking_recv().expect("an answer")).collect();
        let refused = answers.iter().filter(|answer| answer.is_err()).count();
        assert_eq!(refused, MOST_WAITING);
    }
}
