//! The messages of Foxglove's schemas that a recording shows a run with, in protobuf.
//!
//! Only the fields that are ever set; a viewer takes the others to be empty, as protobuf has it. `wire.rs` is how
//! fields are written, `schema.rs` what viewers are told of them.

pub mod schema;
mod wire;

use wire::Field;

/// A message of protobuf.
pub trait Message {
    /// Writes it, field by field.
    fn write(&self, to: &mut Vec<u8>);
}

/// Structs, each field with its number in Foxglove's schema.
macro_rules! messages {
    ($($name:ident { $($number:literal $field:ident: $kind:ty,)* })*) => {$(
        #[derive(Clone, Debug, Default)]
        #[allow(missing_docs, reason = "Foxglove documents its schemas")]
        pub struct $name {
            $(pub $field: $kind,)*
        }

        impl Message for $name {
            fn write(&self, to: &mut Vec<u8>) {
                $(self.$field.put($number, to);)*
            }
        }
    )*};
}

messages! {
    Timestamp { 1 seconds: i64, 2 nanos: i32, }
    Duration { 1 seconds: i64, 2 nanos: i32, }
    Vector3 { 1 x: f64, 2 y: f64, 3 z: f64, }
    Point3 { 1 x: f64, 2 y: f64, 3 z: f64, }
    Quaternion { 1 x: f64, 2 y: f64, 3 z: f64, 4 w: f64, }
    Pose { 1 position: Option<Vector3>, 2 orientation: Option<Quaternion>, }
    Color { 1 r: f64, 2 g: f64, 3 b: f64, 4 a: f64, }
    FrameTransform {
        1 timestamp: Option<Timestamp>,
        2 parent_frame_id: String,
        3 child_frame_id: String,
        4 translation: Option<Vector3>,
        5 rotation: Option<Quaternion>,
    }
    FrameTransforms { 1 transforms: Vec<FrameTransform>, }
    CubePrimitive { 1 pose: Option<Pose>, 2 size: Option<Vector3>, 3 color: Option<Color>, }
    SpherePrimitive { 1 pose: Option<Pose>, 2 size: Option<Vector3>, 3 color: Option<Color>, }
    LinePrimitive {
        1 r#type: i32,
        3 thickness: f64,
        4 scale_invariant: bool,
        5 points: Vec<Point3>,
        6 color: Option<Color>,
    }
    TextPrimitive {
        1 pose: Option<Pose>,
        2 billboard: bool,
        3 font_size: f64,
        4 scale_invariant: bool,
        5 color: Option<Color>,
        6 text: String,
    }
    SceneEntity {
        1 timestamp: Option<Timestamp>,
        2 frame_id: String,
        3 id: String,
        4 lifetime: Option<Duration>,
        5 frame_locked: bool,
        8 cubes: Vec<CubePrimitive>,
        9 spheres: Vec<SpherePrimitive>,
        11 lines: Vec<LinePrimitive>,
        13 texts: Vec<TextPrimitive>,
    }
    SceneUpdate { 2 entities: Vec<SceneEntity>, }
    Log { 1 timestamp: Option<Timestamp>, 2 level: i32, 3 message: String, 4 name: String, }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(message: &impl Message) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.write(&mut bytes);
        bytes
    }

    /// Protobuf leaves out what is zero or empty, but not a message that is there and has nothing in it.
    #[test]
    fn a_field_that_is_zero_is_left_out() {
        let log = Log { timestamp: Some(Timestamp::default()), ..Log::default() };
        assert_eq!(written(&log), [0x0a, 0]);
        let place = Vector3 { x: 0.0, y: -0.0, z: 1.0 };
        assert_eq!(written(&place), [0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    }

    #[test]
    fn numbers_are_written_in_groups_of_seven_bits() {
        let time = Timestamp { seconds: 300, nanos: 5 };
        assert_eq!(written(&time), [0x08, 0xac, 0x02, 0x10, 5]);
        assert_eq!(written(&Duration { seconds: -1, nanos: 0 }).len(), 11, "a negative number has ten bytes");
    }

    /// The length stands in front, and takes two bytes from 128 on and three from 16,384 on.
    #[test]
    fn a_message_in_a_message_has_its_length_in_front() {
        for length in [0, 1, 100, 121, 122, 123, 124, 125, 126, 127, 128, 129, 16_000, 16_383, 16_384, 20_000] {
            let transform = FrameTransform { child_frame_id: "x".repeat(length), ..FrameTransform::default() };
            let inner = written(&transform);
            let mut expected = vec![0x0a];
            wire::varint(inner.len() as u64, &mut expected);
            expected.extend(inner);
            assert_eq!(written(&FrameTransforms { transforms: vec![transform] }), expected, "{length} bytes");
        }
    }
}
