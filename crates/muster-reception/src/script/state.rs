//! What a robot keeps in `this`: how much that is, and how it is saved.

use std::sync::Arc;

use crate::robot::{Legs, Place};
use muster_core::affect::Table;
use rhai::{Array, Dynamic, Map};
use serde::{Deserialize, Serialize};

use super::feelings::{Feelings, SavedFeelings};

/// A value in memory, whatever it is, and what a map needs for an entry beside its name.
const VALUE_BYTES: usize = 16;
const ENTRY_BYTES: usize = 32;
/// Legs or feelings, with what belongs to them.
const PART_BYTES: usize = 512;

/// How much a value is, in bytes and roughly; or the kind of it that cannot be kept.
pub(crate) fn weight(value: &Dynamic) -> Result<usize, &'static str> {
    if let Ok(map) = value.as_map_ref() {
        let entries = map.iter().map(|(name, value)| Ok(ENTRY_BYTES + name.len() + weight(value)?));
        return entries.sum::<Result<usize, _>>().map(|bytes| VALUE_BYTES + bytes);
    }
    if let Ok(list) = value.as_array_ref() {
        return list.iter().map(weight).sum::<Result<usize, _>>().map(|bytes| VALUE_BYTES + bytes);
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(VALUE_BYTES + text.len());
    }
    if value.is_unit() || value.is_bool() || value.is_int() || value.is_float() || value.is_char() {
        return Ok(VALUE_BYTES);
    }
    if value.is::<Place>() || value.is::<Legs>() || value.is::<Feelings>() {
        return Ok(VALUE_BYTES + PART_BYTES);
    }
    Err(value.type_name())
}

/// Whether nothing has changed. What is no number is the same as itself: it is the bits that count.
pub(crate) fn same(one: &Dynamic, other: &Dynamic) -> bool {
    if let (Ok(one), Ok(other)) = (one.as_int(), other.as_int()) {
        return one == other;
    }
    if let (Ok(one), Ok(other)) = (one.as_float(), other.as_float()) {
        return one.to_bits() == other.to_bits();
    }
    if let (Ok(one), Ok(other)) = (one.as_bool(), other.as_bool()) {
        return one == other;
    }
    if let (Ok(one), Ok(other)) = (one.as_immutable_string_ref(), other.as_immutable_string_ref()) {
        return **one == **other;
    }
    if let (Ok(one), Ok(other)) = (one.as_map_ref(), other.as_map_ref()) {
        let pairs = || one.iter().zip(other.iter());
        return one.len() == other.len() && pairs().all(|((name, one), (key, other))| name == key && same(one, other));
    }
    if let (Ok(one), Ok(other)) = (one.as_array_ref(), other.as_array_ref()) {
        return one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| same(one, other));
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Legs>(), other.read_lock::<Legs>()) {
        return *one == *other;
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Feelings>(), other.read_lock::<Feelings>()) {
        return one.is(&other);
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Place>(), other.read_lock::<Place>()) {
        return *one == *other;
    }
    match (one.as_char(), other.as_char()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one.is_unit() && other.is_unit(),
    }
}

/// A value as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kept {
    Unit,
    Flag(bool),
    Whole(i64),
    /// By its bits, so that even what is no number comes back as it was.
    Number(u64),
    Letter(char),
    Text(String),
    List(Vec<Kept>),
    Map(Vec<(String, Kept)>),
    Place(u64, u64),
    Legs(Box<Legs>),
    Feelings(Box<SavedFeelings>),
}

impl Kept {
    /// Nothing for what cannot be kept; [`weight`] has seen to it that there is no such thing.
    pub fn of(value: &Dynamic) -> Option<Self> {
        if let Ok(map) = value.as_map_ref() {
            let entries = map.iter().map(|(name, value)| Some((name.to_string(), Self::of(value)?)));
            return entries.collect::<Option<_>>().map(Self::Map);
        }
        if let Ok(list) = value.as_array_ref() {
            return list.iter().map(Self::of).collect::<Option<_>>().map(Self::List);
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Some(Self::Text(text.to_string()));
        }
        if let Some(place) = value.read_lock::<Place>() {
            return Some(Self::Place(place.x.to_bits(), place.y.to_bits()));
        }
        if let Some(legs) = value.read_lock::<Legs>() {
            return Some(Self::Legs(Box::new(legs.clone())));
        }
        if let Some(feelings) = value.read_lock::<Feelings>() {
            return Some(Self::Feelings(Box::new(feelings.save())));
        }
        let flag = value.as_bool().map(Self::Flag);
        let whole = || value.as_int().map(Self::Whole);
        let number = || value.as_float().map(|real| Self::Number(real.to_bits()));
        let letter = || value.as_char().map(Self::Letter);
        let plain = flag.or_else(|_| whole()).or_else(|_| number()).or_else(|_| letter()).ok();
        plain.or(value.is_unit().then_some(Self::Unit))
    }

    /// The value again.
    pub fn value(self, table: &Arc<Table>) -> Result<Dynamic, String> {
        Ok(match self {
            Self::Unit => Dynamic::UNIT,
            Self::Flag(flag) => flag.into(),
            Self::Whole(whole) => whole.into(),
            Self::Number(bits) => f64::from_bits(bits).into(),
            Self::Letter(letter) => letter.into(),
            Self::Text(text) => text.into(),
            Self::List(list) => list.into_iter().map(|value| value.value(table)).collect::<Result<Array, _>>()?.into(),
            Self::Map(entries) => {
                let entries = entries.into_iter().map(|(name, value)| Ok((name.into(), value.value(table)?)));
                entries.collect::<Result<Map, String>>()?.into()
            }
            Self::Place(x, y) => Dynamic::from(Place::new(f64::from_bits(x), f64::from_bits(y))),
            Self::Legs(legs) => Dynamic::from(*legs),
            Self::Feelings(saved) => Dynamic::from(Feelings::restore(*saved, table)?),
        })
    }
}
