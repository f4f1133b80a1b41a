//! From a parsed file to a reception that can be run again and again.

use std::path::Path;
use std::sync::Arc;

use crate::robot::Place;
use muster_core::Duration;
use muster_core::affect::{Name, Table};
use muster_script::{Limits, ScriptError};
use muster_sim::scenario::{Misfit, Wrong, at_line, did_you_mean, name};

use super::kept::{Kept, Shelf};
use super::{GuestsEntry, ReceptionScenario, ReceptionSection, RobotEntry, Spread, guests};
use crate::crowd::{Crowd, CrowdError, Gait, Guests, Setup, Triangular, Who};
use crate::reception::{BoxedRobot, Class, Link, Reception, ReceptionError, Settings, config};
use crate::script::shipped;
use muster_sim::emotions;

/// A reception that has been checked, ready to be run with any seed.
#[derive(Clone, Debug)]
pub struct Party {
    /// Its name: of a built-in scenario, or of its file.
    pub name: String,
    /// The file's content, with every change made and every default filled in.
    pub scenario: ReceptionScenario,
    /// The hall, the guests, and where robots start.
    pub setup: Setup,
    /// What robots talk over.
    pub link: Link,
    /// Time from the beginning to the end.
    pub limit: Duration,
    /// The table of emotions that robots feel by.
    pub table: Arc<Table>,
    /// The files that the scenario names, as they were read.
    pub kept: Kept,
    cast: Vec<Member>,
}

/// One of the robots.
#[derive(Clone, Debug)]
struct Member {
    class: Class,
    /// What the scenario calls it; without, its class has a name.
    name: Option<String>,
    settings: Settings,
}

impl Member {
    fn robot(&self, table: &Arc<Table>) -> Result<BoxedRobot, Misfit> {
        self.class.robot(self.name.as_deref(), &self.settings, table)
    }
}

impl Party {
    /// The reception with this seed. Nothing runs yet.
    pub fn reception(&self, seed: u64) -> Result<Reception, ReceptionError> {
        let robots = self.cast.iter().map(|member| member.robot(&self.table).expect("it was made before"));
        Ok(Reception::new(robots.collect(), self.setup.clone(), seed)?.with_link(self.link))
    }

    /// How many guests there are.
    pub fn guests(&self) -> usize {
        match &self.setup.guests {
            Guests::Random { count, .. } => *count,
            Guests::Logged(log) => log.starts().len(),
        }
    }

    /// What robots are called, in their order.
    pub fn names(&self) -> Vec<Name> {
        self.cast.iter().map(|member| member.robot(&self.table).expect("it was made before").get_name()).collect()
    }
}

/// Where in the file a robot is told of.
enum Origin {
    Table(String),
    Line { config: String, text: String, line: usize },
}

impl Origin {
    /// What is wrong with the robot, told where it was listed.
    fn blame(&self, misfit: Misfit, keys: &[&str]) -> Wrong {
        match self {
            Self::Table(name) => {
                let head = ["reception", "robots", name];
                let keys = head.iter().chain(keys).map(|key| (*key).to_owned());
                Wrong::Misfit(Misfit { key: keys.chain(misfit.key).collect(), ..misfit })
            }
            Self::Line { config, text, line } => at_line(config, text, *line, misfit.message, misfit.help),
        }
    }
}

/// Checks what a file says; the files that it names are looked for on `shelf`.
pub fn build(scenario: ReceptionScenario, shelf: Shelf<'_>, name: &str) -> Result<Party, Wrong> {
    let section = &scenario.reception;
    let table = match &section.emotions {
        Some(path) => {
            let help = "name a .toml file of emotions; docs/emotions.md shows one";
            let (origin, text) = read(&shelf, path, "emotions", help)?;
            emotions::parse(&origin, &text).map_err(Wrong::other)?
        }
        None => emotions::built_in(),
    };
    let mut listed = Vec::new();
    for (name, entry) in &section.robots {
        listed.push(member(name, entry, &shelf, &table)?);
    }
    if let Some(path) = &section.config {
        listed.extend(configured(path, &shelf, &table)?);
    }
    if listed.is_empty() {
        let help = "add a table such as [reception.robots.Butler], or name a file in reception.config";
        return Err(Wrong::Misfit(Misfit::new(&["reception"], "no robot is listed", help)));
    }
    let mut names: Vec<Name> = Vec::new();
    for (origin, member, _) in &listed {
        let robot = member.robot(&table).map_err(|misfit| {
            let settings: &[&str] = if misfit.key.is_empty() { &[] } else { &["settings"] };
            origin.blame(misfit, settings)
        })?;
        let name = robot.get_name();
        if member.name.as_ref().is_some_and(|given| name != **given) {
            let message = format!("this robot says that it is called `{name}`");
            let help = "let its get_name() return this.name, or give the table the same name";
            return Err(origin.blame(Misfit::new(&[], message, help), &[]));
        }
        if names.contains(&name) {
            let message = format!("two robots are called `{name}`");
            return Err(origin.blame(Misfit::new(&[], message, "robots call each other by name: give it another"), &[]));
        }
        name::check("robot", &name, &[]).map_err(|misfit| origin.blame(misfit, &[]))?;
        names.push(name);
    }
    let setup = setup(section, &shelf, &listed)?;
    check_places(&setup, &listed)?;
    let link = Link {
        loss: scenario.radio.loss.get(),
        latency: Duration::from_secs_f64(scenario.radio.latency_ms.get() / 1_000.0),
    };
    let limit = Duration::from_secs_f64(scenario.limit_s.get());
    let cast = listed.into_iter().map(|(_, member, _)| member).collect();
    Ok(Party { name: name.to_owned(), setup, link, limit, table, kept: shelf.kept(), cast, scenario })
}

