//! Whatever a robot is given, in whatever order: it does not panic, its SHAME stays in [0, 1], and it never waits
//! without a timer, nor longer than for a robot an hour away, so nothing that others do or fail to do can hold it for
//! ever.
//!
//! Inputs are drawn from a small world, so that keys, names and stages often fit by chance, and some steps fit on
//! purpose: random messages alone would hardly ever get past the first stage. A last check makes sure that the runs
//! have met every stage.

use muster_core::recruitment::{self, Config, Memory, Message, Messaging, Request, Responding, Stage, Timer};
use muster_core::{Duration, Event, Order, Percept, Percepts, Phase, Point, Recipient, RobotId, Task, TaskId, Time};
use proptest::prelude::*;

use crate::harness::absurd::{Met, duration, explore, point, wait};
use crate::world::*;

/// The robot under test.
const ME: RobotId = R1;

/// Everybody, for unicast.
const TEAM: [RobotId; 4] = [UAV, R1, R2, R3];

/// The most outputs that one input may lead to: a newer HELP that stops a journey and is answered gives six (stop,
/// cancel, resume, hold, ACCEPT, timer). In unicast one HELP is as many messages as there are others.
const MOST_OUTPUTS: usize = 6 + TEAM.len() - 2;

/// The most notes: superseded, goes back to where it waits itself and is silent, or timed out and barred, or served and called.
const MOST_NOTES: usize = 3;

#[derive(Clone, Debug)]
enum Step {
    Wait(Duration),
    Hear(RobotId, Recipient, Message),
    /// A message that fits the present state, by the robot it should come from.
    HearFitting {
        lease: Duration,
        eta: Duration,
    },
    /// The next timer, when it is due.
    Due,
    /// A timer, due or not, set or not.
    Fire(Timer),
    Sense(Percept),
    Told(Order),
    /// With the memory that was last kept.
    Restart,
    /// With this one, or with none.
    Start(Option<Memory>),
}

fn percepts() -> impl Strategy<Value = Percepts> {
    prop_oneof![4 => Just(MINES), 1 => Just(Percepts::NONE), 1 => any::<u32>().prop_map(Percepts)]
}

fn robot() -> impl Strategy<Value = RobotId> {
    prop_oneof![8 => prop::sample::select(TEAM.to_vec()), 1 => any::<u32>().prop_map(RobotId)]
}

fn recipient() -> impl Strategy<Value = Recipient> {
    prop_oneof![
        3 => Just(Recipient::All),
        3 => Just(Recipient::Only(ME)),
        1 => robot().prop_map(Recipient::Only),
        1 => robot().prop_map(Recipient::Named),
    ]
}

fn task_id() -> impl Strategy<Value = TaskId> {
    prop_oneof![8 => (7..10_u32).prop_map(TaskId), 1 => any::<u32>().prop_map(TaskId)]
}

fn task() -> impl Strategy<Value = Task> {
    (task_id(), point(), percepts()).prop_map(|(id, place, needs)| Task { id, place, needs })
}

fn count() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..4_u32, 1 => any::<u32>()]
}

/// The numbers that robots of these tests draw, and some that they do not.
fn nonce() -> impl Strategy<Value = u32> {
    prop_oneof![4 => (0..3_u32).prop_map(|later| FIRST_NONCE + later), 1 => any::<u32>()]
}

fn request() -> impl Strategy<Value = Request> {
    let incarnation = prop_oneof![4 => Just(FIRST_LIFE), 2 => 0..3_u32, 1 => Just(FRESH), 1 => any::<u32>()];
    (robot(), incarnation, task_id(), count()).prop_map(|(requester, incarnation, need, attempt)| Request {
        requester,
        incarnation,
        need,
        attempt,
    })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        3 => (request(), point(), percepts())
            .prop_map(|(request, place, needs)| Message::Help { request, place, needs }),
        1 => (request(), duration(25)).prop_map(|(request, eta)| Message::Accept { request, eta }),
        1 => (request(), robot()).prop_map(|(request, chosen)| Message::Responder { request, chosen }),
        1 => (request(), nonce(), duration(25))
            .prop_map(|(request, number, lease)| Message::Arrival { request, number, lease }),
        1 => (request(), nonce(), duration(25))
            .prop_map(|(request, number, lease)| Message::Agree { request, number, lease }),
        1 => request().prop_map(|request| Message::Ackack { request }),
    ]
}

