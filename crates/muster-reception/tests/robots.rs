//! The waiter and the refiller, each by itself among others that say what the test wants. Checks are numbered as in the
//! list that the reception is held against.

use std::sync::Arc;

use muster_core::affect::{Agency, Intensity, Table, Valence};
use muster_core::panel::Field;
use muster_core::rng::{Purpose, Stream};
use muster_core::{RobotId, Time};
use muster_reception::robot::{
    Butler, Command, Constant, Frame, Leguin, Place, Published, Report, Robot, Team, Value, Variables, butler, leguin,
};

fn table() -> Arc<Table> {
    let rows = toml::from_str(include_str!("../../muster-sim/data/emotions.toml")).unwrap();
    Arc::new(Table::new(rows).unwrap())
}

/// A robot, its clock and dice, and what the others published.
struct Alone<R> {
    robot: R,
    now: f64,
    dice: Stream,
    others: Vec<Published>,
    notes: Vec<String>,
}

impl<R: Robot> Alone<R> {
    fn new(robot: R, start: Place, others: Vec<Published>) -> Self {
        let dice = Stream::new(1, Purpose::Choice, RobotId(0));
        let mut alone = Self { robot, now: 0.0, dice, others, notes: Vec::new() };
        alone.lend(|robot, frame| robot.init_robot(frame));
        alone.robot.set_current_location(Time::ZERO, start);
        alone
    }

