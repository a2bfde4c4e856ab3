/* A line of the platform as people write it. */

/** A whole number or the last four digits, with or without the noun. It has no groups, for use in longer expressions. */
export const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;
