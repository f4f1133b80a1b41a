// Two letters that stand for a robot where its name finds no room.

/**
 * Two letters, as on the robots of CARS: initials, or a letter and the number.
 * @param {string} name
 */
export function badge(name) {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const number = /(\d+)$/.exec(name)?.[1];
  if (number && parts.length) return (parts[0][0] + number.slice(-2)).slice(0, 3).toUpperCase();
  return (parts.length > 1 ? parts[0][0] + parts[1][0] : (parts[0] ?? '?').slice(0, 2)).toUpperCase();
}
