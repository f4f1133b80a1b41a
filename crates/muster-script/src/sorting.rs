//! Lists in order. The language's own sorting relies on that of Rust, which panics if a comparer is no order: one that a
//! script has written may be anything, and a list may hold what is no number. This one always ends with some order, the
//! same on every platform.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, ImmutableString, NativeCallContext};

type Compare<'a> = dyn Fn(&Dynamic, &Dynamic) -> Ordering + 'a;

pub(crate) fn register(engine: &mut Engine) {
    for name in ["sort", "sort_by"] {
        engine.register_fn(name, |cx: NativeCallContext<'_>, list: &mut Array, comparer: FnPtr| {
            by_comparer(&cx, list, &comparer);
        });
    }
    for name in ["order", "order_by"] {
        engine.register_fn(name, |cx: NativeCallContext<'_>, list: &mut Array, comparer: FnPtr| {
            let mut list = list.clone();
            by_comparer(&cx, &mut list, &comparer);
            list
        });
    }
    engine
        .register_fn("sort", |list: &mut Array| by_value(list, false))
        .register_fn("sort_desc", |list: &mut Array| by_value(list, true))
        .register_fn("order", |list: &mut Array| in_order(list, false))
        .register_fn("order_desc", |list: &mut Array| in_order(list, true));
}

/// A comparer gives a number, as the language has it: below zero if the first comes before the second; or true for that.
/// One that fails leaves two values as they stand.
fn by_comparer(cx: &NativeCallContext<'_>, list: &mut Array, comparer: &FnPtr) {
    let compare = |a: &Dynamic, b: &Dynamic| {
        let given: Result<Dynamic, _> = comparer.call_within_context(cx, (a.clone(), b.clone()));
        let number =
            given.ok().and_then(|it| it.as_int().or_else(|_| it.as_bool().map(|it| if it { -1 } else { 1 })).ok());
        number.map_or_else(|| a.type_id().cmp(&b.type_id()), |number| number.cmp(&0))
    };
    merge_sort(list, &compare);
}

fn in_order(list: &Array, descending: bool) -> Result<Array, Box<EvalAltResult>> {
    let mut list = list.clone();
    by_value(&mut list, descending)?;
    Ok(list)
}

fn by_value(list: &mut Array, descending: bool) -> Result<(), Box<EvalAltResult>> {
    let Some(first) = list.first() else { return Ok(()) };
    let first = first.type_id();
    if list.iter().any(|value| value.type_id() != first) {
        return Err("elements of different types cannot be sorted".into());
    }
    let compare = |a: &Dynamic, b: &Dynamic| {
        let order = value_order(a, b);
        if descending { order.reverse() } else { order }
    };
    merge_sort(list, &compare);
    Ok(())
}

/// Of two values of one type. What is no number comes last; what has no order stays as it stands.
fn value_order(a: &Dynamic, b: &Dynamic) -> Ordering {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return a.cmp(&b);
    }
    if let (Ok(a), Ok(b)) = (a.as_float(), b.as_float()) {
        return a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
    }
    if let (Ok(a), Ok(b)) = (a.as_char(), b.as_char()) {
        return a.cmp(&b);
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return a.cmp(&b);
    }
    let text = |value: &Dynamic| value.clone().try_cast::<ImmutableString>();
    text(a).zip(text(b)).map_or(Ordering::Equal, |(a, b)| a.cmp(&b))
}

/// Equal values stay in their order.
fn merge_sort(list: &mut [Dynamic], compare: &Compare<'_>) {
    if list.len() < 2 {
        return;
    }
    let (left, right) = list.split_at_mut(list.len() / 2);
    merge_sort(left, compare);
    merge_sort(right, compare);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) =
        (left.iter_mut().map(std::mem::take).peekable(), right.iter_mut().map(std::mem::take).peekable());
    while let (Some(a), Some(b)) = (l.peek(), r.peek()) {
        let next = if compare(a, b) == Ordering::Greater { r.next() } else { l.next() };
        merged.extend(next);
    }
    merged.extend(l);
    merged.extend(r);
    for (place, value) in list.iter_mut().zip(merged) {
        *place = value;
    }
}
