//! How protobuf writes fields: a key (the field's number and the kind of what follows), then the value.

use super::Message;

const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const WITH_LENGTH: u32 = 2;

/// What can be a field of a message.
pub trait Field {
    /// Writes it under `number`, or nothing if it is what a reader takes for granted.
    fn put(&self, number: u32, to: &mut Vec<u8>);
}

/// A number in groups of seven bits, the lowest first; all but the last have the eighth bit set.
pub fn varint(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn key(number: u32, kind: u32, to: &mut Vec<u8>) {
    varint(u64::from(number << 3 | kind), to);
}

/// A number as a field, even if it is 0.
pub fn number(number: u32, value: u64, to: &mut Vec<u8>) {
    key(number, VARINT, to);
    varint(value, to);
}

/// A text as a field, even if it is empty.
pub fn text(number: u32, value: &str, to: &mut Vec<u8>) {
    key(number, WITH_LENGTH, to);
    varint(value.len() as u64, to);
    to.extend_from_slice(value.as_bytes());
}

/// Whatever `write` writes, as a field with its length in front.
pub fn nested(number: u32, to: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    key(number, WITH_LENGTH, to);
    let begin = to.len();
    write(to);
    let end = to.len();
    // The length is known only now; it is written behind the message and changes places with it.
    varint((end - begin) as u64, to);
    let length = to.len() - end;
    to[begin..].rotate_right(length);
}

impl Field for f64 {
    fn put(&self, number: u32, to: &mut Vec<u8>) {
        if *self != 0.0 {
            key(number, EIGHT_BYTES, to);
            to.extend_from_slice(&self.to_le_bytes());
        }
    }
}

impl Field for i64 {
    fn put(&self, field: u32, to: &mut Vec<u8>) {
        if *self != 0 {
            number(field, *self as u64, to);
        }
    }
}

impl Field for i32 {
    fn put(&self, number: u32, to: &mut Vec<u8>) {
        i64::from(*self).put(number, to);
    }
}

impl Field for bool {
    fn put(&self, number: u32, to: &mut Vec<u8>) {
        i64::from(*self).put(number, to);
    }
}

impl Field for String {
    fn put(&self, number: u32, to: &mut Vec<u8>) {
        if !self.is_empty() {
            text(number, self, to);
        }
    }
}

impl<M: Message> Field for Option<M> {
    fn put(&self, number: u32, to: &mut Vec<u8>) {
        if let Some(message) = self {
            nested(number, to, |to| message.write(to));
        }
    }
}

impl<M: Message> Field for Vec<M> {
    fn put(&self, number: u32, to: &mut Vec<u8>) {
        for message in self {
            nested(number, to, |to| message.write(to));
        }
    }
}
