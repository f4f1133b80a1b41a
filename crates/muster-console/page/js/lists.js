// Lists in few words.

/**
 * The last of a list that is not empty.
 * @template T
 * @param {ArrayLike<T>} list
 */
export function last(list) {
  return list[list.length - 1];
}
