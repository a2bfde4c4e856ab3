import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields } from '../../../lib/json.ts';

/*
 * Some records have parts with a number, such as trunk 1 and trunk 2 of a voice route ("the spare trunk", "primary …
 * backup …"). The fields of a part have its number in their names, and the record has a switch for the whole.
 */

/** A field of one part: "TrunkEnabled2". */
const NUMBERED = /^(?<part>[A-Z][a-z]+)(?<what>[A-Z][A-Za-z]*)(?<at>[12])$/;
/** Names of a part, by its number. */
const NAMES: Readonly<Record<'1' | '2', string>> = {
  1: '(?:first|1st|primary)',
  2: '(?:second|2nd|secondary|backup|back-up|spare|failover|fallback|(?:another|additional|further|extra)(?=\\s+(?:sip\\s+)?trunk))',
};
const OFF = /\b(?:off|disable[ds]?|down|out|kill|stop|shut|dead|deactivate[ds]?|disabled|unused)\b/iu;
const ON =
  /\b(?:enable[ds]?|activate[ds]?|(?:turn|switch)\s+on|back\s+(?:on|up)|on(?=\s*$|\s+(?:again|please|pls|for|of)\b))\b/iu;
/** Leaves a part as it is. */
const KEEPS = /\b(?:leave|keep|not|except|but\s+not)\b|n['’]t\b/iu;
const ASKS = /^\W*(?:is|are|was|does|do|did|has|have|what|which|why|how)\b/iu;

interface Part {
  at: '1' | '2';
  /** The part of the sentence about it. */
  text: string;
}

/** The numbered fields of an operation, for what they say of a part. */
function fieldFor(fields: readonly Field[], part: string, what: string, at: string): Field | undefined {
  return fields.find(({ name }) => {
    const found = NUMBERED.exec(name)?.groups;
    return found?.part?.toLowerCase() === part && found.what?.toLowerCase() === what && found.at === at;
  });
}

/** The noun of the numbered parts of an operation: "trunk". Undefined if it has none. */
function nounOf(fields: readonly Field[]): string | undefined {
  for (const { name } of fields) {
    const { part, what } = NUMBERED.exec(name)?.groups ?? {};
    if (part !== undefined && what === 'Enabled') return part.toLowerCase();
  }
  return undefined;
}

/** The parts that a sentence names, each with the words about it. */
function partsIn(said: string, noun: string): Part[] {
  const found: Part[] = [];
  // "Trunk 1 is dead, turn 1 off and leave 2"
  for (const text of said.split(/[,;.!?](?=\s|$)|\b(?:and|but|then)\b/iu))
    for (const at of ['1', '2'] as const) {
      const named = new RegExp(
        String.raw`\b${noun}\s*#?\s*${at}(?![\d.])|\b${NAMES[at]}\s+(?:sip\s+|voice\s+)?${noun}\b(?!\s*\d)|\b(?:turn|switch|take|put|leave|keep|enable|disable|shut)\s+(?:off\s+|on\s+)?${at}(?![\d.])`,
        'iu',
      );
      if (named.test(text)) found.push({ at, text });
    }
  return found;
}

/**
 * The input with the numbered parts that a sentence switches, in place of the switch for the whole, and a remark on each.
 *
 * @param names the names of records in the sentence, which may hold the words of a part
 */
export function withParts(
  tool: Tool,
  input: Fields,
  { said: whole, names }: { said: string; names: readonly string[] },
): { input: Fields; remark: string } {
  const fields = fieldsOf(tool);
  const noun = nounOf(fields);
  const known = typeof input.RouteName === 'string' ? [...names, input.RouteName] : names;
  // “On main sip trunk” switches nothing on.
  const withoutName = (text: string, name: string) =>
    ['on the ', 'on ', ''].reduce((rest, on) => rest.replaceAll(`${on}${name}`, ' '), text);
  const said = known.reduce(withoutName, whole);
  // An address belongs to a part, whatever word people have for it.
  const isAbout = noun !== undefined && new RegExp(`\\b${noun}|${IP.source}`, 'iu').test(whole);
  if (noun === undefined || !isAbout || ASKS.test(said)) return { input, remark: '' };
  const parts = partsIn(said, noun);
  const plain = withAddresses(fields, noun, withoutCalled(tool, input, noun, said), said, parts);
  const counts = countsIn(fields, noun, said, parts);
  const own = { ...plain, ...counts };
  const counted = fields.flatMap(({ name, label }) => (name in counts ? [`${label}: ${String(counts[name])}`] : []));
  const switched = parts.flatMap(({ at, text }): [string, boolean, string][] => {
    const name = fieldFor(fields, noun, 'enabled', at)?.name;
    const isOn = OFF.test(text) ? false : ON.test(text) ? true : undefined;
    return name === undefined || isOn === undefined || KEEPS.test(text)
      ? []
      : [[name, isOn, `${calledPart(text, at)}${noun} ${at}: ${isOn ? 'on' : 'off'}`]];
  });
  const kept = parts.filter(({ text }) => KEEPS.test(text)).map(({ at }) => `${noun} ${at} stays as it is`);
  const told = [...new Set([...switched.map(([, , text]) => text), ...kept])];
  const hasValue = counted.length > 0 || new RegExp(IP.source, 'u').test(said);
  const near = hasValue ? partOf(said, noun, parts) : undefined;
  const named = near ? [`${near.word === undefined ? '' : `“${near.word}” is `}${noun} ${near.at}`] : [];
  const remarks = [...told, ...named, ...counted];
  const remark = remarks.length === 0 ? '' : `; ${remarks.join(', ')}`;
  if (switched.length === 0) return { input: own, remark };
  // The switch of the whole record and its type are not what was said.
  const { RouteEnabled: _whole, RouteType: _type, ...rest } = own;
  return { input: { ...rest, ...Object.fromEntries(switched.map(([name, isOn]) => [name, isOn])) }, remark };
}

/** True if a sentence has a number for a part, such as its priority. */
export function namesCount(tool: Tool, said: string): boolean {
  const fields = fieldsOf(tool);
  const noun = nounOf(fields);
  return noun !== undefined && Object.keys(countsIn(fields, noun, said, partsIn(said, noun))).length > 0;
}

/** People call a record by the word of its type: "the main trunk" asks for no other type. */
function withoutCalled(tool: Tool, input: Fields, noun: string, said: string): Fields {
  if (!/_update$/.test(tool.id) || /\btype\b|\b(?:in)?to\s+an?\s/iu.test(said)) return input;
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => typeof value !== 'string' || value.toLowerCase() !== noun),
  );
}