type Listed = (Origin, Member, Option<Place>);

fn member(name: &str, entry: &RobotEntry, shelf: &Shelf<'_>, table: &Arc<Table>) -> Result<Listed, Wrong> {
    let origin = Origin::Table(name.to_owned());
    if name.trim().is_empty() {
        return Err(
            origin.blame(Misfit::new(&[], "a robot has no name", "name its table: [reception.robots.NAME]"), &[])
        );
    }
    // Without a class: the one called as the robot is, or the script that is.
    let script = format!("{name}{SCRIPT}");
    let is_script = Class::named(name).is_none() && shelf.has(&script);
    let class = entry.class.as_deref().unwrap_or(if is_script { &script } else { name });
    let keys: &[&str] = if entry.class.is_some() { &["class"] } else { &[] };
    let class = class_of(class, Path::new(""), shelf, table, |misfit| origin.blame(misfit, keys))?;
    let member = Member { class, name: Some(name.to_owned()), settings: entry.settings.clone() };
    Ok((origin, member, entry.place_ft.map(Place::from)))
}

/// The robots of a `CARSConfig.txt`.
fn configured(path: &str, shelf: &Shelf<'_>, table: &Arc<Table>) -> Result<Vec<Listed>, Wrong> {
    let (origin, text) = read(shelf, path, "config", &named("config"))?;
    let classes = config::classes(&text)
        .map_err(|config::BadConfig { line, message, help }| at_line(&origin, &text, line, message, help))?;
    let beside = Path::new(path).parent().unwrap_or(Path::new(""));
    let robots = classes.into_iter().map(|(line, class)| {
        let origin = Origin::Line { config: origin.clone(), text: text.clone(), line };
        let class = class_of(class, beside, shelf, table, |misfit| origin.blame(misfit, &[]))?;
        Ok((origin, Member { class, name: None, settings: Settings::new() }, None))
    });
    robots.collect()
}

/// A class by its name, or a script by its file: one `beside` the scenario or the file that lists it, or one of those that
/// come with Muster.
fn class_of(
    class: &str,
    beside: &Path,
    shelf: &Shelf<'_>,
    table: &Arc<Table>,
    blame: impl Fn(Misfit) -> Wrong,
) -> Result<Class, Wrong> {
    if let Some(class) = Class::named(class) {
        return Ok(class);
    }
    let Some(stem) = class.strip_suffix(SCRIPT) else {
        let message = format!("there is no class called `{class}`");
        return Err(blame(Misfit::new(&[], message, config::unknown(class))));
    };
    let own = beside.join(class).to_string_lossy().into_owned();
    let path = shelf.path(&own).filter(|_| shelf.has(&own));
    let script = match (path, shipped::class(stem, table.clone())) {
        (Some(path), _) => {
            let origin = path.display().to_string();
            let text = shelf.text(&own).map_err(|error| Wrong::other(ScriptError::unreadable(&origin, &error)))?;
            let class = crate::script::Class::new(&origin, &text, table.clone(), Limits::for_robots());
            Arc::new(class.map_err(Wrong::other)?)
        }
        (None, Some(shipped)) => shipped,
        (None, None) => {
            let known: Vec<String> = shipped::classes().map(|name| format!("{name}{SCRIPT}")).collect();
            let help = did_you_mean(class, &known, "put it beside the scenario, or take one that comes with Muster");
            return Err(blame(Misfit::new(&[], format!("there is no script `{class}`"), help)));
        }
    };
    Ok(Class::Script(script))
}

/// How files of scripts end.
const SCRIPT: &str = ".rhai";

