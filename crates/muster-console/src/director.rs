//! Directs a run: lets it go on at the speed that was asked for, shows it to the audience, and looks into its past for
//! whoever asks. One thread does all of this, so a run has one owner and nothing is locked while it goes on.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration as Wall, Instant};

use axum::body::Bytes;
use muster_core::{Duration, Time};
use muster_files::Draft;
use tokio::sync::oneshot;

use crate::audience::{Audience, Moment};
use crate::clock::Clock;
use crate::frame::{Bounds, Frame};
use crate::keyframes::Keyframes;
use crate::production::{Library, Production};
use crate::request::{Answer, Control, Request, Seen};
use crate::scene::Line;
use crate::series::Series;
use crate::stage::{OnStage, Subject};
use crate::wire::{Answered, Matter, Question, RunState, Standing, StepBy, Trouble};

/// Poses are shown so often.
const FRAME: Wall = Wall::from_millis(33);
/// Everything else.
const MOMENT: Wall = Wall::from_millis(200);
/// How far a run has come is told so often, whatever else happens.
const SECOND: Wall = Wall::from_secs(1);
/// A run goes on for so long before the audience is shown what came of it.
const TURN: Wall = Wall::from_millis(22);
/// A step to the next line of the log gives up after so long.
const LONGEST_STEP: Wall = Wall::from_secs(3);
/// Messages of so long are shown on the map, at least.
const ARCS: Duration = Duration::from_secs(2);
/// Most cards that are made for a moment.
const MOST_CARDS: usize = 1_000;
/// What is plotted is sampled so often, at first.
const SAMPLE: Duration = Duration::from_secs(1);

/// What a director has at hand.
pub struct Desk {
    /// Requests of all viewers, in the order in which they came.
    pub requests: Receiver<Request>,
    /// The viewers, and what is kept for them.
    pub audience: Arc<Audience>,
    /// The scenarios that viewers may load.
    pub library: Library,
    /// Where the log is written to.
    pub log: Option<PathBuf>,
    /// How many runs there were.
    pub runs: u64,
    /// How fast runs are shown: a setting of the console, not of a run.
    pub speed: f64,
    /// All is to end, whatever else is asked for.
    pub quit: Arc<AtomicBool>,
}

/// What comes after a run.
pub enum Next {
    /// The same again.
    Again,
    /// Another.
    Other(Box<Production>),
    /// Nothing.
    Quit,
}

/// Directs one run after the other until there is nothing left to do. `first` begins at once, if asked for.
pub fn direct(mut desk: Desk, first: Option<Production>, start: bool) {
    let mut current = first.map(Box::new);
    let mut start = start;
    loop {
        let next = match &current {
            Some(production) => production.perform(&mut desk, std::mem::take(&mut start)),
            None => desk.idle(),
        };
        match next {
            Next::Again => {}
            Next::Other(other) => current = Some(other),
            Next::Quit => return,
        }
    }
}

/// Nothing can be done without a run.
const NOTHING_LOADED: &str = "nothing is loaded";

impl Desk {
    /// Nothing is loaded: waits until something is.
    pub fn idle(&mut self) -> Next {
        loop {
            if self.is_to_end() {
                return Next::Quit;
            }
            match self.requests.recv() {
                Ok(Request::Control(viewer, Control::Load { scenario, seed, strategy })) => {
                    if let Some(next) = self.load(viewer, &scenario, seed, strategy.as_deref()) {
                        return next;
                    }
                }
                Ok(Request::Control(viewer, _)) => {
                    self.complain(viewer, Matter::Run, NOTHING_LOADED, "pick a scenario first");
                }
                Ok(Request::Ask { question: Question::Ping, reply, .. }) => {
                    // The viewer that asked may be gone.
                    let _ = reply.send(Ok(Answered::Ping(())));
                }
                Ok(Request::Ask { reply, .. }) => {
                    // The viewer that asked may be gone.
                    let _ = reply.send(Err(NOTHING_LOADED.to_owned()));
                }
                Ok(Request::Look { .. } | Request::Watching) => {}
                Ok(Request::Quit) | Err(_) => return Next::Quit,
            }
        }
    }

    /// Loads another run. Should that fail, the viewer that asked is told, and the present run goes on.
    fn load(&mut self, viewer: u64, scenario: &str, seed: Option<u64>, strategy: Option<&str>) -> Option<Next> {
        match self.library.load(scenario, seed, strategy) {
            Ok(production) => Some(Next::Other(Box::new(production))),
            Err(error) => {
                self.audience.complain(Some(viewer), error.to_trouble());
                None
            }
        }
    }

