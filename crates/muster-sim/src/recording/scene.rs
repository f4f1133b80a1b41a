//! What a viewer shows of a mission: poses, robots and tasks as shapes, messages as arcs. Rounded; never read back.

use muster_core::mechanism::Recipient;
use muster_core::motion::{Along, Motion};
use muster_core::panel::Family;
use muster_core::{Body, Pose, RobotId, Time};
use muster_journal::foxglove::{
    CubePrimitive, Duration as Lifetime, FrameTransforms, LinePrimitive, Point3, SceneEntity, SceneUpdate,
    SpherePrimitive, Vector3,
};
use muster_journal::show::{BLUE, FIELD, GREEN, GREY, ORANGE, VERMILION, at, color, entity, label, metres, transform};

use crate::ledger::{Ledger, Record};
use crate::mission::Mission;
use crate::origin::Origin;
use crate::pushed::{BoxSpec, PushedBox};
use crate::radio::Fate;

/// The frame of the box that is pushed.
const BOX: &str = "box";
/// Messages fade after so many seconds.
const ARC_LASTS_S: i64 = 1;

/// What a viewer has been shown already.
#[derive(Default)]
pub struct Shown {
    poses: Vec<Option<Pose>>,
    /// For each task, how far it had come.
    tasks: Vec<u8>,
    /// When each vehicle left on the way that is shown.
    ways: Vec<Option<Time>>,
    begun: bool,
}

impl Shown {
    /// The poses that have changed.
    pub fn transforms(
        &mut self,
        mission: &Mission,
        bodies: &[Body],
        pushed: Option<&PushedBox<'_>>,
        now: Time,
    ) -> Option<FrameTransforms> {
        self.poses.resize(bodies.len() + 1, None);
        let mut transforms = Vec::new();
        let robots = bodies.iter().map(|body| (&*mission.robots[body.id.index()].name, Some(body.pose(now))));
        let all = robots.chain([(BOX, pushed.map(|pushed| pushed.pose(now)))]);
        for ((name, pose), shown) in all.zip(&mut self.poses) {
            let Some(pose) = pose.filter(|pose| *shown != Some(*pose)) else { continue };
            *shown = Some(pose);
            transforms.push(transform(name, pose, now));
        }
        (!transforms.is_empty()).then_some(FrameTransforms { transforms })
    }

    /// Some robot is on its way.
    pub fn anybody_drives(&self, bodies: &[Body]) -> bool {
        bodies.iter().any(|body| !matches!(body.motion, Motion::Still(_)))
    }

    /// Robots once, tasks when they change, messages as they come.
    pub fn scene(
        &mut self,
        origin: &Origin,
        bodies: &[Body],
        ledger: &Ledger,
        arcs: Arcs,
        now: Time,
    ) -> Option<SceneUpdate> {
        let loaded = &origin.loaded;
        let mut entities = Vec::new();
        if !self.begun {
            self.begun = true;
            let mission = &loaded.mission;
            entities.push(field(mission, now));
            entities.extend(mission.pushed.as_ref().map(|spec| box_shape(spec, now)));
            let size_m = size_m(mission);
            let robots = mission.robots.iter();
            entities.extend(robots.map(|robot| robot_shape(&robot.name, robot.errand.is_some(), size_m, now)));
        }
        self.tasks.resize(ledger.records().len(), 0);
        for (record, shown) in ledger.records().iter().zip(&mut self.tasks) {
            let state = 1 + u8::from(record.seen.is_some()) + u8::from(record.served.is_some());
            // A task is there from the moment it is seen.
            if state > 1 && *shown != state {
                *shown = state;
                let name = origin.task_name(record.task.id).unwrap_or_default();
                let served = origin.scheme.serves_in_a_word();
                entities.push(task_shape(record, name, served, size_m(&loaded.mission), now));
            }
        }
        if origin.scheme.plans_ways() {
            self.ways.resize(bodies.len(), None);
            for (body, shown) in bodies.iter().zip(&mut self.ways) {
                let Motion::Along(along) = &body.motion else { continue };
                if shown.replace(along.leave) != Some(along.leave) {
                    entities.push(way_shape(&loaded.mission.robots[body.id.index()].name, along, now));
                }
            }
        }
        entities.extend(arcs.shapes(origin.scheme.highlights(), bodies, now));
        (!entities.is_empty()).then_some(SceneUpdate { entities })
    }
}

