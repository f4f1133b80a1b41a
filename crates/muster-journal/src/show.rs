//! What viewers are shown, in Foxglove's messages: poses, shapes, lines of the log. Rounded; nothing is read back from it.

use muster_core::{Point, Pose, Time};

use crate::foxglove::{
    Color, FrameTransform, Log, Pose as ShownPose, Quaternion, SceneEntity, TextPrimitive, Timestamp, Vector3,
};

/// The frame that all others stand in.
pub const FIELD: &str = "field";
/// Positions to a millimetre and angles to a quarter of a milliradian: enough to look at, a fifth less to store.
const PER_METRE: f64 = 1_024.0;
const PER_UNIT: f64 = 4_096.0;

/// Colours that the colour-blind can tell apart (Okabe and Ito).
pub const BLUE: (f64, f64, f64) = (0.0, 0.447, 0.698);
/// Of robots with an errand, and of calls for help.
pub const ORANGE: (f64, f64, f64) = (0.902, 0.624, 0.0);
/// Of what is done.
pub const GREEN: (f64, f64, f64) = (0.0, 0.620, 0.451);
/// Of what is to be done.
pub const VERMILION: (f64, f64, f64) = (0.835, 0.369, 0.0);
/// Of what only stands there.
pub const GREY: (f64, f64, f64) = (0.5, 0.5, 0.5);

/// A colour, more or less transparent.
pub fn color((r, g, b): (f64, f64, f64), a: f64) -> Option<Color> {
    Some(Color { r, g, b, a })
}

fn stamp(now: Time) -> Option<Timestamp> {
    let micros = now.as_micros();
    Some(Timestamp { seconds: (micros / 1_000_000) as i64, nanos: (micros % 1_000_000 * 1_000) as i32 })
}

fn rounded(value: f64, per: f64) -> f64 {
    (value * per).round() / per
}

/// Metres, as they are shown.
pub fn metres(value: f64) -> f64 {
    rounded(value, PER_METRE)
}

fn turned(yaw: f64) -> Option<Quaternion> {
    let (z, w) = (libm::sin(yaw / 2.0), libm::cos(yaw / 2.0));
    Some(Quaternion { x: 0.0, y: 0.0, z: rounded(z, PER_UNIT), w: rounded(w, PER_UNIT) })
}

/// A place, facing east, `z` metres above the ground.
pub fn at(place: Point, z: f64) -> Option<ShownPose> {
    let position = Vector3 { x: metres(place.x), y: metres(place.y), z };
    Some(ShownPose { position: Some(position), orientation: turned(0.0) })
}

/// Where something is on the field.
pub fn transform(name: &str, pose: Pose, now: Time) -> FrameTransform {
    FrameTransform {
        timestamp: stamp(now),
        parent_frame_id: FIELD.to_owned(),
        child_frame_id: name.to_owned(),
        translation: at(pose.place, 0.0).and_then(|pose| pose.position),
        rotation: turned(pose.yaw),
    }
}

/// Something without a shape yet.
pub fn entity(frame: &str, id: String, now: Time) -> SceneEntity {
    SceneEntity { timestamp: stamp(now), frame_id: frame.to_owned(), id, frame_locked: true, ..Default::default() }
}

/// A name beside a shape.
pub fn label(text: &str, pose: Option<ShownPose>) -> TextPrimitive {
    TextPrimitive {
        pose,
        billboard: true,
        font_size: 12.0,
        scale_invariant: true,
        color: color(GREY, 1.0),
        text: text.to_owned(),
    }
}

/// A line of the log.
pub fn log_line(at: Time, name: &str, message: String) -> Log {
    // 2: information.
    Log { timestamp: stamp(at), level: 2, message, name: name.to_owned() }
}