    fn is_to_end(&self) -> bool {
        self.quit.load(Ordering::Relaxed)
    }

    fn complain(&self, viewer: u64, what: Matter, message: &str, help: &str) {
        self.audience.complain(Some(viewer), Trouble::new(what, message, help));
    }

    /// Shows a run to the audience until something else is asked for.
    pub fn show<S: OnStage>(&mut self, production: &Production, stage: S, start: bool) -> Next {
        self.runs += 1;
        let mut show = Show {
            run: self.runs,
            production,
            keyframes: Keyframes::new(&stage),
            series: Series::new(SAMPLE),
            clock: Clock::new(self.speed),
            waiting: Vec::new(),
            begun: false,
            stopped: false,
            goal: None,
            log: None,
            moment_at: (Instant::now(), Time::ZERO),
            told: None,
            told_at: (Instant::now(), Time::ZERO),
            stage,
            desk: self,
        };
        show.begin(start);
        show.go_on()
    }
}

/// A run that is being shown.
struct Show<'a, S: OnStage> {
    run: u64,
    production: &'a Production,
    stage: S,
    keyframes: Keyframes<S>,
    series: Series,
    clock: Clock,
    begun: bool,
    stopped: bool,
    /// It goes on as fast as it can to here, and pauses.
    goal: Option<Time>,
    /// Looks at what a recording has not come to yet.
    waiting: Vec<(Time, Vec<u32>, oneshot::Sender<Option<Seen>>)>,
    log: Option<(String, BufWriter<Draft>)>,
    /// When the last moment was shown, and which.
    moment_at: (Instant, Time),
    /// How things stood when the audience was last told.
    told: Option<Standing>,
    told_at: (Instant, Time),
    desk: &'a mut Desk,
}

