/*
 * Amounts of data that another amount of the same sentence explains: a share of it ("80 percent of 5 GB", "warn her at 80%"
 * beside a limit), and an amount whose unit is left out ("cap it at 5 GB, warn at 4").
 */

const UNIT = '(?:gb|mb|gigs?|megs?|gigabytes?|megabytes?)';
const AMOUNT = new RegExp(String.raw`(?<![\w.,])(?<value>\d{1,6}(?:\.\d+)?)\s*(?<unit>${UNIT})\b`, 'giu');
const SHARE = String.raw`(?:(?<![\w.,])(?<percent>\d{1,3}(?:\.\d{1,2})?)\s*(?:%|per\s?cent\b|pct\b)|\bhalf\b)`;
const OF = String.raw`(?:of|from)\s+(?:(?:an?|the|her|his|their|its|that|this|those)\s+)?(?:(?:limit|cap|allowance)\s+of\s+)?`;
const OF_AMOUNT = new RegExp(
  String.raw`${SHARE}\s+${OF}(?<value>\d{1,6}(?:\.\d+)?)\s*(?<unit>${UNIT})\b(?:\s+(?:limit|cap|allowance)\b)?`,
  'giu',
);
const OF_LIMIT = new RegExp(
  String.raw`(?<=\b(?:at|after|to|from|by|when|once|reach\w*|hits?|uses?|used|past|over)\s+)${SHARE}(?:\s+of\s+(?:it|that|this|(?:the|her|his|their|its|that)\s+(?:new\s+)?(?:data\s+)?(?:limit|cap|allowance|data)))?(?!\s*(?:more|less|off|\p{L}+\s+\d))`,
  'giu',
);
/** Words for a notice or a throttle before the limit. */
const BEFORE_LIMIT =
  /\b(?:warn\w*|notif\w*|alert\w*|tell|know|told|heads[\s-]?up|ping\w*|remind\w*|slow\w*|throttl\w*)\b/iu;

/** The sentence with the amounts that its shares are. Shares of an amount that it does not say stay. */
export function withShares(text: string): string {
  const own = text.replace(OF_AMOUNT, (...args: unknown[]) => {
    const { percent = '50', value = '', unit = '' } = args.at(-1) as Record<string, string | undefined>;
    return shareOf(Number(percent), megabytes(Number(value), unit));
  });
  const [limit, ...others] = own === text ? [...own.matchAll(AMOUNT)] : [];
  if (!limit || others.length > 0 || !BEFORE_LIMIT.test(own)) return own;
  const { value = '', unit = '' } = limit.groups ?? {};
  return own.replace(OF_LIMIT, (...args: unknown[]) => {
    const { percent = '50' } = args.at(-1) as Record<string, string | undefined>;
    return shareOf(Number(percent), megabytes(Number(value), unit));
  });
}

function megabytes(value: number, unit: string): number {
  return value * (/^g/iu.test(unit) ? PER_GB : 1);
}

function shareOf(percent: number, mb: number): string {
  return `${Math.round((mb * percent) / 100)} mb`;
}

const PER_GB = 1024;
/** Parts of one order are not further apart. */
const MOST_APART = 10;

/**
 * The unit of an amount that has none, from an amount with a unit beside it: its unit, or the other one where that is what
 * fits ("3 GB, warn at 3500"). Undefined if neither fits.
 */
export function carriedUnit(amount: number, beside: string): string | undefined {
  const { value = '', unit = '' } = beside.matchAll(AMOUNT).next().value?.groups ?? {};
  const of = megabytes(Number(value), unit);
  const isNear = (mb: number) => mb <= of * MOST_APART && mb * MOST_APART >= of;
  const other = /^g/iu.test(unit) ? 'mb' : 'gb';
  return [unit, other].find((one) => isNear(megabytes(amount, one)));
}

const LEVEL_BEHIND = new RegExp(
  String.raw`(?<=(?:[,;]|\band|\bwith(?:\s+an?)?)\s*)(?<amount>[1-9]\d{0,4}(?:\.\d+)?(?:\s*${UNIT})?)\s+(?<level>notif\p{L}*|warn\p{L}*|alerts?|notice|throttle|throttling)(?=\s*(?:$|[,;.!?]|\b(?:and|on|for|then)\b))`,
  'giu',
);

/** "100 MB limit, 80 warning" with the word for the level before its amount, where that of the limit has a unit. */
export function withLevelFirst(text: string): string {
  return text.search(AMOUNT) < 0 ? text : text.replace(LEVEL_BEHIND, ' $<level> at $<amount>');
}

const SPEED_CUT =
  /\b(?:cut|lower|reduce|drop|limit|cap|bring\s+down|choke)\s+(?:down\s+)?(?<whose>(?:[#…*]*\+?\d[\d-]*\d|\p{L}[\p{L}-]*)(?:['’]?s)?)?\s*(?:data\s+|internet\s+)?speed\b(?:\s+(?:of|on|for)\s+(?<of>[#…*]*\d{4,}|\p{L}+))?(?=[^.;!?]*\d)/giu;

/** "Cut 0101's speed after 18 MB": it is slowed down there, and not stopped. */
export function withSlowing(text: string): string {
  return text.replace(SPEED_CUT, (...args: unknown[]) => {
    const { whose = '', of } = args.at(-1) as Record<string, string | undefined>;
    return `slow ${of ?? whose.replace(/['’]s?$/u, '')} down`;
  });
}
