import {
  FURTHER,
  GUARD,
  type Guarded,
  type Protection,
  protectionOf,
  protectionWords,
  TRAFFIC,
  type Traffic,
} from '../../../../tools/surfaces/guard.ts';
import { formatPhone } from '../../../language/show.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, readPhones } from '../../../platform/dialect/phone.ts';
import { readFlag } from '../../../platform/dialect/readings.ts';
import type { StateOf } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { inputOf, KEYWORD_HINT, MAX_TEXT, menu, type Option, several, textArea } from './form-fields.ts';
import { entriesOf, keywordLines, keywordsFrom } from './form-lines.ts';
import { enteredIn } from './form-values.ts';
import {
  actions,
  alert,
  type Block,
  button,
  cut,
  divider,
  type Element,
  flowView,
  plain,
  rich,
  say,
  small,
} from './text.ts';

/** The protected subscriber. */
export interface Ward {
  SubscriberId: string;
  Phone: string;
  name: string;
}

export type Wanted = Readonly<Record<Traffic['name'], Protection>>;

/** State between the steps of one form, kept in this process only. */
export interface GuardSession {
  ward: Ward;
  guarded: Guarded;
  wanted?: Wanted;
  /** Counts the choices of another filter, so that Slack does not keep what was entered for the one before. */
  choices?: number;
}

/** A view of this form. Without `submit` it has no button but Close. */
export function guardView(state: StateOf<'guard'>, blocks: Block[], submit?: string): Element {
  return flowView(state, { title: GUARD.title, submit }, blocks);
}

/** The first step. `numbers`: the numbers of a subscriber who has several. */
export function whoBlocks(
  problem?: string,
  numbers: readonly string[] = [],
  labelOf: (phone: string) => string | undefined = () => undefined,
): Block[] {
  const choices = numbers.map((phone): Option => [phone, labelOf(phone) ?? formatPhone(phone).national]);
  const typed = { ...textArea('', { multiline: false }), placeholder: plain('+12015550101', 150) };
  return [
    ...(problem === undefined ? [] : [alert('error', problem)]),
    say('Filters protect one number. The form starts from what is set now.'),
    inputOf('who', 'Who is protected', choices.length > 0 ? menu(choices, undefined) : typed, {
      hint: 'A phone number, its last digits, or a name',
    }),
  ];
}

export function wardLine({ name, Phone }: Ward): Block {
  return say('🛡️ ', rich.bold(name), `  ${formatPhone(Phone).national}  `, rich.code(Phone));
}

/** The protection in force, one line for each filter, and for each kind of traffic without one. */
export function forceBlocks(guarded: Guarded): Block[] {
  return TRAFFIC.flatMap((traffic) => {
    const filters = guarded.all[traffic.name];
    const off = filters.length > 0 && !isOn(guarded.features?.[traffic.feature]);
    const more = off ? ' Guardian filtering is off, so this has no effect.' : '';
    if (filters.length === 0) return [protectionBlock(traffic.title, traffic, protectionOf(traffic, undefined))];
    return filters.map((filter, i) =>
      protectionBlock(titleAt(traffic, i, filters.length), traffic, protectionOf(traffic, filter), more),
    );
  });
}

/** "Messages", or "Messages 2" where there are several filters. */
function titleAt({ title }: Traffic, position: number, count: number): string {
  return count > 1 ? `${title} ${position + 1}` : title;
}

function protectionBlock(title: string, traffic: Traffic, protection: Protection, more = ''): Block {
  return say(rich.bold(title), `  ${cut(protectionWords(traffic, protection), 2500)}${more}`);
}

const DIRECTIONS = [
  ['inbound', 'Incoming'],
  ['outbound', 'Outgoing'],
] as const;

/** The inputs of the second step, filled in from `wanted`. */
export function protectionInputs({ guarded, choices = 0 }: GuardSession, wanted: Wanted): Block[] {
  return TRAFFIC.flatMap((traffic) => {
    const { name } = traffic;
    const protection = wanted[name];
    const none: Option[] = guarded.filters[name] === undefined ? [['none', 'Not filtered']] : [];
    const levels = [...none, ...traffic.levels];
    const chosen = protection.level === '' ? 'none' : protection.level;
    const directions = DIRECTIONS.flatMap(([key]) => (protection[key] ? [key] : []));
    const mark = (part: string) => (choices === 0 ? `${name}.${part}` : `${name}.${part}~${choices}`);
    const named = (part: string) => `${traffic.title}: ${part}`;
    const optional = { optional: true };
    const numbers = (part: 'allowed' | 'blocked', title: string) =>
      inputOf(mark(part), named(title), textArea(protection[part].join('\n')), {
        hint: 'One number per line',
        ...optional,
      });
    const rules = traffic.rules.map(([flag, text]): Option => [flag, text]);
    return [
      divider,
      ...filterChoice(traffic, guarded, named('filter to change')),
      inputOf(mark('level'), named('protection'), menu(levels, chosen)),
      inputOf(mark('rules'), named('rules'), several(rules, protection.rules), optional),
      inputOf(mark('directions'), named('direction'), several(DIRECTIONS, directions), optional),
      numbers('allowed', 'always allowed'),
      numbers('blocked', 'blocked numbers'),
      ...(traffic.keywords ? [keywordInput(mark('keywords'), named('keywords'), protection)] : []),
    ];
  });
}