fn setup(section: &ReceptionSection, shelf: &Shelf<'_>, listed: &[Listed]) -> Result<Setup, Wrong> {
    let obstacles: Vec<Place> = section.obstacles_ft.iter().map(|place| Place::from(*place)).collect();
    let guests = match &section.guests.log {
        Some(path) => {
            let (origin, text) = read(shelf, path, "guests.log", &named("guests.log"))?;
            let log = guests::read(&text)
                .map_err(|(line, message, help)| at_line(&origin, &text, line, message, help.to_owned()))?;
            Guests::Logged(log)
        }
        None => Guests::Random { count: section.guests.count as usize, gait: gait(&section.guests)? },
    };
    let mut setup = Setup {
        width_ft: section.width_ft.get(),
        height_ft: section.height_ft.get(),
        robots: Vec::new(),
        obstacles,
        guests,
    };
    // Those whose place is known first: the others stand wherever there is room beside them.
    let known: Vec<Option<Place>> = listed.iter().map(|(_, member, place)| place.or(usual(member, &setup))).collect();
    let mut taken: Vec<Place> = setup.obstacles.iter().chain(known.iter().flatten()).copied().collect();
    for place in known {
        let place = place.or_else(|| room(&setup, &taken)).ok_or_else(|| {
            let help = "give the hall more room, or robots a place_ft each";
            Wrong::Misfit(Misfit::new(&["reception"], "there is no room for all robots", help))
        })?;
        taken.push(place);
        setup.robots.push(place);
    }
    Ok(setup)
}

/// Where robots of the class start as a rule, if the hall reaches that far.
fn usual(member: &Member, setup: &Setup) -> Option<Place> {
    member.class.place().filter(|place| place.x + 1.0 <= setup.width_ft && place.y + 1.0 <= setup.height_ft)
}

/// The first place, in rows from the south-west, with a body's width between it and all others.
fn room(setup: &Setup, taken: &[Place]) -> Option<Place> {
    let rows = |side_ft: f64| (0..(side_ft / 4.0).ceil() as u32).map(|row| 2.0 + 4.0 * f64::from(row));
    let fits = |place: &Place| place.x + 1.0 <= setup.width_ft && place.y + 1.0 <= setup.height_ft;
    let apart = |a: Place, b: Place| (a.x - b.x).abs() >= 4.0 || (a.y - b.y).abs() >= 4.0;
    let mut all = rows(setup.height_ft).flat_map(|y| rows(setup.width_ft).map(move |x| Place::new(x, y)));
    all.find(|place| fits(place) && taken.iter().all(|other| apart(*place, *other)))
}

fn gait(entry: &GuestsEntry) -> Result<Gait, Wrong> {
    let triangular = |key: &str, Spread([min, mode, max]): Spread| {
        Triangular::new(min, mode, max).map_err(|bad| {
            let help = "give [least, most frequent, most], each at least as large as the one before";
            Wrong::Misfit(Misfit::new(&["reception", "guests", key], bad.to_string(), help))
        })
    };
    Ok(Gait {
        speed_fps: triangular("speed_fps", entry.speed_fps)?,
        duration_s: triangular("duration_s", entry.duration_s)?,
    })
}

/// Everybody finds a place, at least with one seed: what does not depend on it is told here, with its key.
fn check_places(setup: &Setup, listed: &[Listed]) -> Result<(), Wrong> {
    let Err(error) = Crowd::new(setup, 0) else { return Ok(()) };
    let (message, help) = match error.to_string().split_once(": ") {
        Some((message, help)) => (message.to_owned(), help.to_owned()),
        None => (error.to_string(), "docs/scenarios.md says under [reception] what may be set".to_owned()),
    };
    let who = match &error {
        CrowdError::Outside { who, .. } | CrowdError::Taken { who, .. } => Some(*who),
        CrowdError::Field { .. } | CrowdError::Full { .. } => None,
    };
    let misfit = |key: &[&str]| Wrong::Misfit(Misfit::new(key, message.clone(), help.clone()));
    Err(match who {
        Some(Who::Robot(index)) => {
            let (origin, member, _) = &listed[index];
            let name = member.name.as_deref().map_or("this robot", |name| name);
            let message = message.replacen(&Who::Robot(index).to_string(), name, 1);
            origin.blame(Misfit::new(&[], message, help), &["place_ft"])
        }
        Some(Who::Obstacle(index)) => misfit(&["reception", "obstacles_ft", &index.to_string()]),
        Some(Who::Guest(_)) => misfit(&["reception", "guests", "log"]),
        None if matches!(error, CrowdError::Full { .. }) => misfit(&["reception", "guests", "count"]),
        None => misfit(&["reception", "width_ft"]),
    })
}

/// What to try if the file under a key cannot be read.
fn named(key: &str) -> String {
    format!("reception.{key} names a file beside the scenario: check its name")
}

/// A file that the scenario names: what messages call it, and its text. That it cannot be read is told where the scenario
/// names it.
fn read(shelf: &Shelf<'_>, name: &str, key: &str, help: &str) -> Result<(String, String), Wrong> {
    let keys: Vec<&str> = std::iter::once("reception").chain(key.split('.')).collect();
    let misfit = |message: String, help: &str| Wrong::Misfit(Misfit::new(&keys, message, help));
    let Some(path) = shelf.path(name) else {
        return Err(misfit("a text cannot name other files".to_owned(), "save the scenario as a file"));
    };
    let origin = path.display().to_string();
    match shelf.text(name) {
        Ok(text) => Ok((origin, text)),
        Err(error) => Err(misfit(format!("{origin}: cannot be read: {error}"), help)),
    }
}