fn percept() -> impl Strategy<Value = Percept> {
    prop_oneof![
        2 => task().prop_map(Percept::TaskSeen),
        1 => task_id().prop_map(Percept::TaskGone),
        3 => Just(Percept::Arrived),
        1 => Just(Percept::Blocked),
        1 => prop::sample::select(vec![Phase::Free, Phase::Free, Phase::Engaged]).prop_map(Percept::Phase),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let timer = || prop::sample::select(vec![Timer::Requesting, Timer::Responding]);
    let memory = (any::<u32>(), prop::collection::vec(task(), 0..4), any::<bool>())
        .prop_map(|(incarnation, needs, agreed)| Memory { incarnation, needs, agreed });
    // A HELP that an honest robot in the field would send, so that there is something to answer.
    let honest_help = (prop::sample::select(vec![UAV, R2]), 7..9_u32, 1..4_u32, -60.0..60.0_f64).prop_map(
        |(requester, need, attempt, x)| {
            let request = Request { requester, incarnation: FIRST_LIFE, need: TaskId(need), attempt };
            Step::Hear(requester, Recipient::All, Message::Help { request, place: Point::new(x, 0.0), needs: MINES })
        },
    );
    prop_oneof![
        3 => wait().prop_map(Step::Wait),
        6 => (robot(), recipient(), message()).prop_map(|(from, to, message)| Step::Hear(from, to, message)),
        3 => honest_help,
        8 => (0..25_u64, 0..100_u64).prop_map(|(lease, eta)| Step::HearFitting {
            lease: Duration::from_secs(lease),
            eta: Duration::from_secs(eta),
        }),
        4 => Just(Step::Due),
        1 => timer().prop_map(Step::Fire),
        4 => percept().prop_map(Step::Sense),
        1 => prop_oneof![task().prop_map(|task| Order::Inject(task.into())), task_id().prop_map(Order::Cancel)].prop_map(Step::Told),
        1 => prop_oneof![
            Just(Step::Restart),
            Just(Step::Start(None)),
            memory.prop_map(|memory| Step::Start(Some(memory))),
        ],
    ]
}

fn config() -> impl Strategy<Value = Config> {
    let strategy = prop::sample::select(recruitment::Strategy::ALL.to_vec());
    let lengths = (prop::option::of(1..90_u64), prop::sample::select(vec![0, 0, 15]));
    (any::<bool>(), any::<bool>(), strategy, lengths).prop_map(|(safe, unicast, strategy, (analysis, shortest))| {
        let config = if safe { Config::safe() } else { Config::gage_2004() }.with(strategy);
        let messaging = if unicast { Messaging::Unicast(TEAM.into()) } else { Messaging::Broadcast };
        let (analysis, shortest_lease) = (analysis.map(Duration::from_secs), Duration::from_secs(shortest));
        Config { messaging, analysis, shortest_lease, ..config }
    })
}

/// What would take the robot a stage further: the requester's next answer if it is called for, else the responder's.
fn fitting(robot: &Robot, last_help: Option<Request>, lease: Duration, eta: Duration) -> Option<Given> {
    let stage = robot.machine.requesting().map_or(Stage::Quiet, |requesting| requesting.stage());
    let own = last_help.and_then(|request| match stage {
        Stage::Collecting | Stage::Pausing => Some(hears(R2, Message::Accept { request, eta })),
        Stage::AwaitingArrival { chosen } => {
            Some(hears(chosen, Message::Arrival { request, number: FIRST_NONCE, lease }))
        }
        Stage::AwaitingAckack { chosen } | Stage::Barred { agreed_with: Some(chosen) } => {
            Some(hears(chosen, Message::Ackack { request }))
        }
        Stage::Held { by } if eta.as_micros().is_multiple_of(2_000_000) => {
            Some(hears(by, Message::Arrival { request, number: FIRST_NONCE + 1, lease }))
        }
        Stage::Held { by } => Some(hears(by, Message::Done { request })),
        Stage::Quiet | Stage::Lent { .. } | Stage::Barred { agreed_with: None } => None,
    });
    let theirs = match *robot.machine.responding() {
        Responding::Offered { request, .. } => Some(hears(request.requester, responder(request, ME))),
        Responding::Travelling { .. } | Responding::Returning => Some(Given::Senses(Percept::Arrived)),
        Responding::Arrived { request, number, .. } => {
            Some(hears(request.requester, Message::Agree { request, number, lease }))
        }
        Responding::Working { request, until, renewal } => renewal
            .asked(until)
            .map(|(_, number)| hears(request.requester, Message::Agree { request, number, lease: secs(20.0) })),
        Responding::Idle => None,
    };
    // An even number of seconds asks the responder's side first, so that neither starves the other.
    if lease.as_micros().is_multiple_of(2_000_000) { theirs.or(own) } else { own.or(theirs) }
}

/// Runs the steps and checks after each. Returns the stages that were met.
fn run(config: Config, x: f64, steps: Vec<Step>) -> Result<Met, TestCaseError> {
    let mut robot = Robot::new(ME, x, config);
    let mut met = Met::new();
    let mut last_help = None;
    for step in steps {
        let shown = format!("{step:?}");
        let given = match step {
            Step::Wait(duration) => {
                robot.now += duration;
                continue;
            }
            Step::Hear(from, to, message) => Given::HearsTo(from, to, message),
            Step::HearFitting { lease, eta } => match fitting(&robot, last_help, lease, eta) {
                Some(given) => given,
                None => continue,
            },
            Step::Due => match robot.next_timer() {
                Some((at, timer)) => {
                    // A driver that was busy, or a body that was carried, fires it late, but never for the first time
                    // at the end of time.
                    robot.now = robot.now.max(at.min(Time::from_micros(1 << 62)));
                    Given::Fires(timer)
                }
                None => continue,
            },
            Step::Fire(timer) => Given::Fires(timer),
            Step::Sense(percept) => Given::Senses(percept),
            Step::Told(order) => Given::Told(order),
            Step::Restart => Given::Restarts,
            Step::Start(memory) => Given::Starts(memory),
        };
        robot.notes.clear();
        let before = robot.machine.requesting().map_or(Stage::Quiet, |requesting| requesting.stage());
        let outputs = robot.give(given);

        prop_assert!(outputs.len() <= MOST_OUTPUTS, "{} outputs of {shown}: {outputs:?}", outputs.len());
        prop_assert!(robot.notes.len() <= MOST_NOTES, "{} notes of {shown}: {:?}", robot.notes.len(), robot.notes);
        let shame = robot.machine.shame().get();
        prop_assert!((0.0..=1.0).contains(&shame), "SHAME is {shame} after {shown}");
        // The longest wait of either side is that for a robot an hour away, and the 10 s that it may be late.
        let longest = Duration::from_secs(3_610);
        let responding = robot.machine.responding();
        if *responding != Responding::Idle {
            let deadline = robot.timers.deadline(Timer::Responding);
            prop_assert!(deadline.is_some(), "no timer while {responding:?} after {shown}");
            prop_assert!(deadline <= Some(robot.now + longest), "{responding:?} until {deadline:?} after {shown}");
        }
        if let Some(requesting) = robot.machine.requesting() {
            let stage = requesting.stage();
            prop_assert_eq!(stage == Stage::Quiet, requesting.is_quiet(), "after {}", shown);
            if !requesting.is_quiet() {
                // What bounds its service bounds how long a robot puts off its own call.
                let lent = matches!(stage, Stage::Lent { .. });
                let deadline = robot.timers.deadline(if lent { Timer::Responding } else { Timer::Requesting });
                prop_assert!(deadline.is_some(), "no timer while {stage:?} after {shown}");
                prop_assert!(deadline <= Some(robot.now + longest), "waits until {deadline:?} after {shown}");
            }
        }
        for (_, message) in sent(&outputs) {
            if let Message::Help { request, .. } = message {
                prop_assert_eq!(request.requester, ME);
                last_help = Some(*request);
            }
        }
        met.insert(match responding {
            Responding::Idle => "idle",
            Responding::Offered { .. } => "offered",
            Responding::Travelling { .. } => "travelling",
            Responding::Arrived { .. } => "arrived",
            Responding::Working { .. } => "working",
            Responding::Returning => "returning",
        });
        met.insert(match robot.machine.requesting().map_or(Stage::Quiet, |requesting| requesting.stage()) {
            Stage::Quiet => "quiet",
            Stage::Barred { .. } => "barred",
            Stage::Collecting => "collecting",
            Stage::Pausing => "pausing",
            Stage::AwaitingArrival { .. } => "awaiting ARRIVAL",
            Stage::AwaitingAckack { .. } => "awaiting ACKACK",
            Stage::Held { .. } => "held",
            Stage::Lent { .. } => "lent",
        });
        for note in &robot.notes {
            match note.event {
                Event::Recruitment(muster_core::recruitment::Step::Served { .. })
                    if matches!(before, Stage::Barred { .. }) =>
                {
                    met.insert("served while barred")
                }
                Event::Recruitment(muster_core::recruitment::Step::Served { .. }) => met.insert("served"),
                Event::Recruitment(muster_core::recruitment::Step::Finished { .. }) => met.insert("finished"),
                Event::Recruitment(muster_core::recruitment::Step::Superseded { .. }) => met.insert("superseded"),
                Event::Recruitment(muster_core::recruitment::Step::Renewed { .. }) => met.insert("renewed"),
                Event::Recruitment(muster_core::recruitment::Step::HandedBack { .. }) => met.insert("handed back"),
                Event::Recruitment(muster_core::recruitment::Step::Refused { .. }) => met.insert("refused"),
                _ => continue,
            };
        }
    }
    Ok(met)
}

#[test]
fn no_sequence_of_inputs_panics_or_leaves_a_robot_waiting_without_a_timer() {
    let inputs = (config(), -100.0..100.0_f64, prop::collection::vec(step(), 1..120));
    let met = explore(inputs, |(config, x, steps)| run(config, x, steps));
    let expected = Met::from([
        "idle",
        "offered",
        "travelling",
        "arrived",
        "working",
        "finished",
        "superseded",
        "quiet",
        "barred",
        "collecting",
        "pausing",
        "awaiting ARRIVAL",
        "awaiting ACKACK",
        "lent",
        "returning",
        "held",
        "renewed",
        "handed back",
        "refused",
        "served",
        "served while barred",
    ]);
    assert_eq!(met, expected, "the runs must meet every stage");
}