    /// Lends the robot a frame for one exercise; the commands that it gave.
    fn lend(&mut self, exercise: impl FnOnce(&mut R, &mut Frame<'_>)) -> Vec<(String, String)> {
        let (mut outbox, mut report): (Vec<Command>, Report) = Default::default();
        let others = self.others.clone().into();
        let team = Team::new(self.robot.get_name(), &others, &mut outbox);
        let now = Time::from_secs_f64(self.now);
        exercise(&mut self.robot, &mut Frame { now, dice: &mut self.dice, team, report: &mut report });
        self.notes.extend(report.notes);
        outbox.into_iter().map(|command| (command.to.to_string(), command.text.to_string())).collect()
    }

    fn feel(&mut self) -> String {
        self.lend(|robot, frame| robot.update_emotion_state(frame));
        self.robot.get_emotion_state().to_string()
    }

    fn decide(&mut self) -> (String, Vec<String>) {
        let said = self.lend(|robot, frame| robot.update_behavior_state(frame));
        (self.robot.get_behavior_state().to_string(), said.into_iter().map(|(_, text)| text).collect())
    }

    /// A whole tick on a field with nobody in the way; what it does after it, and what it said.
    fn tick(&mut self) -> (String, Vec<String>) {
        self.now += 1.0;
        let now = Time::from_secs_f64(self.now);
        let place = self.robot.project_location(now);
        self.robot.set_current_location(now, place);
        self.lend(|robot, frame| robot.update_state_variables(frame));
        self.feel();
        self.decide()
    }

    fn tell(&mut self, command: &str) {
        self.robot.set_command(Time::from_secs_f64(self.now), command);
    }

    fn place(&self) -> Place {
        self.robot.get_current_location()
    }
}

fn other(name: &str, location: Place, behavior: &str) -> Published {
    let variables = Variables::new().with("timeToEmpty", 90.0);
    let (emotion, behavior) = ("HAPPY".into(), behavior.into());
    Published { name: name.into(), location, speed_fps: 0.0, direction: 0.0, variables, emotion, behavior }
}

const MIDDLE: Place = Place::new(25.0, 25.0);

/// Butler of this caution, and Leguin so many feet to the south, doing this.
fn butler(caution: f64, distance_ft: f64, behavior: &str) -> Alone<Butler> {
    let config = butler::Config { caution: Intensity::new(caution).unwrap(), ..butler::Config::cars_2002() };
    let refiller = other("Leguin", Place::new(25.0, 25.0 - distance_ft), behavior);
    Alone::new(Butler::new(config, table()).unwrap(), MIDDLE, vec![refiller])
}

fn leguin() -> Alone<Leguin> {
    let leguin = Leguin::new(leguin::Config::cars_2002(), table()).unwrap();
    Alone::new(leguin, Place::new(25.0, 6.0), vec![other("Butler", MIDDLE, "SERVE")])
}

/// The test vectors of the design: treats, feet, speed at which she comes if she was called, caution; stress, emotion,
/// valence and intensity.
#[test]
fn butler_feels_as_the_vectors_say() {
    use Valence::{Negative, Positive};
    let inf = f64::INFINITY;
    for (treats, distance_ft, coming, caution, stress, emotion, valence, intensity) in [
        (30, 19.0, None, 0.5, 0.25, "HAPPY", Positive, 0.75),
        (15, 19.0, None, 0.5, 0.5, "CONFIDENT", Positive, 0.5),
        (15, 19.0, None, 0.0, 0.3333, "HAPPY", Positive, 0.6667),
        (15, 19.0, None, 1.0, 0.6667, "CONFIDENT", Positive, 0.3333),
        (7, 14.0, Some(0.5), 0.5, 1.4286, "CONCERNED", Negative, 0.2143),
        (2, 14.0, Some(0.5), 0.5, 5.0, "FRUSTRATED", Negative, 1.0),
        (0, 14.0, None, 0.5, inf, "FRUSTRATED", Negative, 1.0),
        (0, 40.0, Some(2.0), 0.0, inf, "FRUSTRATED", Negative, 1.0),
    ] {
        let mut butler = butler(caution, distance_ft, "WAIT");
        let waiter = &mut butler.robot.body;
        (waiter.treats, waiter.distance_ft) = (treats, Some(distance_ft));
        if let Some(closing_fps) = coming {
            (waiter.refill_requested, waiter.closing_fps) = (true, closing_fps);
        }
        assert_eq!(butler.feel(), emotion, "{treats} treats at {distance_ft} ft");
        let measured = butler.robot.stress().unwrap().get();
        assert!(measured == stress || (measured - stress).abs() < 1e-4, "{measured} is not {stress}");
        let affect = butler.robot.emotion().affect;
        assert_eq!(affect.valence, valence);
        assert!((affect.intensity.get() - intensity).abs() < 1e-4, "{affect} is not {intensity}");
    }
}

/// The last of them: down from CONCERNED, but not all the way.
#[test]
fn concern_gives_way_to_confidence_when_she_comes_faster() {
    let mut butler = butler(0.5, 14.0, "REFILL");
    let waiter = &mut butler.robot.body;
    (waiter.treats, waiter.distance_ft, waiter.refill_requested, waiter.closing_fps) = (7, Some(14.0), true, 0.5);
    assert_eq!(butler.feel(), "CONCERNED");
    butler.robot.body.closing_fps = 1.5;
    assert_eq!(butler.feel(), "CONFIDENT");
    assert!((butler.robot.stress().unwrap().get() - 0.4762).abs() < 1e-4);
    assert!((butler.robot.emotion().affect.intensity.get() - 0.5238).abs() < 1e-4);
}

/// What the vectors lead to; check 53.
#[test]
fn butler_calls_then_asks_to_hurry_and_still_serves_then_intercepts() {
    let mut butler = butler(0.5, 19.0, "WAIT");
    let said = |words: &[&str]| -> Vec<String> { words.iter().map(|word| (*word).to_owned()).collect() };
    (butler.robot.body.treats, butler.robot.body.distance_ft) = (15, Some(19.0));
    assert_eq!(butler.feel(), "CONFIDENT");
    assert_eq!(butler.decide(), ("SERVE".to_owned(), said(&["refill"])));
    let waiter = &mut butler.robot.body;
    (waiter.treats, waiter.distance_ft, waiter.closing_fps) = (7, Some(14.0), 0.5);
    assert_eq!(butler.feel(), "CONCERNED");
    assert_eq!(butler.decide(), ("SERVE".to_owned(), said(&["hurry"])));
    butler.now = 9.0;
    assert_eq!(butler.decide(), ("SERVE".to_owned(), said(&[])));
    butler.now = 10.0;
    assert_eq!(butler.decide(), ("SERVE".to_owned(), said(&["hurry"])));
    butler.robot.body.treats = 2;
    assert_eq!(butler.feel(), "FRUSTRATED");
    assert_eq!(butler.decide(), ("INTERCEPT".to_owned(), said(&[])));
    let treats = butler.robot.body.treats;
    // Straight at her, serving nobody, and kept up although she comes faster now.
    butler.robot.body.closing_fps = 9.0;
    butler.others[0].location = Place::new(25.0, -200.0);
    for _ in 0..5 {
        assert_eq!(butler.tick().0, "INTERCEPT");
        assert!((butler.robot.get_direction() + std::f64::consts::FRAC_PI_2).abs() < 0.01);
    }
    assert_eq!(butler.robot.body.treats, treats);
}

/// Check 55.
#[test]
fn an_exchange_begins_within_four_feet_and_not_at_4_1() {
    for (distance_ft, behavior, called, expected) in [
        (4.0, "REFILL", true, "EXCHANGE"),
        (4.1, "REFILL", true, "SERVE"),
        (4.0, "WAIT", true, "SERVE"),
        (4.0, "REFILL", false, "SERVE"),
    ] {
        let mut butler = butler(0.5, distance_ft, behavior);
        butler.lend(|robot, frame| robot.update_state_variables(frame));
        butler.robot.body.refill_requested = called;
        assert_eq!(butler.decide().0, expected, "{distance_ft} ft, {behavior}");
    }
    // In intercept, too.
    let mut butler = butler(0.5, 8.0, "REFILL");
    let waiter = &mut butler.robot.body;
    (waiter.treats, waiter.refill_requested) = (0, true);
    let met: Vec<String> = (0..6).map(|_| butler.tick().0).collect();
    assert_eq!(met, ["INTERCEPT", "INTERCEPT", "INTERCEPT", "EXCHANGE", "EXCHANGE", "EXCHANGE"]);
}

/// Checks 56 and 58, and 63 for one who is HAPPY.
#[test]
fn after_the_exchange_butler_has_thirty_treats_and_goes_back() {
    let mut butler = butler(0.5, 10.0, "REFILL");
    butler.robot.body.refill_requested = true;
    butler.robot.body.treats = 0;
    while butler.tick().0 != "EXCHANGE" {
        assert!(butler.now < 20.0);
    }
    let began = butler.now;
    let away = butler.place();
    assert!(away.distance_ft(MIDDLE) > 1.0);
    let (behavior, said) = loop {
        let (behavior, said) = butler.tick();
        if behavior != "EXCHANGE" {
            break (behavior, said);
        }
        assert_eq!((butler.place(), butler.robot.get_emotion_state().as_str()), (away, "FRUSTRATED"));
        assert_eq!(butler.robot.emotion().agency, Agency::Named("Leguin".into()));
    };
    assert_eq!((butler.now - began, behavior.as_str(), said), (3.0, "GO_BACK", vec!["go home".to_owned()]));
    assert_eq!(butler.robot.body.treats, 30);
    butler.others[0].location = Place::new(25.0, 6.0);
    butler.tick();
    assert_eq!(butler.robot.get_emotion_state(), "HAPPY");
    assert_eq!(butler.robot.emotion().agency, Agency::Own);
    while butler.robot.get_behavior_state() == "GO_BACK" {
        butler.tick();
        assert!(butler.now < 40.0);
    }
    assert_eq!(butler.robot.get_behavior_state(), "SERVE");
    assert!(butler.place().distance_ft(MIDDLE) <= 1.0);
}

/// Check 62.
#[test]
fn more_caution_never_feels_less() {
    let scale = ["HAPPY", "CONFIDENT", "CONCERNED", "FRUSTRATED"];
    let history: Vec<(u32, f64)> = (0..60).map(|i| (30 - i / 2, 4.0 + f64::from(i * 7 % 23))).collect();
    let lived = |caution: f64| -> Vec<(usize, f64)> {
        let mut butler = butler(caution, 19.0, "WAIT");
        let mut felt = Vec::new();
        for &(treats, distance_ft) in &history {
            (butler.robot.body.treats, butler.robot.body.distance_ft) = (treats, Some(distance_ft));
            let emotion = butler.feel();
            let level = scale.iter().position(|name| *name == emotion).unwrap();
            felt.push((level, butler.robot.emotion().affect.negative().get()));
        }
        felt
    };
    let cautions = [0.0, 0.2, 0.5, 0.8, 1.0];
    for pair in cautions.windows(2) {
        for (less, more) in lived(pair[0]).into_iter().zip(lived(pair[1])) {
            assert!(more.0 >= less.0 && more.1 >= less.1, "{less:?} {more:?}");
        }
    }
}

/// Check 9: the BSG sees the constant.
#[test]
fn a_robot_with_a_constant_for_feelings_still_runs() {
    let constant = |emotion: &str| {
        let robot = Butler::new(butler::Config::cars_2002(), table()).unwrap().with_esg(Constant::new(emotion));
        Alone::new(robot, MIDDLE, vec![other("Leguin", Place::new(25.0, 6.0), "WAIT")])
    };
    for (emotion, behavior, said) in [
        ("HAPPY", "SERVE", vec![]),
        ("CONFIDENT", "SERVE", vec!["refill"]),
        ("CONCERNED", "SERVE", vec!["refill", "hurry"]),
        ("FRUSTRATED", "INTERCEPT", vec!["refill", "hurry"]),
        ("ANGRY", "REFILL_AT_TABLE", vec![]),
        ("BORED", "SERVE", vec![]),
    ] {
        let mut butler = constant(emotion);
        let (does, says) = butler.tick();
        assert_eq!((does.as_str(), says.iter().map(String::as_str).collect()), (behavior, said), "{emotion}");
        assert_eq!(butler.robot.get_emotion_state(), emotion);
    }
    // It gets its treats all the same.
    let mut angry = constant("ANGRY");
    angry.robot.body.treats = 0;
    while angry.robot.body.exchanges == 0 {
        angry.tick();
        assert!(angry.now < 30.0, "{:?}", angry.place());
    }
    assert_eq!(angry.robot.body.treats, 30);
    let hasty = Leguin::new(leguin::Config::cars_2002(), table()).unwrap().with_esg(Constant::new("CONCERNED"));
    let mut hasty = Alone::new(hasty, Place::new(25.0, 6.0), vec![other("Butler", MIDDLE, "SERVE")]);
    hasty.tell("refill");
    hasty.tick();
    assert_eq!(hasty.robot.get_speed(), 2.0);
}

/// [OWN] ANGRY is off unless asked for.
#[test]
fn butler_gets_angry_only_if_asked_to() {
    for angry in [false, true] {
        let config = butler::Config { angry, ..butler::Config::cars_2002() };
        let others = vec![other("Leguin", Place::new(2.0, 48.0), "WAIT")];
        let mut butler = Alone::new(Butler::new(config, table()).unwrap(), MIDDLE, others);
        butler.robot.body.treats = 0;
        let mut met = Vec::new();
        for _ in 0..120 {
            // He never gets there.
            butler.others[0].location = Place::new(butler.place().x, 200.0);
            let (behavior, _) = butler.tick();
            if met.last() != Some(&behavior) {
                met.push(behavior);
            }
        }
        if angry {
            assert_eq!(met[..4], ["INTERCEPT", "REFILL_AT_TABLE", "EXCHANGE", "GO_BACK"]);
        } else {
            assert_eq!(met, ["INTERCEPT"]);
        }
    }
}

/// Checks 51, 52, 57 and 59.
#[test]
fn leguin_comes_hurries_waits_for_release_and_goes_home() {
    for wake in ["refill", "hurry"] {
        let mut leguin = leguin();
        let home = leguin.place();
        for _ in 0..20 {
            assert_eq!(leguin.tick().0, "WAIT");
            assert_eq!(leguin.robot.get_emotion_state(), "HAPPY");
        }
        assert_eq!((leguin.place(), leguin.notes.clone()), (home, vec!["tells a joke".to_owned()]));
        leguin.tell(wake);
        assert_eq!(leguin.tick().0, "REFILL");
        leguin.tick();
        // Toward the waiter's present place.
        assert!((leguin.robot.get_direction() - leguin.place().heading_to(MIDDLE)).abs() < 1e-9);
        if wake == "refill" {
            assert_eq!((leguin.robot.get_emotion_state().as_str(), leguin.robot.get_speed()), ("CONFIDENT", 1.0));
            leguin.tell("hurry");
            leguin.tick();
        }
        assert_eq!((leguin.robot.get_emotion_state().as_str(), leguin.robot.get_speed()), ("CONCERNED", 2.0));
        assert_eq!(leguin.robot.emotion().agency, Agency::Named("Butler".into()));
        for _ in 0..20 {
            assert_eq!(leguin.tick().0, "REFILL");
        }
        // Near enough; the waiter has not said anything yet.
        let there = leguin.place();
        assert!(there.distance_ft(MIDDLE) <= 4.0 && there.distance_ft(MIDDLE) > 2.0);
        leguin.tell("exchange");
        let met: Vec<String> = (0..200).map(|_| leguin.tick().0).collect();
        assert_eq!(met[..4], ["EXCHANGE", "EXCHANGE", "EXCHANGE", "AWAIT_RELEASE"]);
        assert!(met[4..].iter().all(|behavior| behavior == "AWAIT_RELEASE"));
        assert_eq!(leguin.place(), there, "without \"go home\" she never moves");
        leguin.tell("go home");
        assert_eq!(leguin.tick().0, "GO_HOME");
        while leguin.robot.get_behavior_state() != "WAIT" {
            leguin.tick();
            assert!(leguin.now < 300.0);
        }
        assert!(leguin.place().distance_ft(home) <= 1.0);
        let stopped = leguin.place();
        (0..5).for_each(|_| drop(leguin.tick()));
        assert_eq!(leguin.place(), stopped);
    }
}

/// What comes out of turn is ignored, and a release that comes early is kept.
#[test]
fn leguin_takes_commands_in_their_turn() {
    let mut leguin = leguin();
    for nonsense in ["go home", "exchange", "dance", ""] {
        leguin.tell(nonsense);
        assert_eq!(leguin.tick().0, "WAIT");
    }
    leguin.tell("refill");
    leguin.tick();
    leguin.tell("exchange");
    leguin.tick();
    leguin.tell("go home");
    let met: Vec<String> = (0..4).map(|_| leguin.tick().0).collect();
    assert_eq!(met, ["EXCHANGE", "EXCHANGE", "AWAIT_RELEASE", "WAIT"], "she is home already");
}

/// Table 2: FRUSTRATED, she changes her strategy.
#[test]
fn leguin_gives_up_after_a_minute_without_a_way() {
    let mut leguin = leguin();
    leguin.tell("refill");
    leguin.tick();
    let stuck = leguin.place();
    let mut felt = Vec::new();
    for _ in 0..70 {
        leguin.now += 1.0;
        leguin.robot.set_current_location(Time::from_secs_f64(leguin.now), stuck);
        leguin.lend(|robot, frame| robot.update_state_variables(frame));
        let emotion = leguin.feel();
        if felt.last() != Some(&emotion) {
            felt.push(emotion);
        }
        if leguin.decide().0 != "REFILL" {
            break;
        }
    }
    assert_eq!(felt, ["CONFIDENT", "CONCERNED", "FRUSTRATED"]);
    assert_eq!(leguin.robot.emotion().agency, Agency::Named("environment".into()));
}

/// Checks 35, 36, 38 and 39. The calls that are reserved (37) are not there to be made.
#[test]
fn robots_ask_others_by_name_and_get_copies() {
    let others = [other("Leguin", Place::new(1.0, 2.0), "WAIT")].into();
    let mut outbox = Vec::new();
    let mut team = Team::new("Butler".into(), &others, &mut outbox);
    assert_eq!(team.get_robot_location("Leguin"), Some(Place::new(1.0, 2.0)));
    assert_eq!((team.get_robot_speed("Leguin"), team.get_robot_direction("Leguin")), (Some(0.0), Some(0.0)));
    assert_eq!(team.get_robot_emotion_state("Leguin").as_deref(), Some("HAPPY"));
    assert_eq!(team.get_robot_behavior_state("Leguin").as_deref(), Some("WAIT"));
    let mut copy = team.get_robot_state_variables("Leguin").unwrap();
    assert_eq!((copy.get("timeToEmpty"), copy.get("secret")), (Some(&Value::Number(90.0)), None));
    copy.set("timeToEmpty", 1.0);
    copy.set("secret", true);
    assert_eq!(team.get_robot_state_variables("Leguin").unwrap(), team.published()[0].variables);
    assert_eq!(team.set_robot_command("Leguin", "refill"), Some(()));
    assert_eq!(team.get_robot_location("Nobody"), None);
    assert_eq!((team.get_robot_speed("Nobody"), team.get_robot_direction("")), (None, None));
    assert_eq!((team.get_robot_emotion_state("Nobody"), team.get_robot_behavior_state("Nobody")), (None, None));
    assert_eq!(team.get_robot_state_variables("Nobody"), None);
    assert_eq!(team.set_robot_command("Nobody", "refill"), None);
    assert_eq!(outbox, [Command { from: "Butler".into(), to: "Leguin".into(), text: "refill".into() }]);
}

/// A waiter without anybody to call is frustrated and does no harm.
#[test]
fn butler_alone_runs_out_and_does_not_crash() {
    let mut butler = Alone::new(Butler::new(butler::Config::cars_2002(), table()).unwrap(), MIDDLE, Vec::new());
    for _ in 0..300 {
        let (behavior, said) = butler.tick();
        assert_eq!((behavior.as_str(), said.len()), ("SERVE", 0));
    }
    assert_eq!((butler.robot.body.treats, butler.robot.get_emotion_state().as_str()), (0, "FRUSTRATED"));
}

/// Check 50.
#[test]
fn treats_go_one_at_a_time_at_exponential_intervals() {
    for mean_s in [1.5, 3.0] {
        let config = butler::Config { treats: 1_001, consumption_mean_s: mean_s, ..butler::Config::cars_2002() };
        let others = vec![other("Leguin", Place::new(25.0, 6.0), "WAIT")];
        let calm = Butler::new(config, table()).unwrap().with_esg(Constant::new("HAPPY"));
        let mut butler = Alone::new(calm, MIDDLE, others);
        while butler.robot.body.treats > 1 {
            butler.tick();
        }
        let mean = butler.now / 1_000.0;
        assert!((mean / mean_s - 1.0).abs() < 0.1, "{mean} for {mean_s}");
    }
}

/// Section 4: who looks ahead hurries her only if that helps, and meets her only if hurrying does not.
#[test]
fn butler_with_the_conceptual_level_does_what_feels_least_bad() {
    let config = butler::Config { conceptual: true, ..butler::Config::cars_2002() };
    let others = vec![other("Leguin", Place::new(25.0, 11.0), "REFILL")];
    let mut butler = Alone::new(Butler::new(config, table()).unwrap(), MIDDLE, others);
    // 10 ft to go at 0.5 ft/s are 20 s, by caution 30: with 36 s of treats no harm is done, with 21 s she has to hurry, and
    // with 3 s nothing but going to meet her makes it less bad.
    for (treats, behavior, said) in [(12, "SERVE", vec![]), (7, "SERVE", vec!["hurry"]), (1, "INTERCEPT", vec![])] {
        let waiter = &mut butler.robot.body;
        (waiter.treats, waiter.distance_ft, waiter.refill_requested, waiter.closing_fps) =
            (treats, Some(14.0), true, 0.5);
        butler.feel();
        let (does, says) = butler.decide();
        assert_eq!((does.as_str(), says.iter().map(String::as_str).collect()), (behavior, said), "{treats} treats");
    }
    assert_eq!(butler.notes.len(), 3, "{:?}", butler.notes);
}

/// 15 s to a refill at half caution: 15 treats of 3 s each are as few as make it call. Once it has, there is no mark.
#[test]
fn butler_shows_its_tray_with_a_mark_where_it_will_call() {
    let mut alone = butler(0.5, 19.0, leguin::WAIT);
    alone.lend(|robot, frame| robot.update_state_variables(frame));
    let shown = alone.robot.panel();
    assert_eq!(shown[0], Field::gauge("treats", 30.0, (0.0, 30.0), Some(15.0)));
    let variables = alone.robot.get_state_variables();
    assert!(variables.iter().map(|(name, _)| name).eq(shown.iter().map(|field| &field.label)), "all of them, in order");
    alone.robot.body.treats = 16;
    alone.feel();
    assert!(alone.decide().1.is_empty());
    alone.robot.body.treats = 15;
    alone.feel();
    assert_eq!(alone.decide().1, ["refill"]);
    assert_eq!(alone.robot.panel()[0], Field::gauge("treats", 15.0, (0.0, 30.0), None));
}

#[test]
fn robots_show_what_they_feel_with_face_and_chain() {
    let mut alone = leguin();
    alone.tick();
    let feeling = alone.robot.feeling().expect("she has feelings");
    assert_eq!((feeling.name, feeling.face.word()), (alone.robot.get_emotion_state(), "happy"));
    assert_eq!(feeling.chain, alone.robot.emotion().chain(&table()));
    // Whatever is always the same is no more than a name, and says nothing of when a waiter calls.
    let constant = Butler::new(butler::Config::cars_2002(), table()).unwrap().with_esg(Constant::new("STOIC"));
    assert_eq!(constant.feeling(), None);
    assert_eq!(constant.panel()[0], Field::gauge("treats", 30.0, (0.0, 30.0), None));
}

#[test]
fn leguin_shows_how_long_she_has_been_held_up() {
    let alone = leguin();
    let shown = alone.robot.panel();
    let find = |label: &str| shown.iter().find(|field| field.label.as_str() == label).cloned();
    assert_eq!(find("blockedTime"), Some(Field::gauge("blockedTime", 0.0, (0.0, 60.0), Some(5.0))));
    assert_eq!(find("speed"), Some(Field::gauge("speed", 1.0, (0.0, 2.0), Some(1.0))));
    assert_eq!(find("hurried"), Some(Field::flag("hurried", false)));
}