fn field(mission: &Mission, now: Time) -> SceneEntity {
    let corner = |x, y| Point3 { x, y, z: 0.0 };
    let (width, height) = (mission.width_m, mission.height_m);
    let points = vec![corner(0.0, 0.0), corner(width, 0.0), corner(width, height), corner(0.0, height)];
    // 1: a closed loop.
    let line = LinePrimitive { r#type: 1, thickness: 2.0, scale_invariant: true, points, color: color(GREY, 1.0) };
    SceneEntity { lines: vec![line], ..entity(FIELD, "field".to_owned(), now) }
}

/// How long a robot is shown: to be seen in a large field, and not to fill a small one.
fn size_m(mission: &Mission) -> f64 {
    (mission.width_m.min(mission.height_m) / 50.0).clamp(0.2, 1.5)
}

fn box_shape(spec: &BoxSpec, now: Time) -> SceneEntity {
    let cube = CubePrimitive {
        pose: at(muster_core::Point::default(), 0.15),
        size: Some(Vector3 { x: spec.length_m, y: 0.3, z: 0.3 }),
        color: color(GREY, 1.0),
    };
    SceneEntity { cubes: vec![cube], ..entity(BOX, BOX.to_owned(), now) }
}

fn robot_shape(name: &str, has_errand: bool, size_m: f64, now: Time) -> SceneEntity {
    let (width, height) = (size_m / 1.5, size_m / 1.5);
    let cube = CubePrimitive {
        pose: at(muster_core::Point::default(), height / 2.0),
        size: Some(Vector3 { x: size_m, y: width, z: height }),
        color: color(if has_errand { ORANGE } else { BLUE }, 1.0),
    };
    let text = label(name, at(muster_core::Point::default(), height + size_m / 1.5));
    SceneEntity { cubes: vec![cube], texts: vec![text], ..entity(name, format!("robot {name}"), now) }
}

fn task_shape(record: &Record, name: &str, word: &str, size_m: f64, now: Time) -> SceneEntity {
    let served = record.served.is_some();
    let sphere = SpherePrimitive {
        pose: at(record.task.place, 0.0),
        size: Some(Vector3 { x: size_m / 0.75, y: size_m / 0.75, z: size_m / 0.75 }),
        color: color(if served { GREEN } else { VERMILION }, 0.8),
    };
    let text =
        label(&if served { format!("{name}: {word}") } else { name.to_owned() }, at(record.task.place, size_m / 0.6));
    SceneEntity { spheres: vec![sphere], texts: vec![text], ..entity(FIELD, format!("task {name}"), now) }
}

/// The way of a vehicle over its target, corridor and all, until it has flown it.
fn way_shape(name: &str, along: &Along, now: Time) -> SceneEntity {
    let point = |place: muster_core::Point| Point3 { x: metres(place.x), y: metres(place.y), z: 0.0 };
    // 0: a line.
    let line = LinePrimitive {
        r#type: 0,
        thickness: 2.0,
        scale_invariant: true,
        points: along.path.corners().map(point).collect(),
        color: color(BLUE, 0.6),
    };
    let left_s = (along.leave + along.duration()).since(now).as_secs_f64();
    SceneEntity {
        lines: vec![line],
        lifetime: Some(Lifetime { seconds: left_s.ceil() as i64, nanos: 0 }),
        ..entity(FIELD, format!("way {name}"), now)
    }
}

/// The messages of the last moments.
#[derive(Default)]
pub struct Arcs(Vec<(RobotId, Recipient, Family, bool)>);

/// A busy second of a large team is shown in part: a viewer cannot draw more, nor a person see it.
const MOST_ARCS: usize = 200;

impl Arcs {
    /// A message was sent.
    pub fn add(&mut self, from: RobotId, to: Recipient, family: Family, fate: Fate) {
        if self.0.len() < MOST_ARCS {
            self.0.push((from, to, family, fate == Fate::Lost));
        }
    }

    fn shapes(self, highlighted: Option<Family>, bodies: &[Body], now: Time) -> Option<SceneEntity> {
        if self.0.is_empty() {
            return None;
        }
        let place = |robot: RobotId, z: f64| {
            let place = bodies.get(robot.index()).map_or_else(Default::default, |body| body.place(now));
            Point3 { x: metres(place.x), y: metres(place.y), z }
        };
        let mut lines = Vec::new();
        for (from, to, family, lost) in self.0 {
            let shade = color(
                if lost {
                    GREY
                } else if highlighted == Some(family) {
                    ORANGE
                } else {
                    BLUE
                },
                if lost { 0.4 } else { 0.9 },
            );
            let ends = match to {
                // A broadcast is a mast: spokes to everybody would hide the rest.
                Recipient::All => (place(from, 0.0), place(from, 8.0)),
                Recipient::Named(robot) | Recipient::Only(robot) => (place(from, 1.0), place(robot, 1.0)),
            };
            // 2: pairs of points; 0: a line. A lost message stops half-way.
            let far = if lost { midway(&ends.0, &ends.1) } else { ends.1 };
            lines.push(LinePrimitive {
                r#type: 0,
                thickness: 2.0,
                scale_invariant: true,
                points: vec![ends.0, far],
                color: shade,
            });
        }
        let arcs = SceneEntity {
            lines,
            lifetime: Some(Lifetime { seconds: ARC_LASTS_S, nanos: 0 }),
            ..entity(FIELD, format!("radio {}", now.as_micros()), now)
        };
        Some(arcs)
    }
}

fn midway(a: &Point3, b: &Point3) -> Point3 {
    Point3 { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0, z: (a.z + b.z) / 2.0 }
}
