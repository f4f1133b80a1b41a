//! One viewer: a page at the other end of a WebSocket. It is shown the newest poses and moments, and every line of the log
//! once. Should it be slow, it alone waits: nobody else does, and the run least of all.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration as Wall;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use muster_core::Time;
use tokio::sync::{broadcast, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::audience::{Audience, Moment};
use crate::request::{Control, Request, Seen};
use crate::wire::{Answer, FromPage, Hello, Lines, Matter, Run, Standing, ToPage, Trouble};

/// Most lines of the log in one message.
const LINES: usize = 400;
/// Most robots that a viewer may watch.
const MOST_WATCHED: usize = 100;
/// Most questions of a viewer that may wait for an answer.
const MOST_ASKED: usize = 8;
/// A viewer that takes nothing for so long is gone.
const PATIENCE: Wall = Wall::from_secs(30);
/// What a page says is short.
pub const LONGEST: usize = 64 * 1024;

/// The connection is over.
struct Gone;

/// One viewer.
pub struct Viewer {
    number: u64,
    socket: WebSocket,
    audience: Arc<Audience>,
    requests: SyncSender<Request>,
    hello: Arc<Hello>,
    frame: watch::Receiver<Bytes>,
    moment: watch::Receiver<Moment>,
    run: watch::Receiver<Option<Arc<Run>>>,
    standing: watch::Receiver<Option<Standing>>,
    lines: watch::Receiver<(u64, usize)>,
    trouble: broadcast::Receiver<(Option<u64>, Arc<Trouble>)>,
    /// Questions that are not answered yet. They are dropped with the viewer.
    asked: JoinSet<Answer>,
    watched: Vec<u32>,
    /// The run that it was told of, and the number of the next line of its log.
    told: u64,
    next: usize,
    /// The time of the past that it looks at.
    past: Option<Time>,
    /// A moment of the past that it waits for, and whether it wants another one by now.
    look: Option<oneshot::Receiver<Option<Seen>>>,
    again: bool,
}

impl Viewer {
    /// A page has connected.
    pub fn new(
        number: u64,
        socket: WebSocket,
        audience: Arc<Audience>,
        requests: SyncSender<Request>,
        hello: Arc<Hello>,
    ) -> Self {
        Self {
            number,
            socket,
            hello,
            frame: audience.frame.subscribe(),
            moment: audience.moment.subscribe(),
            run: audience.run.subscribe(),
            standing: audience.standing.subscribe(),
            lines: audience.lines.subscribe(),
            trouble: audience.trouble.subscribe(),
            asked: JoinSet::new(),
            watched: Vec::new(),
            told: 0,
            next: 0,
            past: None,
            look: None,
            again: false,
            audience,
            requests,
        }
    }

    /// Serves it until it leaves.
    pub async fn serve(mut self) {
        self.audience.watch(self.number, Vec::new());
        if self.greet().await.is_ok() {
            while self.once().await.is_ok() {}
        }
        self.audience.leave(self.number);
    }

    /// Waits until the page says that it is there, and shows it everything.
    async fn greet(&mut self) -> Result<(), Gone> {
        let hello = Hello { viewer: self.number, ..(*self.hello).clone() };
        self.say(ToPage::Hello(hello)).await?;
        loop {
            let message = timeout(PATIENCE, self.socket.recv()).await.map_err(|_| Gone)?;
            if let Some(FromPage::Join { run, server, next }) = self.parse(message).await? {
                self.join(run, server.as_deref(), next);
                break;
            }
        }
        // All of these are new to it.
        self.run.mark_changed();
        self.standing.mark_changed();
        self.frame.mark_changed();
        self.moment.mark_changed();
        self.show().await
    }

    /// Where its log goes on: at the beginning, unless it knows this very run.
    fn join(&mut self, run: Option<u64>, server: Option<&str>, next: Option<usize>) {
        let current = self.run.borrow().as_ref().map(|run| run.id);
        let known = server == Some(&self.audience.server) && run.is_some() && run == current;
        self.told = if known { run.unwrap_or(0) } else { 0 };
        self.next = if known { next.unwrap_or(0) } else { 0 };
        self.lines.mark_changed();
    }

    /// Waits for one thing to happen and does what it takes.
    async fn once(&mut self) -> Result<(), Gone> {
        let live = self.past.is_none();
        tokio::select! {
            message = self.socket.recv() => {
                if let Some(said) = self.parse(message).await? {
                    self.obey(said).await?;
                }
            }
            Some(answer) = self.asked.join_next() => {
                if let Ok(answer) = answer {
                    self.say(ToPage::Answer(answer)).await?;
                }
            }
            Ok(trouble) = self.trouble.recv() => {
                if trouble.0.is_none_or(|viewer| viewer == self.number) {
                    self.say(ToPage::Error(trouble.1)).await?;
                }
            }
            seen = wait_for(&mut self.look) => self.show_past(seen).await?,
            Ok(()) = self.run.changed() => self.run.mark_changed(),
            Ok(()) = self.standing.changed() => self.standing.mark_changed(),
            Ok(()) = self.lines.changed() => self.lines.mark_changed(),
            Ok(()) = self.frame.changed(), if live => self.frame.mark_changed(),
            Ok(()) = self.moment.changed(), if live => self.moment.mark_changed(),
        }
        self.show().await
    }

    /// Shows what is new, always in the same order: what runs before anything about it.
    async fn show(&mut self) -> Result<(), Gone> {
        if self.run.has_changed().unwrap_or(false) {
            let run = self.run.borrow_and_update().clone();
            if let Some(run) = run {
                if run.id != self.told {
                    (self.told, self.next, self.past, self.look) = (run.id, 0, None, None);
                }
                self.say(ToPage::Run(run)).await?;
                self.lines.mark_changed();
            }
        }
        if self.standing.has_changed().unwrap_or(false) {
            let standing = self.standing.borrow_and_update().clone();
            if let Some(standing) = standing {
                self.say(ToPage::Standing(standing)).await?;
            }
        }
        if self.lines.has_changed().unwrap_or(false) {
            self.lines.mark_unchanged();
            // A long log comes piece by piece, with what else there is to see in between.
            if self.show_lines().await? {
                self.lines.mark_changed();
            }
        }
        if self.past.is_some() {
            return Ok(());
        }
        if self.frame.has_changed().unwrap_or(false) {
            let frame = self.frame.borrow_and_update().clone();
            if !frame.is_empty() {
                self.send(frame).await?;
            }
        }
        if self.moment.has_changed().unwrap_or(false) {
            let text = {
                let moment = self.moment.borrow_and_update();
                (moment.run == self.told && moment.run > 0).then(|| moment.to_text(&self.watched))
            };
            if let Some(text) = text {
                self.send(text).await?;
            }
        }
        Ok(())
    }

    /// The next lines that it does not have yet; whether there may be more.
    async fn show_lines(&mut self) -> Result<bool, Gone> {
        let (run, lines) = self.audience.lines_from(self.next, LINES);
        // Of a run that it has not been told of yet: they come after that.
        if run != self.told || lines.is_empty() {
            return Ok(false);
        }
        let (from, count) = (self.next, lines.len());
        self.say(ToPage::Lines(Lines { run, from, lines })).await?;
        self.next += count;
        Ok(count == LINES)
    }

    async fn obey(&mut self, said: FromPage) -> Result<(), Gone> {
        let control = match said {
            FromPage::Join { run, server, next } => {
                self.join(run, server.as_deref(), next);
                self.run.mark_changed();
                return Ok(());
            }
            FromPage::Watch { mut robots } => {
                robots.truncate(MOST_WATCHED);
                self.watched = robots;
                self.audience.watch(self.number, self.watched.clone());
                // Who looks at the past gets its cards with the past.
                if self.past.is_some() {
                    self.look_back()
                } else {
                    self.request(Request::Watching)
                }
                return Ok(());
            }
            FromPage::Seek { at } => {
                self.past = at.filter(|at| at.is_finite()).map(|at| Time::from_secs_f64(at.max(0.0)));
                if self.past.is_some() {
                    self.look_back();
                } else {
                    self.look = None;
                    self.frame.mark_changed();
                    self.moment.mark_changed();
                    self.request(Request::Watching);
                }
                return Ok(());
            }
            FromPage::Ask { id, question } => {
                let what = question.asked();
                if self.asked.len() >= MOST_ASKED {
                    let error = "too many questions at once: wait for an answer before asking again".to_owned();
                    return self.say(ToPage::Answer(Answer::Failed { id, what, error })).await;
                }
                let (reply, answer) = oneshot::channel();
                self.request(Request::Ask { question, until: self.past, reply });
                self.asked.spawn(async move {
                    match answer.await.unwrap_or_else(|_| Err("the run has ended".to_owned())) {
                        Ok(answered) => Answer::Given { id, answered },
                        Err(error) => Answer::Failed { id, what, error },
                    }
                });
                return Ok(());
            }
            FromPage::Load { scenario, seed, strategy } => {
                let seed =
                    match seed.as_deref().map(str::trim).filter(|seed| !seed.is_empty()).map(str::parse).transpose() {
                        Ok(seed) => seed,
                        Err(_) => {
                            let (message, help) =
                                ("the seed is no number", "a whole number from 0 to 18446744073709551615");
                            return self.tell(Matter::Seed, message, help).await;
                        }
                    };
                Control::Load { scenario, seed, strategy }
            }
            FromPage::Init => Control::Init,
            FromPage::Start => Control::Start,
            FromPage::Pause => Control::Pause,
            FromPage::Stop => Control::Stop,
            FromPage::Step { by } => Control::Step(by),
            FromPage::Speed { speed } => Control::Speed(speed),
            FromPage::Goto { at } if at.is_finite() => Control::Goto(Time::from_secs_f64(at.max(0.0))),
            FromPage::Goto { .. } => return self.refuse(Matter::Goto, "that is no time").await,
        };
        self.request(Request::Control(self.number, control));
        Ok(())
    }

    /// Asks for the moment that it looks at; while one is on its way, that one comes first.
    fn look_back(&mut self) {
        let Some(at) = self.past else { return };
        if self.look.is_some() {
            self.again = true;
            return;
        }
        let (reply, seen) = oneshot::channel();
        self.request(Request::Look { at, watched: self.watched.clone(), reply });
        self.look = Some(seen);
    }

    async fn show_past(&mut self, seen: Result<Option<Seen>, Another>) -> Result<(), Gone> {
        self.look = None;
        let seen = match seen {
            Ok(None) => {
                (self.past, self.again) = (None, false);
                self.frame.mark_changed();
                self.moment.mark_changed();
                let message = "the past of this run cannot be shown: one of its robots cannot be saved";
                return self.tell(Matter::Seek, message, "the live edge is shown instead").await;
            }
            Ok(seen) => seen,
            // What is shown of another run is told by that.
            Err(Another) => None,
        };
        if std::mem::take(&mut self.again) {
            // It looks elsewhere by now.
            self.look_back();
            return Ok(());
        }
        let Some(seen) = seen.filter(|seen| self.past.is_some() && seen.moment.run == self.told) else { return Ok(()) };
        self.send(Bytes::from(seen.frame)).await?;
        self.send(seen.moment.to_text(&self.watched)).await
    }

    fn request(&self, request: Request) {
        // Too much at once is dropped, answers and all; or nobody directs any more, and the server is about to end.
        let _ = self.requests.try_send(request);
    }

    /// What a page says; what makes no sense is told and dropped.
    async fn parse(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<Option<FromPage>, Gone> {
        match message {
            None | Some(Err(_) | Ok(Message::Close(_))) => Err(Gone),
            Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                Ok(said) => Ok(Some(said)),
                Err(error) => {
                    self.refuse(Matter::Message, &format!("this makes no sense here: {error}")).await.map(|()| None)
                }
            },
            Some(Ok(Message::Binary(_))) => {
                let reason = "only text is understood".into();
                let frame = CloseFrame { code: close_code::UNSUPPORTED, reason };
                // It is gone either way.
                let _ = self.socket.send(Message::Close(Some(frame))).await;
                Err(Gone)
            }
            Some(Ok(_)) => Ok(None),
        }
    }

    async fn refuse(&mut self, what: Matter, message: &str) -> Result<(), Gone> {
        self.tell(what, message, "docs/console-wire.md says what can be asked").await
    }

    async fn tell(&mut self, what: Matter, message: &str, help: &str) -> Result<(), Gone> {
        self.say(ToPage::Error(Arc::new(Trouble::new(what, message, help)))).await
    }

    async fn say(&mut self, message: ToPage<'_>) -> Result<(), Gone> {
        self.send(message.to_text()).await
    }

    async fn send(&mut self, message: impl Into<Message>) -> Result<(), Gone> {
        match timeout(PATIENCE, self.socket.send(message.into())).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }
}

/// The run that was asked about is not shown any more.
struct Another;

/// The moment of the past that was asked for, should one have been.
async fn wait_for(look: &mut Option<oneshot::Receiver<Option<Seen>>>) -> Result<Option<Seen>, Another> {
    match look {
        Some(seen) => seen.await.map_err(|_| Another),
        None => std::future::pending().await,
    }
}
