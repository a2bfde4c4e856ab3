/*
 * Lists of the platform have tens of thousands of members. Comparing each with each takes seconds, so both lists are
 * read once.
 */

/** The members of a list that another one lacks. */
export function missingFrom<T>(list: readonly T[], other: readonly T[]): T[] {
  const present = new Set(other);
  return list.filter((one) => !present.has(one));
}

/** The members that a list shares with another one. */
export function sharedWith<T>(list: readonly T[], other: readonly T[]): T[] {
  const present = new Set(other);
  return list.filter((one) => present.has(one));
}
