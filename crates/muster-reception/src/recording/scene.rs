//! What a viewer shows of a reception: the hall, robots as they go, guests now and then. In metres; rounded; never read
//! back.

use muster_core::affect::Name;
use muster_core::{Duration, Point, Pose, Time};
use muster_journal::foxglove::{
    CubePrimitive, FrameTransforms, LinePrimitive, Point3, SceneEntity, SceneUpdate, Vector3,
};
use muster_journal::show::{BLUE, FIELD, GREY, ORANGE, at, color, entity, label, metres, transform};

use crate::reception::Scene;
use crate::robot::Place;
use crate::scenario::Party;

/// Metres in a foot.
const FOOT_M: f64 = 0.3048;
/// Every body is a square of two feet.
const BODY_M: f64 = 2.0 * FOOT_M;
/// How often guests are shown: a hundred of them every second would be ten times as large as all the rest.
const GUESTS: Duration = Duration::from_secs(30);

/// What a viewer has been shown already.
pub struct Shown {
    size_ft: (f64, f64),
    obstacles: Vec<Place>,
    poses: Vec<Option<Pose>>,
    guests: Option<Time>,
}

fn place_m(place: Place) -> Point {
    Point::new(place.x * FOOT_M, place.y * FOOT_M)
}

impl Shown {
    /// Nothing yet, of this reception.
    pub fn of(party: &Party) -> Self {
        let setup = &party.setup;
        let size_ft = (setup.width_ft, setup.height_ft);
        Self { size_ft, obstacles: setup.obstacles.clone(), poses: Vec::new(), guests: None }
    }

    /// The poses that have changed.
    pub fn transforms(&mut self, scene: &Scene<'_>) -> Option<FrameTransforms> {
        self.poses.resize(scene.robots.len(), None);
        let robots = scene.robots.iter().zip(scene.crowd.robots()).zip(&mut self.poses);
        let moved = robots.filter_map(|((robot, place), shown)| {
            let pose = Pose { place: place_m(place), yaw: robot.direction };
            (shown.replace(pose) != Some(pose)).then(|| transform(&robot.name, pose, scene.now))
        });
        let transforms: Vec<_> = moved.collect();
        (!transforms.is_empty()).then_some(FrameTransforms { transforms })
    }

    /// The hall and the robots once, the guests now and then.
    pub fn scene(&mut self, scene: &Scene<'_>) -> Option<SceneUpdate> {
        let now = scene.now;
        if self.guests.is_some_and(|shown| now < shown + GUESTS) {
            return None;
        }
        let mut entities = Vec::new();
        if self.guests.replace(now).is_none() {
            entities.push(hall(self.size_ft, now));
            entities.extend(self.obstacles.iter().enumerate().map(|(index, place)| obstacle(index, *place, now)));
            entities.extend(scene.robots.iter().map(|robot| robot_shape(&robot.name, now)));
        }
        let guests = scene.crowd.guests().flat_map(|guest| diagonal(place_m(guest.place)));
        // 2: pairs of points.
        let (points, colour) = (guests.collect(), color(ORANGE, 0.8));
        let line = LinePrimitive { r#type: 2, thickness: 2.0, scale_invariant: true, points, color: colour };
        entities.push(SceneEntity { lines: vec![line], ..entity(FIELD, "guests".to_owned(), now) });
        Some(SceneUpdate { entities })
    }
}

/// A guest: one diagonal of its body is enough to see where it is.
fn diagonal(place: Point) -> [Point3; 2] {
    let half = BODY_M / 2.0;
    [-half, half].map(|by| Point3 { x: metres(place.x + by), y: metres(place.y + by), z: 0.0 })
}

fn hall((width_ft, height_ft): (f64, f64), now: Time) -> SceneEntity {
    let (width, height) = (width_ft * FOOT_M, height_ft * FOOT_M);
    let corner = |x, y| Point3 { x, y, z: 0.0 };
    let points = vec![corner(0.0, 0.0), corner(width, 0.0), corner(width, height), corner(0.0, height)];
    // 1: a closed loop.
    let line = LinePrimitive { r#type: 1, thickness: 2.0, scale_invariant: true, points, color: color(GREY, 1.0) };
    SceneEntity { lines: vec![line], ..entity(FIELD, "hall".to_owned(), now) }
}

fn body(place: Point, colour: (f64, f64, f64)) -> CubePrimitive {
    let size = Some(Vector3 { x: BODY_M, y: BODY_M, z: BODY_M });
    CubePrimitive { pose: at(place, BODY_M / 2.0), size, color: color(colour, 1.0) }
}

fn obstacle(index: usize, place: Place, now: Time) -> SceneEntity {
    SceneEntity { cubes: vec![body(place_m(place), GREY)], ..entity(FIELD, format!("obstacle {index}"), now) }
}

fn robot_shape(name: &Name, now: Time) -> SceneEntity {
    let text = label(name, at(Point::default(), 1.5 * BODY_M));
    let cubes = vec![body(Point::default(), BLUE)];
    SceneEntity { cubes, texts: vec![text], ..entity(name, format!("robot {name}"), now) }
}