/** The choice of the filter that the inputs below it change. A choice redraws the form at once. */
function filterChoice(traffic: Traffic, { all, filters }: Guarded, title: string): Block[] {
  const { name, noun } = traffic;
  if (all[name].length === 0) return [];
  const known = all[name].map(
    (filter, i): Option => [
      textOf(filter.FilterId),
      cut(`${i + 1}: ${protectionWords(traffic, protectionOf(traffic, filter))}`, 75),
    ],
  );
  const choices: Option[] = [...known.slice(0, 99), [FURTHER, `Add a further ${noun}`]];
  const chosen = textOf(filters[name]?.FilterId) || FURTHER;
  return [inputOf(`${name}.filter`, title, menu(choices, chosen), { decides: true })];
}

/** The kind of traffic whose filter is chosen in this input; undefined for other inputs. */
export function filterChosenIn(blockId: string): Traffic | undefined {
  return TRAFFIC.find(({ name }) => blockId === `${name}.filter`);
}

/** Rules that a field does not hold stay as they are, and the form has no input for them. */
function keywordInput(id: string, title: string, { keywords }: Protection): Block {
  const text = keywordLines(keywords === '' ? '{}' : keywords) ?? keywords;
  if (text.length > MAX_TEXT) return small('The keyword rules are too long for a form. They stay as they are.');
  return inputOf(id, title, textArea(text), { hint: KEYWORD_HINT, optional: true });
}

/**
 * The protection that a person entered, and the problems with it by block. Numbers are normalised. Keyword rules that
 * the form has no input for stay as they are in `guarded`.
 */
export function readWanted(state: Fields, guarded: Guarded): { wanted: Wanted; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const read = (traffic: Traffic): Protection => {
    const value = (part: string) => enteredIn(state[`${traffic.name}.${part}`]);
    const many = (part: string) => (Array.isArray(value(part)) ? (value(part) as unknown[]).map(String) : []);
    const numbers = (part: string) => {
      const found = entriesOf(String(value(part) ?? ''), true).flatMap(({ text, line }) =>
        (readPhones(text) ?? [text]).map((number) => ({ text: number, line })),
      );
      const wrong = found.filter(({ text }) => !isPossiblePhone(text));
      const id = `${traffic.name}.${part}`;
      if (wrong.length > 0)
        errors[id] = cut(wrong.map(({ line, text }) => `Line ${line} (${text}) is not a phone number.`).join(' '), 300);
      else if (found.length > 100) errors[id] = 'At most 100 numbers.';
      return [...new Set(found.map(({ text }) => text))];
    };
    const level = String(value('level') ?? 'none');
    const directions = many('directions');
    const [allowed, blocked] = [numbers('allowed'), numbers('blocked')];
    const both = blocked.find((phone) => allowed.includes(phone));
    if (both !== undefined)
      errors[`${traffic.name}.blocked`] ??= `${both} is allowed above. Take it off one of the lists.`;
    if (level !== 'none' && level !== 'INACTIVE' && directions.length === 0)
      errors[`${traffic.name}.directions`] = 'Choose a direction. Otherwise nothing is filtered.';
    const keywords = String(value('keywords') ?? '');
    const kept = protectionOf(traffic, guarded.filters[traffic.name]).keywords;
    if (level === 'none' && [...many('rules'), ...allowed, ...blocked, keywords].join('') !== '')
      errors[`${traffic.name}.level`] = 'Choose a protection. Without one, nothing below it is saved.';
    return {
      level: level === 'none' ? '' : level,
      rules: many('rules'),
      inbound: directions.includes('inbound'),
      outbound: directions.includes('outbound'),
      allowed,
      blocked,
      keywords: `${traffic.name}.keywords` in state ? (keywords === '' ? '' : keywordsFrom(keywords)) : kept,
    };
  };
  const wanted = Object.fromEntries(TRAFFIC.map((traffic) => [traffic.name, read(traffic)])) as Record<
    Traffic['name'],
    Protection
  >;
  return { wanted, errors };
}

/** The third step, which describes the changes to be saved. */
export function summaryBlocks({ ward, guarded }: GuardSession, wanted: Wanted, titles: readonly string[]): Block[] {
  return [
    wardLine(ward),
    ...TRAFFIC.flatMap((traffic) => summaryOf(traffic, guarded, wanted[traffic.name])),
    divider,
    titles.length === 0
      ? say('This is what is set already. There is nothing to save.')
      : say(rich.bold('To be done'), `  ${titles.join(' · ')}`),
    ...(titles.length === 0
      ? []
      : [small('What adds protection is saved at once. What takes protection away waits for an approver.')]),
    actions('guard', button(IDS.guardBack, 'Back', 'back')),
  ];
}

/** Describes one filter after the change, and says how many others do not change. */
function summaryOf(traffic: Traffic, { all, filters }: Guarded, protection: Protection): Block[] {
  const { name, noun, title } = traffic;
  const there = all[name];
  const position = there.findIndex(({ FilterId }) => FilterId === filters[name]?.FilterId);
  const isFurther = there.length > 0 && position < 0;
  const others = there.length - (position < 0 ? 0 : 1);
  const own = isFurther ? `${title}, a further filter` : titleAt(traffic, Math.max(0, position), there.length);
  const stays = `${others === 1 ? `The other ${noun} stays` : `The ${others} other ${noun}s stay`} as set now.`;
  return [
    ...(isFurther && protection.level === '' ? [] : [protectionBlock(own, traffic, protection)]),
    ...(others === 0 ? [] : [small(stays)]),
  ];
}

function isOn(value: unknown): boolean {
  return readFlag(value) === true;
}