const IP = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/gu;
const PORT = /\bport\s*[:=]?\s*(?<port>\d{2,5})\b/iu;

/** "“secondary” is " before the number of a part that people name. */
function calledPart(text: string, at: '1' | '2'): string {
  const word = new RegExp(`\\b${NAMES[at]}\\b`, 'iu').exec(text)?.[0];
  return word === undefined ? '' : `“${word}” is `;
}

interface Near {
  at: '1' | '2';
  /** The words of people for the part, without its number. */
  word?: string;
}

/** The part that the only address of a sentence is for: the one whose name is nearest to it. */
function partOf(said: string, noun: string, parts: readonly Part[]): Near | undefined {
  const ip = said.search(new RegExp(IP.source, 'u'));
  const near = (['1', '2'] as const).flatMap((at) => {
    const named = said.matchAll(
      new RegExp(`(?<!\\b(?:called|named)\\s+)\\b${NAMES[at]}\\b(?!\\s+(?:voice\\s+|sip\\s+|call\\s+)?route)`, 'giu'),
    );
    const numbered = said.matchAll(new RegExp(`\\b${noun}\\s*#?\\s*${at}(?![\\d.])`, 'giu'));
    return [
      ...[...named].map(({ 0: text, index }) => ({ at, far: Math.abs(index - ip), word: text })),
      ...[...numbered].map(({ index }) => ({ at, far: Math.abs(index - ip) })),
    ];
  });
  const [nearest] = near.sort((one, other) => one.far - other.far);
  return nearest ?? (parts.length > 0 && parts.every((one) => one.at === '2') ? { at: '2' } : undefined);
}

/** The numbers that a sentence gives a part by the words of their fields: "priority 20" for "Trunk 2 priority". */
function countsIn(fields: readonly Field[], noun: string, said: string, parts: readonly Part[]): Fields {
  const at = partOf(said, noun, parts)?.at ?? parts[0]?.at ?? '1';
  const own = fields.flatMap(({ name, kind, label }): [string, number][] => {
    const what = new RegExp(
      `^${noun}\\s+(?:${at}\\s+(?=\\p{L}+$))?(?<what>\\p{L}+)(?:(?<=\\s${at}\\s\\p{L}+)|\\s+${at})$`,
      'iu',
    ).exec(label)?.groups?.what;
    // A port is a number, and "port 0103" is an order.
    const isPort = what?.toLowerCase() === 'port';
    const number = `(?<number>${isPort ? '[1-9]\\d{1,4}' : '\\d{1,5}'})\\b(?!\\.\\d|[\\s-]?\\d)`;
    // "Priority 20", "the priority of trunk 2 to 20"
    const named =
      what === undefined
        ? undefined
        : `\\b${what}\\s*(?:(?:[:=]|of|to|is)?\\s*|(?:of|on|for|at)\\s[^,;.!?:]*?\\b(?:to|is(?:\\s+now)?|becomes?)\\s+)${number}`;
    const found = named === undefined ? undefined : new RegExp(named, 'iu').exec(said)?.groups?.number;
    return (kind === 'number' || isPort) && found !== undefined ? [[name, Number(found)]] : [];
  });
  return Object.fromEntries(own);
}

/** Two addresses are those of two parts. A port that the sentence gives once holds for both. */
function withAddresses(
  fields: readonly Field[],
  noun: string,
  input: Fields,
  said: string,
  parts: readonly Part[],
): Fields {
  const [first, second] = [...said.matchAll(IP)].map(([ip]) => ip);
  const [ip1, ip2] = ['1', '2'].map((at) => fieldFor(fields, noun, 'ip', at)?.name);
  if (ip1 === undefined || ip2 === undefined || first === undefined) return input;
  const isSpare = second === undefined && partOf(said, noun, parts)?.at === '2';
  const [own, other] = isSpare ? [undefined, first] : [first, second];
  const port = PORT.exec(said)?.groups?.port;
  const shared = (at: '1' | '2') =>
    defined({
      [fieldFor(fields, noun, 'port', at)?.name ?? '']: port === undefined ? undefined : Number(port),
      [fieldFor(fields, noun, 'transport', at)?.name ?? '']:
        input[fieldFor(fields, noun, 'transport', '1')?.name ?? ''],
    });
  // Values without a number belong to the part of the address.
  const gone = new Set([ip1, ...(isSpare ? Object.keys(shared('1')) : [])]);
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !gone.has(name)));
  return {
    ...rest,
    ...(own !== undefined && { [ip1]: own, ...shared('1') }),
    ...(other !== undefined && { [ip2]: other, ...shared('2') }),
  };
}
