//! Foxglove's schemas, as a viewer finds them in a recording: a `FileDescriptorSet` of protobuf.

use super::wire::{nested, number, text};

/// The messages below the three that we write, in full, so that a viewer knows them as Foxglove publishes them. Fields
/// in order from 1, each with its type; `*` says that there may be many, `=` lists what an enumeration knows.
const MESSAGES: &str = "\
ArrowPrimitive pose:Pose shaft_length:double shaft_diameter:double head_length:double head_diameter:double color:Color
Color r:double g:double b:double a:double
CubePrimitive pose:Pose size:Vector3 color:Color
CylinderPrimitive pose:Pose size:Vector3 bottom_scale:double top_scale:double color:Color
Duration seconds:int64 nanos:int32
FrameTransform timestamp:Timestamp parent_frame_id:string child_frame_id:string translation:Vector3 rotation:Quaternion
FrameTransforms transforms:FrameTransform*
KeyValuePair key:string value:string
LinePrimitive type:Type=LINE_STRIP,LINE_LOOP,LINE_LIST pose:Pose thickness:double scale_invariant:bool points:Point3* \
    color:Color colors:Color* indices:fixed32*
Log timestamp:Timestamp level:Level=UNKNOWN,DEBUG,INFO,WARNING,ERROR,FATAL message:string name:string file:string \
    line:fixed32
ModelPrimitive pose:Pose scale:Vector3 color:Color override_color:bool url:string media_type:string data:bytes
Point3 x:double y:double z:double
Pose position:Vector3 orientation:Quaternion
Quaternion x:double y:double z:double w:double
SceneEntity timestamp:Timestamp frame_id:string id:string lifetime:Duration frame_locked:bool metadata:KeyValuePair* \
    arrows:ArrowPrimitive* cubes:CubePrimitive* spheres:SpherePrimitive* cylinders:CylinderPrimitive* \
    lines:LinePrimitive* triangles:TriangleListPrimitive* texts:TextPrimitive* models:ModelPrimitive*
SceneEntityDeletion timestamp:Timestamp type:Type=MATCHING_ID,ALL id:string
SceneUpdate deletions:SceneEntityDeletion* entities:SceneEntity*
SpherePrimitive pose:Pose size:Vector3 color:Color
TextPrimitive pose:Pose billboard:bool font_size:double scale_invariant:bool color:Color text:string
Timestamp seconds:int64 nanos:int32
TriangleListPrimitive pose:Pose points:Point3* color:Color colors:Color* indices:fixed32*
Vector3 x:double y:double z:double
";

/// Numbers of types in `FieldDescriptorProto`.
const SCALARS: [(&str, u64); 7] =
    [("double", 1), ("int64", 3), ("int32", 5), ("fixed32", 7), ("bool", 8), ("string", 9), ("bytes", 12)];
const MESSAGE: u64 = 11;
const ENUMERATION: u64 = 14;

/// The schema of a message: its own file and all that it needs, those first.
pub fn of(message: &str) -> Vec<u8> {
    let (mut set, mut done) = (Vec::new(), Vec::new());
    add(message, &mut done, &mut set);
    set
}

fn add<'a>(message: &'a str, done: &mut Vec<&'a str>, set: &mut Vec<u8>) {
    if done.contains(&message) {
        return;
    }
    done.push(message);
    let needed = needs(message);
    for other in &needed {
        add(other, done, set);
    }
    nested(1, set, |file| write_file(message, &needed, file));
}

/// `FileDescriptorProto`: each message has a file of its own.
fn write_file(message: &str, needed: &[&str], to: &mut Vec<u8>) {
    let package = package(message);
    text(1, &path(message), to);
    text(2, package, to);
    for other in needed {
        text(3, &path(other), to);
    }
    nested(4, to, |to| write_message(message, to));
    if package == GOOGLE {
        nested(8, to, |to| write_options(message, to));
    }
    text(12, "proto3", to);
}

