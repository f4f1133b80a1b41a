//! Messages between transmission and delivery.

use muster_core::Recipient;

/// Messages on their way. A slab: slots are used again, so nothing is allocated once a run is under way.
#[derive(Clone)]
pub(super) struct Letters<T> {
    slots: Vec<Option<Letter<T>>>,
    free: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct Letter<T> {
    pub to: Recipient,
    /// Which transmission it is, counted from zero.
    pub number: u64,
    pub message: T,
}

impl<T> Letters<T> {
    /// None yet, with room for this many.
    pub fn with_capacity(letters: usize) -> Self {
        Self { slots: Vec::with_capacity(letters), free: Vec::with_capacity(letters) }
    }

    pub fn put(&mut self, letter: Letter<T>) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = Some(letter);
                slot
            }
            None => {
                self.slots.push(Some(letter));
                self.slots.len() as u32 - 1
            }
        }
    }

    pub fn take(&mut self, slot: u32) -> Option<Letter<T>> {
        self.free.push(slot);
        self.slots[slot as usize].take()
    }
}
