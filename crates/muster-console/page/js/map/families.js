// Kinds of messages, in four families: one colour each, and always with the name of the kind beside it.

export const FAMILIES = [
  { name: 'call', about: 'call for help', colour: 'orange' },
  { name: 'offer', about: 'offer or bid', colour: 'blue' },
  { name: 'award', about: 'award and its answers', colour: 'green' },
  { name: 'other', about: 'anything else', colour: 'purple' },
];

const CALLS = new Set(['HELP', 'Task', 'Solicitation', 'ClaimLead(user)']);
const OFFERS = new Set(['ACCEPT', 'Bid', 'BidAck']);
const AWARDS = new Set(['RESPONDER', 'AGREE', 'ACKACK', 'Assignment', 'Accept', 'AcceptAck', 'Grant']);

/** The family of a kind. What is not known here goes by what its name says. */
export function familyOf(kind) {
  if (CALLS.has(kind) || /^(call|announce|request)/i.test(kind)) return FAMILIES[0];
  if (OFFERS.has(kind) || /^(offer|bid|propos)/i.test(kind)) return FAMILIES[1];
  if (AWARDS.has(kind) || /^(award|assign)/i.test(kind)) return FAMILIES[2];
  return FAMILIES[3];
}
