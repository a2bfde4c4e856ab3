/*
 * Several levels of data in one order, without their unit: "notify at 1500, throttle to 1 mbps at 1800, cut off at 2500". They are
 * megabytes, and no lines.
 */

const LEVEL = String.raw`\b(?:notify|warn|alert|ping|throttle|slow|cap|limit|stop|cut\s*off)\b(?:[^,;.!?\d]|\d+(?:\.\d+)?\s*(?:[kmg]bps|[kmg]bit)\b){0,30}?(?:\bat\s+|(?<=\b(?:warn|notify|alert)\s))`;
const LEVELS = new RegExp(
  String.raw`(${LEVEL})(\d{3,6})(?!\d|\.\d|\s*(?:mb|gb|kb|meg|gig|%|percent|usd|dollars?|[kmg]bps))`,
  'giu',
);

/** The order with the unit behind each level. A single number may be a line. */
export function withUnits(text: string): string {
  return (text.match(LEVELS) ?? []).length > 1 ? text.replace(LEVELS, '$1$2 mb') : text;
}
