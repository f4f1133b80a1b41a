//! What [CARS] asks of the simulation, through the public interface. Checks are numbered as in the list that the reception
//! is held against. What robots do by themselves is tested in `muster-core`, who is in whose way in `crowd.rs`.

use std::sync::{Arc, Mutex};

use muster_core::affect::{Name, Rule};
use muster_core::{Duration, Time};
use muster_reception::crowd::{Guests, Setup};
use muster_reception::robot::{Frame, Place, Robot, Variables, butler, leguin};
use muster_reception::{
    self as reception, BoxedRobot, Deed, Line, Onlooker, Reception, ReceptionError, Replay, Scene, Standing, TICK,
};

fn at(seconds: u64) -> Time {
    Time::ZERO + Duration::from_secs(seconds)
}

fn with_guests(setup: Setup, count: usize) -> Setup {
    let Guests::Random { gait, .. } = setup.guests else { unreachable!("they walk about") };
    Setup { guests: Guests::Random { count, gait }, ..setup }
}

fn two(guests: usize, seed: u64) -> Reception {
    let starts = [Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
    team(vec![the_butler(), the_leguin()], with_guests(reception::hall(&starts), guests), seed)
}

fn the_butler() -> BoxedRobot {
    Box::new(reception::butler(butler::Config::cars_2002()))
}

fn the_leguin() -> BoxedRobot {
    Box::new(reception::leguin(leguin::Config::cars_2002()))
}

fn team(robots: Vec<BoxedRobot>, setup: Setup, seed: u64) -> Reception {
    Reception::new(robots, setup, seed).expect("they fit together")
}

/// From the beginning, for so long.
fn lived(reception: &mut Reception, seconds: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    reception.init(&mut lines).expect("there is room");
    reception.start().expect("it is ready");
    reception.run_until(at(seconds), &mut lines);
    lines
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn says(lines: &[Line], word: &str) -> usize {
    lines.iter().filter(|line| matches!(&line.deed, Deed::Command(command) if command.text == *word)).count()
}

fn begins(lines: &[Line], who: &str, what: &str) -> usize {
    let is = |deed: &Deed| matches!(deed, Deed::Behavior { robot, new, .. } if *robot == *who && *new == *what);
    lines.iter().filter(|line| is(&line.deed)).count()
}

fn feels(lines: &[Line], who: &str, what: &str) -> usize {
    let is = |deed: &Deed| matches!(deed, Deed::Emotion { robot, new, .. } if *robot == *who && *new == *what);
    lines.iter().filter(|line| is(&line.deed)).count()
}

/// Checks 1 and 49.
#[test]
fn init_puts_everybody_in_place_and_says_so() {
    let mut reception = Reception::cars_2002(7).unwrap();
    assert!(reception.scene().is_none());
    let mut lines = Vec::new();
    reception.init(&mut lines).unwrap();
    assert_eq!((reception.now(), reception.standing()), (Time::ZERO, Standing::Ready));
    assert_eq!(
        text(&lines),
        "0.000\tinit\tseed=7\tfield=50x50\tguests=100\n\
         0.000\trobot\tButler\t25,25\tHAPPY\tSERVE\n\
         0.000\trobot\tLeguin\t25,6\tHAPPY\tWAIT\n"
    );
    assert_eq!(reception.robot("Butler").unwrap().variables.number("treats"), Some(30.0));
    assert_eq!(reception.crowd().unwrap().guest_count(), 100);
}

/// Check 2.
#[test]
fn init_twice_is_init_once() {
    let mut once = two(100, 3);
    let expected = text(&lived(&mut once, 300));
    let mut twice = two(100, 3);
    lived(&mut twice, 123);
    twice.init(&mut ()).unwrap();
    assert_eq!(text(&lived(&mut twice, 300)), expected);
    let mut another = two(100, 4);
    assert_ne!(text(&lived(&mut another, 300)), expected);
}

/// Checks 3 and 4.
#[test]
fn a_run_with_pauses_is_the_run_without() {
    let expected = text(&lived(&mut two(100, 3), 200));
    let mut reception = two(100, 3);
    let mut lines = Vec::new();
    reception.init(&mut lines).unwrap();
    assert!(!reception.tick(&mut lines), "nothing moves before start");
    for second in (10..=200).step_by(10) {
        reception.start().unwrap();
        reception.run_until(at(second), &mut lines);
        reception.pause().unwrap();
        let places: Vec<Place> = reception.crowd().unwrap().robots().collect();
        assert!(!reception.tick(&mut lines));
        assert_eq!(reception.now(), at(second));
        assert_eq!(reception.crowd().unwrap().robots().collect::<Vec<_>>(), places);
    }
    assert_eq!(text(&lines), expected);
}

/// Check 5.
#[test]
fn after_stop_there_is_no_start_without_init() {
    let mut reception = two(0, 1);
    let refused = |result: Result<(), ReceptionError>| result.expect_err("it is refused").to_string();
    assert_eq!(refused(reception.start()), "cannot start: the reception is not initialised; press init first");
    assert_eq!(
        refused(reception.pause()),
        "cannot pause: the reception is not initialised; only a running one can be paused"
    );
    reception.init(&mut ()).unwrap();
    reception.start().unwrap();
    let mut lines = Vec::new();
    reception.stop(&mut lines).unwrap();
    assert_eq!(text(&lines), "0.000\tstop\n");
    assert_eq!(refused(reception.start()), "cannot start: the reception is stopped; press init first");
    assert!(!reception.tick(&mut ()));
    reception.init(&mut ()).unwrap();
    reception.start().unwrap();
    assert!(reception.tick(&mut ()));
}

type Diary = Arc<Mutex<Vec<String>>>;

/// A robot with names that nobody has heard of, which writes down what it is asked and what it sees of the other.
struct Stranger {
    name: &'static str,
    other: &'static str,
    diary: Diary,
    place: Place,
    count: f64,
    told: Vec<String>,
}

impl Stranger {
    fn guise(name: &'static str, other: &'static str, diary: &Diary) -> BoxedRobot {
        Box::new(Self { name, other, diary: diary.clone(), place: Place::default(), count: 0.0, told: Vec::new() })
    }

    fn write(&self, what: &str) {
        self.diary.lock().unwrap().push(format!("{} {what}", self.name));
    }
}

impl Robot for Stranger {
    fn init_robot(&mut self, _frame: &mut Frame<'_>) {
        self.write("init");
        self.count = 0.0;
    }
    fn get_name(&self) -> Name {
        self.name.into()
    }
    fn get_speed(&self) -> f64 {
        0.0
    }
    fn get_direction(&self) -> f64 {
        0.0
    }
    fn update_state_variables(&mut self, frame: &mut Frame<'_>) {
        self.count += 1.0;
        let seen = frame.team.get_robot_state_variables(self.other).unwrap();
        self.write(&format!("variables, sees {} and {:?}", seen.number("blorp").unwrap(), seen.get("hidden")));
    }
    fn get_state_variables(&self) -> Variables {
        Variables::new().with("blorp", self.count).with("moody", self.count > 1.0)
    }
    fn get_current_location(&self) -> Place {
        self.place
    }
    fn project_location(&self, _at: Time) -> Place {
        self.write("project");
        self.place
    }
    fn set_current_location(&mut self, _at: Time, place: Place) {
        self.write("placed");
        self.place = place;
    }
    fn set_command(&mut self, at: Time, command: &str) {
        self.write(&format!("told {command} at {at:.0}"));
        self.told.push(command.to_owned());
    }
    fn update_emotion_state(&mut self, frame: &mut Frame<'_>) {
        let seen = frame.team.get_robot_state_variables(self.other).unwrap().number("blorp").unwrap();
        self.write(&format!("emotion, sees {seen}"));
        frame.team.set_robot_command(self.other, "zap");
        assert_eq!(frame.team.set_robot_command("nobody", "zap"), None);
    }
    fn get_emotion_state(&self) -> Name {
        format!("GLEE {}", self.count).into()
    }
    fn update_behavior_state(&mut self, frame: &mut Frame<'_>) {
        let seen = frame.team.get_robot_emotion_state(self.other).unwrap();
        self.write(&format!("behavior, told {} times, sees {seen}", self.told.len()));
    }
    fn get_behavior_state(&self) -> Name {
        "SPIN\tTWICE".into()
    }
}

struct Reader(Diary);

impl Onlooker for Reader {
    fn plan_view(&mut self, scene: &Scene<'_>) {
        self.0.lock().unwrap().push(format!("plan at {:.0}", scene.now));
    }
}

/// Checks 7, 8 and 34 to 39: the order of a tick; what others published at the end of the last phase, whoever is first;
/// commands before the next phase; and nothing that a robot keeps to itself.
#[test]
fn a_tick_has_its_order_and_robots_see_what_was_published() {
    let diary = Diary::default();
    let robots = vec![Stranger::guise("A", "B", &diary), Stranger::guise("B", "A", &diary)];
    let setup = with_guests(Setup::cars_2002(vec![Place::new(5.0, 5.0), Place::new(9.0, 5.0)]), 0);
    let mut reception = team(robots, setup, 1);
    reception.init(&mut ()).unwrap();
    reception.start().unwrap();
    diary.lock().unwrap().clear();
    reception.tick(&mut Reader(diary.clone()));
    assert_eq!(
        *diary.lock().unwrap(),
        [
            "A project",
            "B project",
            "A placed",
            "B placed",
            "A variables, sees 0 and None",
            "B variables, sees 0 and None",
            "plan at 1 s",
            "A emotion, sees 1",
            "B emotion, sees 1",
            "B told zap at 1 s",
            "A told zap at 1 s",
            "A behavior, told 1 times, sees GLEE 1",
            "B behavior, told 1 times, sees GLEE 1",
        ]
    );
}

/// Checks 24, 25 and 27.
#[test]
fn the_log_can_be_parsed_and_replayed() {
    let mut reception = two(100, 5);
    let mut lines = Vec::new();
    let mut statuses = Vec::new();
    reception.init(&mut lines).unwrap();
    reception.start().unwrap();
    for _ in 0..900 {
        reception.tick(&mut lines);
        let status = |name| reception.robot(name).map(|robot| (robot.emotion.clone(), robot.behavior.clone())).unwrap();
        statuses.push((reception.now(), status("Butler"), status("Leguin")));
    }
    reception.stop(&mut lines).unwrap();
    let parsed: Vec<Line> = text(&lines).lines().map(|line| line.parse().expect("it is a line")).collect();
    assert_eq!(parsed, lines);
    for (time, butler, leguin) in statuses {
        let replay = Replay::until(time, &parsed);
        for (name, (emotion, behavior)) in [("Butler", butler), ("Leguin", leguin)] {
            let status = replay.robot(name).expect("it was there");
            assert_eq!((&status.emotion, &status.behavior), (&emotion, &behavior), "{name} at {time}");
        }
    }
    assert!(says(&lines, "refill") > 0 && says(&lines, "exchange") > 0 && says(&lines, "go home") > 0);
    assert!(begins(&lines, "Butler", "EXCHANGE") > 0);
    // Old states are those that were.
    let mut replay = Replay::default();
    for line in &lines {
        match &line.deed {
            Deed::Emotion { robot, old, .. } => assert_eq!(replay.robot(robot).unwrap().emotion, *old),
            Deed::Behavior { robot, old, .. } => assert_eq!(replay.robot(robot).unwrap().behavior, *old),
            _ => {}
        }
        replay.read(line);
    }
}

/// "Every change is a value": whoever looks on can ask for the rule and its numbers, and the log has its sentence.
#[test]
fn a_change_of_emotion_is_a_value_until_it_is_written() {
    let lines = lived(&mut two(100, 5), 900);
    let mut reached = 0;
    for line in &lines {
        let Deed::Emotion { old, new, because, .. } = &line.deed else { continue };
        let reason = because.as_ref().expect("both say why");
        let change = reason.change().expect("as a value");
        assert_eq!((&change.old.name, &change.new.name, change.at), (old, new, line.at));
        assert!(line.to_string().ends_with(&format!("\t{change}")));
        if let Rule::Reached { stress, threshold, .. } = change.rule {
            assert!(stress.get() >= threshold, "{change}");
            reached += 1;
        }
    }
    assert!(reached > 3, "{reached}");
}

/// No change is dropped: whenever the name, the level, the valence or the agency of what Butler feels is another, there is a
/// line, of one kind or the other.
#[test]
fn a_change_under_one_name_is_a_line_of_its_own() {
    let mut reception = two(100, 5);
    reception.init(&mut ()).unwrap();
    reception.start().unwrap();
    let felt = |reception: &Reception| {
        let it = reception.feeling("Butler").expect("it has feelings");
        (it.name, it.level, it.valence, it.agency)
    };
    let (mut before, mut levels) = (felt(&reception), 0);
    for _ in 0..1_800 {
        let mut lines = Vec::new();
        reception.tick(&mut lines);
        let now = felt(&reception);
        let told: Vec<bool> = lines
            .iter()
            .filter_map(|line| match &line.deed {
                Deed::Emotion { robot, .. } if *robot == *"Butler" => Some(true),
                Deed::Level { robot, emotion, because, .. } if *robot == *"Butler" => {
                    let change = because.change().expect("as a value");
                    assert!(!change.is_another() && change.new.name == *emotion, "{line}");
                    Some(false)
                }
                _ => None,
            })
            .collect();
        let expected = if now == before { vec![] } else { vec![now.0 != before.0] };
        assert_eq!(told, expected, "{before:?} to {now:?}");
        levels += told.iter().filter(|another| !**another).count();
        before = now;
    }
    assert!(levels > 3, "{levels}");
}

#[test]
fn odd_names_survive_the_log_and_nonsense_is_refused() {
    let robot = Name::from("a\tb\\n\n");
    let line = Line { at: at(3), deed: Deed::Note { robot, text: "\\t\r".to_owned() } };
    assert_eq!(line.to_string().lines().count(), 1);
    assert_eq!(line.to_string().parse(), Ok(line));
    for nonsense in
        ["", "x\tstop", "-1.0\tstop", "NaN\tstop", "1.0", "1.0\tfly", "1.0\trobot\ta\tb\tc\td", "1\tinit\t\t\t"]
    {
        assert!(nonsense.parse::<Line>().is_err(), "{nonsense:?}");
    }
}

/// Checks 23 and 26.
#[test]
fn the_file_holds_the_same_lines() {
    let folder = std::env::temp_dir().join(format!("muster-reception-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("run.log");
    let expected = text(&lived(&mut two(50, 2), 300)) + "300.000\tstop\n";
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no file without being asked to");
    let mut reception = two(50, 2).with_log(&path);
    // Headless, and twice: the file is that of the last run.
    for _ in 0..2 {
        reception.init(&mut ()).unwrap();
        reception.start().unwrap();
        reception.run_until(at(300), &mut ());
        reception.stop(&mut ()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }
    let mut nowhere = two(0, 1).with_log(folder.join("missing").join("run.log"));
    assert!(nowhere.init(&mut ()).unwrap_err().to_string().contains("cannot be written"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Checks 32 and 16.
#[test]
fn teams_that_make_no_sense_are_refused() {
    let setup = |count| reception::hall(&vec![Place::new(5.0, 5.0); count]);
    let refused =
        |robots: Vec<BoxedRobot>, setup| Reception::new(robots, setup, 1).err().expect("it is refused").to_string();
    assert!(refused(vec![], setup(0)).contains("none is listed"));
    assert!(refused(vec![the_leguin(), the_leguin()], setup(2)).contains("two robots are called `Leguin`"));
    assert!(refused(vec![the_leguin()], setup(2)).contains("1 robots and 2 places"));
    let mut full = two(1_000, 1);
    assert!(full.init(&mut ()).unwrap_err().to_string().contains("find no place"));
    assert_eq!(full.standing(), Standing::New);
}

/// Checks 51, 52, 56, 58 and 59, in the crowd of the paper.
#[test]
fn the_experiment_goes_round() {
    for seed in 0..10 {
        let mut reception = two(100, seed);
        let lines = lived(&mut reception, 1_800);
        let exchanges = begins(&lines, "Butler", "EXCHANGE");
        assert!((5..60).contains(&exchanges), "{exchanges} exchanges");
        // Both know of each, she a tick later.
        let begun = usize::from(reception.robot("Butler").unwrap().behavior == "EXCHANGE");
        assert!(exchanges - begins(&lines, "Leguin", "EXCHANGE") <= begun, "seed {seed}");
        assert!(begins(&lines, "Leguin", "REFILL") >= exchanges);
        assert!(begins(&lines, "Leguin", "WAIT") > 0 && begins(&lines, "Butler", "SERVE") > 0);
        assert!(feels(&lines, "Leguin", "CONCERNED") > 0 && feels(&lines, "Butler", "CONCERNED") > 0);
        let butler_does = lines.iter().filter_map(|line| match &line.deed {
            Deed::Behavior { robot, new, .. } if *robot == *"Butler" => Some(new.as_str()),
            _ => None,
        });
        let butler_does: Vec<&str> = butler_does.collect();
        for pair in butler_does.windows(2).filter(|pair| pair[0] == "EXCHANGE") {
            assert_eq!(pair[1], "GO_BACK", "an exchange leads back");
        }
    }
}

/// Check 54, and 63 for one who is FRUSTRATED.
#[test]
fn walled_in_leguin_makes_butler_intercept() {
    let starts = [Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
    let around = [(23.0, 4.0), (27.0, 4.0), (23.0, 6.0), (27.0, 6.0), (23.0, 8.0), (25.0, 8.0), (27.0, 8.0)];
    let mut setup = with_guests(reception::hall(&starts), 0);
    setup.obstacles.extend(around.map(|(x, y)| Place::new(x, y)));
    let mut reception = team(vec![the_butler(), the_leguin()], setup, 1);
    let mut lines = Vec::new();
    reception.init(&mut lines).unwrap();
    reception.start().unwrap();
    let mut treats = None;
    let mut headed = 0;
    for _ in 0..300 {
        reception.tick(&mut lines);
        let (butler, leguin) = (reception.robot("Butler").unwrap(), reception.robot("Leguin").unwrap());
        // There is a little room inside the wall, and no way out of it.
        assert!(leguin.location.distance_ft(starts[1]) < 1.0);
        if butler.behavior == "EXCHANGE" {
            break;
        }
        if butler.behavior == "INTERCEPT" {
            let left = butler.variables.number("treats");
            assert_eq!(*treats.get_or_insert(left), left, "it has stopped serving");
            let bearing = butler.location.heading_to(leguin.location);
            headed += usize::from((butler.direction - bearing).abs().to_degrees() < 5.0);
            if butler.emotion == "FRUSTRATED" {
                assert_eq!(butler.variables.get("emotionAgency"), Some(&"Leguin".into()));
            }
        }
    }
    assert!(feels(&lines, "Butler", "FRUSTRATED") > 0, "{}", text(&lines));
    assert!(headed >= 5, "{headed} ticks straight at her\n{}", text(&lines));
}

/// Checks 65 and 67.
#[test]
fn vonda_stays_unless_she_is_called() {
    for called in ["Leguin", "Vonda"] {
        let config = butler::Config { refiller: called.into(), ..butler::Config::cars_2002() };
        let vonda: BoxedRobot = Box::new(reception::leguin(leguin::Config::vonda()));
        let robots: Vec<BoxedRobot> = vec![Box::new(reception::butler(config)), the_leguin(), vonda];
        let starts = [Place::new(25.0, 25.0), Place::new(25.0, 6.0), Place::new(29.0, 6.0)];
        let mut reception = team(robots, with_guests(reception::hall(&starts), 60), 2);
        let lines = lived(&mut reception, 900);
        let idle = if called == "Vonda" { "Leguin" } else { "Vonda" };
        let (idle_changes, busy_changes) = (
            lines.iter().filter(|line| changes(line, idle)).count(),
            lines.iter().filter(|line| changes(line, called)).count(),
        );
        assert_eq!(idle_changes, 0, "{idle} has nothing to do");
        assert!(busy_changes > 5, "{called} comes");
        let index = if idle == "Leguin" { 1 } else { 2 };
        assert_eq!(reception.robot(idle).unwrap().location, starts[index]);
    }
}

fn changes(line: &Line, who: &str) -> bool {
    match &line.deed {
        Deed::Emotion { robot, .. } | Deed::Behavior { robot, .. } => *robot == *who,
        _ => false,
    }
}

/// Check 61, and what a prototype showed: with guests there is frustration, without there is none to speak of.
#[test]
fn a_crowd_frustrates() {
    let share = |guests: usize| -> f64 {
        let frustrated = (0..4).map(|seed| {
            let mut reception = two(guests, seed);
            reception.init(&mut ()).unwrap();
            reception.start().unwrap();
            (0..1_800)
                .filter(|_| {
                    reception.tick(&mut ());
                    reception.robot("Butler").unwrap().emotion == "FRUSTRATED"
                })
                .count()
        });
        frustrated.sum::<usize>() as f64 / (4.0 * 1_800.0)
    };
    let (without, with) = (share(0), share(100));
    assert!(without < 0.02 && with > without, "{without} without guests, {with} with 100");
}

#[test]
fn a_tick_is_a_second() {
    assert_eq!(TICK, Duration::from_secs(1));
}

/// Check 60: "Sometimes, as in real life, her treats were again exhausted before Butler regained her original starting
/// point."
#[test]
fn sometimes_treats_run_out_on_the_way_back() {
    let ran_out_going_back = |seed: u64| {
        let config = butler::Config { consumption_mean_s: 0.5, ..butler::Config::cars_2002() };
        let starts = [Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
        let robots: Vec<BoxedRobot> = vec![Box::new(reception::butler(config)), the_leguin()];
        let mut replay = Replay::default();
        lived(&mut team(robots, reception::hall(&starts), seed), 900).iter().any(|line| {
            replay.read(line);
            let going_back = replay.robot("Butler").is_some_and(|butler| butler.behavior == "GO_BACK");
            going_back && matches!(&line.deed, Deed::Note { text, .. } if text == "runs out of treats")
        })
    };
    assert!((0..20).any(ran_out_going_back));
}