/// `DescriptorProto`: fields, then the enumerations among them.
fn write_message(message: &str, to: &mut Vec<u8>) {
    text(1, message, to);
    for (field, index) in fields(message).zip(1..) {
        nested(2, to, |to| field.write(message, index, to));
    }
    for Part { kind, values, .. } in fields(message) {
        if let Some(values) = values {
            nested(4, to, |to| {
                text(1, kind, to);
                for (value, index) in values.split(',').zip(0..) {
                    nested(2, to, |to| {
                        text(1, value, to);
                        number(2, index, to);
                    });
                }
            });
        }
    }
}

/// A field as the table has it.
struct Part {
    name: &'static str,
    kind: &'static str,
    many: bool,
    values: Option<&'static str>,
}

impl Part {
    fn scalar(&self) -> Option<u64> {
        SCALARS.iter().find(|(name, _)| *name == self.kind).map(|(_, kind)| *kind)
    }

    /// The message that it is.
    fn message(&self) -> Option<&'static str> {
        (self.scalar().is_none() && self.values.is_none()).then_some(self.kind)
    }

    /// `FieldDescriptorProto`.
    fn write(&self, of: &str, index: u64, to: &mut Vec<u8>) {
        text(1, self.name, to);
        number(3, index, to);
        number(4, if self.many { 3 } else { 1 }, to);
        let kind = if self.values.is_some() { ENUMERATION } else { MESSAGE };
        number(5, self.scalar().unwrap_or(kind), to);
        if self.values.is_some() {
            text(6, &format!(".{}.{of}.{}", package(of), self.kind), to);
        } else if let Some(message) = self.message() {
            text(6, &format!(".{}.{message}", package(message)), to);
        }
        text(10, &camel_case(self.name), to);
    }
}

fn fields(message: &str) -> impl Iterator<Item = Part> {
    let line = MESSAGES.lines().find_map(|line| line.strip_prefix(message)?.strip_prefix(' '));
    line.expect("the table has every message that it names").split_whitespace().map(|field| {
        let (name, kind) = field.split_once(':').expect("a field has a type");
        let (kind, values) = kind.split_once('=').map_or((kind, None), |(kind, values)| (kind, Some(values)));
        Part { name, kind: kind.trim_end_matches('*'), many: kind.ends_with('*'), values }
    })
}

/// The messages that one has in its fields, by the names of their files.
fn needs(message: &str) -> Vec<&'static str> {
    let mut needed: Vec<_> = fields(message).filter_map(|field| field.message()).collect();
    needed.sort_by_key(|message| path(message));
    needed.dedup();
    needed
}

const GOOGLE: &str = "google.protobuf";

/// Times are not Foxglove's but come with protobuf.
fn package(message: &str) -> &'static str {
    if matches!(message, "Timestamp" | "Duration") { GOOGLE } else { "foxglove" }
}

fn path(message: &str) -> String {
    match package(message) {
        GOOGLE => format!("google/protobuf/{}.proto", message.to_lowercase()),
        package => format!("{package}/{message}.proto"),
    }
}

/// `FileOptions`, as files that come with protobuf have them: where their code is in other languages.
fn write_options(message: &str, to: &mut Vec<u8>) {
    text(1, "com.google.protobuf", to);
    text(8, &format!("{message}Proto"), to);
    number(10, 1, to);
    text(11, &format!("google.golang.org/protobuf/types/known/{}pb", message.to_lowercase()), to);
    number(31, 1, to);
    text(36, "GPB", to);
    text(37, "Google.Protobuf.WellKnownTypes", to);
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + word[..1].to_uppercase().as_str() + &word[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fowler, Noll and Vo's, 64 bits.
    fn hash(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// Byte for byte what protoc makes of the files that Foxglove publishes; tests/recording compares with these.
    #[test]
    fn schemas_are_those_that_foxglove_publishes() {
        let known = |message| (of(message).len(), hash(&of(message)));
        assert_eq!(known("FrameTransforms"), (1_027, 0xa1b6_deb2_9eaf_014b));
        assert_eq!(known("SceneUpdate"), (5_486, 0xcb83_3537_e00b_e216));
        assert_eq!(known("Log"), (605, 0x5071_2267_1b4d_0265));
    }
}
