// Families of messages: one colour each, and always with the name of the message beside it. Which family a message is of, and
// what people are told that it is, comes from the server.

/** @type {Record<Wire.Family, string>} names of tokens */
export const FAMILY_COLOURS = { call: 'orange', offer: 'blue', award: 'green', other: 'purple' };