impl<S: OnStage> Show<'_, S> {
    fn begin(&mut self, start: bool) {
        let audience = self.desk.audience.clone();
        audience.begin(self.run);
        audience.run.send_replace(Some(Arc::new(self.production.told(self.run))));
        if let Some(path) = self.desk.log.clone() {
            match Draft::create(&path) {
                // The old one is kept until the first lines of this one are written.
                Ok(file) => self.log = Some((path.display().to_string(), BufWriter::new(file))),
                Err(error) => self.log_fails(&path.display().to_string(), &error),
            }
        }
        // A recording is looked at from its beginning, and all of it is there.
        if self.production.replay.is_some() {
            self.goal = Some(Time::NEVER);
        }
        if start {
            self.begun = true;
            self.clock.start(self.stage.now());
        }
        self.series.sample(&self.stage);
        self.tell_standing();
        self.show_frame();
        self.show_moment();
        self.write_log();
    }

    fn log_fails(&mut self, path: &str, error: &std::io::Error) {
        self.log = None;
        // Nobody may be there to read this; pages are told below.
        let _ = writeln!(std::io::stderr(), "The log {path} cannot be written: {error}. The run goes on without it.");
        let message = format!("the log {path} cannot be written: {error}");
        let help = "the run goes on without it; Save in the log pane gives the log, too";
        self.desk.audience.complain(None, Trouble::new(Matter::Log, message, help));
    }

    fn go_on(&mut self) -> Next {
        let mut frame_at = Instant::now();
        loop {
            if self.desk.is_to_end() {
                self.write_log();
                return Next::Quit;
            }
            let runs = self.clock.runs() || self.goal.is_some();
            // In a hurry there is no waiting for the next frame: only for what was asked meanwhile.
            let hurry = self.goal.is_some() || (self.clock.runs() && self.clock.speed() == 0.0);
            let wait = match runs {
                true if hurry => Wall::ZERO,
                true => FRAME.saturating_sub(frame_at.elapsed()),
                false => MOMENT,
            };
            match self.desk.requests.recv_timeout(wait) {
                Ok(request) => {
                    if let Some(next) = self.obey(request) {
                        return next;
                    }
                    // What was asked for in the meantime comes first, but does not stop the run for ever.
                    if !runs || frame_at.elapsed() < FRAME {
                        continue;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Next::Quit,
            }
            if runs {
                self.turn();
                if frame_at.elapsed() >= FRAME {
                    frame_at = Instant::now();
                    self.show_frame();
                }
                if self.moment_at.0.elapsed() >= MOMENT {
                    self.show_moment();
                }
                self.write_log();
                if self.stage.over().is_some() || self.goal.is_some_and(|goal| self.stage.now() >= goal) {
                    self.goal = None;
                    self.clock.hold();
                    self.show_all();
                }
                self.answer_looks();
            }
            self.tell_standing();
        }
    }

    /// Lets the run go on for as long as its turn lasts, as far as it should have come by now.
    fn turn(&mut self) {
        let until = self.goal.unwrap_or_else(|| self.clock.due());
        let began = Instant::now();
        self.advance(until, &mut || began.elapsed() > TURN);
        // A run that cannot keep up is shown later, not in leaps.
        if self.clock.runs() && self.stage.now() < until {
            self.clock.start(self.stage.now());
        }
    }

    /// Goes on to `until`, taking samples and keeping moments on the way.
    fn advance(&mut self, until: Time, halt: &mut dyn FnMut() -> bool) {
        loop {
            let next = until.min(self.series.due());
            self.stage.advance(next, halt);
            self.keyframes.offer(&self.stage);
            if self.stage.over().is_some() || self.stage.now() < next {
                return;
            }
            if next == self.series.due() {
                self.series.sample(&self.stage);
            }
            if next == until || halt() {
                return;
            }
        }
    }

    fn obey(&mut self, request: Request) -> Option<Next> {
        match request {
            Request::Control(viewer, control) => return self.control(viewer, control),
            Request::Look { at, watched, reply } => {
                self.waiting.push((at, watched, reply));
                self.answer_looks();
            }
            Request::Ask { question, until, reply } => self.answer(question, until, reply),
            Request::Watching => self.show_moment(),
            Request::Quit => {
                self.write_log();
                return Some(Next::Quit);
            }
        }
        None
    }

    fn control(&mut self, viewer: u64, control: Control) -> Option<Next> {
        let over = self.stage.over().is_some();
        match control {
            Control::Load { scenario, seed, strategy } => {
                return self.desk.load(viewer, &scenario, seed, strategy.as_deref());
            }
            Control::Init => return Some(Next::Again),
            Control::Speed(speed) => {
                self.clock.set_speed(speed, self.stage.now());
                self.desk.speed = self.clock.speed();
            }
            _ if self.production.replay.is_some() => {
                let why = "a recording has no clock of its own";
                self.desk.complain(viewer, Matter::Start, why, "every page plays it for itself");
            }
            Control::Start | Control::Step(_) | Control::Goto(_) if over => {
                let why = if self.stopped { "the run was stopped" } else { "the run is over" };
                self.desk.complain(viewer, Matter::Start, why, "press Init to begin it again");
            }
            Control::Start => {
                self.begun = true;
                self.goal = None;
                self.clock.start(self.stage.now());
            }
            Control::Pause => {
                self.goal = None;
                self.clock.hold();
                self.show_all();
            }
            Control::Step(by) => {
                self.begun = true;
                self.goal = None;
                self.clock.hold();
                self.step(by);
                self.show_all();
            }
            Control::Goto(at) => {
                self.begun = true;
                self.clock.hold();
                self.goal = Some(at);
            }
            Control::Stop => {
                self.goal = None;
                self.clock.hold();
                self.stopped |= !over;
                self.stage.stop();
                self.show_all();
            }
        }
        self.tell_standing();
        None
    }

    fn step(&mut self, by: StepBy) {
        let began = Instant::now();
        loop {
            self.advance(self.stage.next_at(), &mut || false);
            let lines = self.take_lines();
            if by == StepBy::Event || lines > 0 || self.stage.over().is_some() || began.elapsed() > LONGEST_STEP {
                return;
            }
        }
    }

    /// Answers the looks that can be answered: in a recording that is still being read, those further ahead wait.
    fn answer_looks(&mut self) {
        let reads = self.production.replay.is_some() && self.stage.over().is_none();
        let ahead = |(at, ..): &(Time, _, _)| reads && *at > self.stage.now();
        let (wait, ready) = std::mem::take(&mut self.waiting).into_iter().partition(ahead);
        self.waiting = wait;
        for (at, watched, reply) in ready {
            // The viewer that asked may be gone.
            let _ = reply.send(self.look(at, &watched));
        }
    }

    /// The run as it was at `at`; later than now is now.
    fn look(&mut self, at: Time, watched: &[u32]) -> Option<Seen> {
        let (run, bounds, at) = (self.run, self.production.bounds(), at.min(self.stage.now()));
        let stage = self.keyframes.at(at)?;
        Some(Seen { frame: poses(stage, run, false, bounds), moment: moment(stage, run, false, ARCS, watched) })
    }

    fn answer(&mut self, question: Question, until: Option<Time>, reply: oneshot::Sender<Answer>) {
        let until = until.unwrap_or(self.stage.now());
        let story = |subject| Box::new(self.stage.story(subject, until));
        let answer = match question {
            Question::Ping => Answered::Ping(()),
            Question::Task { task } => Answered::Task(story(Subject::Task(task))),
            Question::Robot { robot } => Answered::Robot(story(Subject::Robot(robot))),
            Question::Plots => {
                Answered::Plots(self.series.plots(&self.production.robot_names(), self.production.has_tasks()))
            }
            Question::Costs { task } => Answered::Costs(self.stage.bids(task, until).map(Box::new)),
        };
        // The viewer that asked may be gone.
        let _ = reply.send(Ok(answer));
    }

    fn show_all(&mut self) {
        self.write_log();
        self.show_frame();
        self.show_moment();
    }

    fn show_frame(&mut self) {
        let bytes = poses(&self.stage, self.run, true, self.production.bounds());
        self.desk.audience.frame.send_replace(Bytes::from(bytes));
    }

    fn show_moment(&mut self) {
        let now = self.stage.now();
        // At great speed many messages pass between two moments: they are shown for two of them. After a leap, those of
        // the last moments only.
        let between = now.since(self.moment_at.1);
        let window = if self.clock.runs() { ARCS.max(between + between) } else { ARCS };
        self.moment_at = (Instant::now(), now);
        let watched = self.desk.audience.watched(MOST_CARDS);
        self.desk.audience.moment.send_replace(moment(&self.stage, self.run, true, window, &watched));
    }

    fn take_lines(&mut self) -> usize {
        let lines: Vec<Line> = self.stage.lines();
        if let Some((path, file)) = &mut self.log {
            let written = lines.iter().try_for_each(|line| writeln!(file, "{}", line.raw));
            if let Err(error) = written {
                let path = path.clone();
                self.log_fails(&path, &error);
            }
        }
        let count = lines.len();
        self.desk.audience.log(lines);
        count
    }

    fn write_log(&mut self) {
        let begins = self.take_lines() > 0 || self.stage.over().is_some();
        if let Some((path, file)) = &mut self.log
            && begins
            && let Err(error) = file.flush().and_then(|()| file.get_mut().publish())
        {
            let path = path.clone();
            self.log_fails(&path, &error);
        }
    }

    fn tell_standing(&mut self) {
        let is = match (self.stage.over().is_some(), self.stopped) {
            (true, true) => RunState::Stopped,
            (true, false) => RunState::Over,
            (false, _) if self.clock.runs() || self.goal.is_some() => RunState::Running,
            (false, _) if self.begun => RunState::Paused,
            (false, _) => RunState::Ready,
        };
        let live_s = self.stage.now().as_secs_f64();
        let standing = Standing {
            run: self.run,
            is,
            speed: self.clock.speed(),
            live_s,
            over: self.stage.over().map(str::to_owned),
            viewers: self.desk.audience.viewers(),
            log: self.log.as_ref().map(|(path, _)| path.clone()),
        };
        let same = self.told.as_ref().is_some_and(|told| Standing { live_s, ..told.clone() } == standing);
        // How far it has come is told now and then, too: a viewer that looks at the past sees nothing else of it.
        let came = self.told_at.0.elapsed() >= SECOND && self.told_at.1 != self.stage.now();
        if same && !came {
            return;
        }
        self.told = Some(standing.clone());
        self.told_at = (Instant::now(), self.stage.now());
        self.desk.audience.standing.send_replace(Some(standing));
    }
}

fn poses<S: OnStage>(stage: &S, run: u64, live: bool, bounds: Bounds) -> Vec<u8> {
    let mut bytes = Vec::new();
    stage.poses(&mut Frame::begin(&mut bytes, run, stage.robots(), stage.now(), live, bounds));
    bytes
}

fn moment<S: OnStage>(stage: &S, run: u64, live: bool, window: Duration, watched: &[u32]) -> Moment {
    let cards = watched.iter().filter_map(|robot| stage.card(*robot));
    Moment::new(run, stage.now().as_secs_f64(), live, stage.glance(window), cards)
}
