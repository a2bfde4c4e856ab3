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
import { type Fields, isRecord, objectIn, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, readPhones } from '../../../platform/dialect/phone.ts';
import { readFlag } from '../../../platform/dialect/readings.ts';
import { IDS } from '../ids.ts';
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
  label,
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

/** Slack's field holds no more. */
const MAX_TEXT = 3000;

export type Wanted = Readonly<Record<Traffic['name'], Protection>>;

/** State between the steps of one form, kept in this process only. */
export interface GuardSession {
  ward: Ward;
  guarded: Guarded;
  wanted?: Wanted;
  /** Counts the choices of another filter, so that Slack does not keep what was entered for the one before. */
  choices?: number;
}

/** Stored in the view's metadata. */
export interface GuardMeta {
  step: 'who' | 'form' | 'save' | 'end';
  /** Handle of the session in memory. */
  h?: string;
  /** Channel of the request. */
  c?: string;
}

/** The metadata of a view of this form; undefined for other views. */
export function guardMeta(metadata: string): GuardMeta | undefined {
  const guard = objectIn(metadata)?.guard;
  if (!isRecord(guard)) return undefined;
  const [h, c] = [textOf(guard.h), textOf(guard.c)];
  const step = (['who', 'form', 'save', 'end'] as const).find((one) => one === guard.step) ?? 'end';
  return { step, ...(h === '' ? {} : { h }), ...(c === '' ? {} : { c }) };
}

/** A view of this form. Without `submit` it has no button but Close. */
export function guardView(meta: GuardMeta, blocks: Block[], submit?: string): Element {
  return {
    type: 'modal',
    callback_id: IDS.submit,
    private_metadata: JSON.stringify({ guard: meta }),
    title: label(GUARD.title, 24),
    ...(submit === undefined ? {} : { submit: label(submit, 24) }),
    close: label(submit === undefined ? 'Close' : 'Cancel', 24),
    blocks,
  };
}

/** The first step. `numbers`: the numbers of a subscriber who has several. */
export function whoBlocks(
  problem?: string,
  numbers: readonly string[] = [],
  labelOf: (phone: string) => string | undefined = () => undefined,
): Block[] {
  const option = (phone: string) => ({ text: plain(labelOf(phone) ?? formatPhone(phone).national, 75), value: phone });
  return [
    ...(problem === undefined ? [] : [alert('error', problem)]),
    say('Filters protect one number. The form starts from what is set now.'),
    {
      type: 'input',
      block_id: 'who',
      label: plain('Who is protected', 2000),
      hint: plain('A phone number, its last digits, or a name', 2000),
      element:
        numbers.length > 0
          ? { type: 'static_select', action_id: IDS.value, options: numbers.slice(0, 100).map(option) }
          : {
              type: 'plain_text_input',
              action_id: IDS.value,
              placeholder: plain('+12015550101', 150),
            },
    },
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
    const none: [string, string][] = guarded.filters[name] === undefined ? [['none', 'Not filtered']] : [];
    const levels = [...none, ...traffic.levels];
    const chosen = protection.level === '' ? 'none' : protection.level;
    const directions = DIRECTIONS.flatMap(([key]) => (protection[key] ? [key] : []));
    const mark = (part: string) => (choices === 0 ? `${name}.${part}` : `${name}.${part}~${choices}`);
    const numbers = (part: 'allowed' | 'blocked', title: string) =>
      lines(mark(part), title, protection[part].join('\n'), 'One number per line');
    return [
      divider,
      ...filterChoice(traffic, guarded),
      select(mark('level'), traffic.title, levels, chosen),
      boxes(
        mark('rules'),
        'Rules',
        traffic.rules.map(([flag, text]) => [flag, text]),
        protection.rules,
      ),
      boxes(mark('directions'), 'Direction', DIRECTIONS, directions),
      numbers('allowed', 'Always allowed'),
      numbers('blocked', 'Blocked numbers'),
      ...(traffic.keywords ? [keywordInput(mark('keywords'), protection)] : []),
    ].map((block) =>
      'label' in block ? { ...block, label: plain(`${traffic.title}: ${lower(block)}`, 2000) } : block,
    );
  });
}

/** The choice of the filter that the inputs below it change. A choice redraws the form at once. */
function filterChoice(traffic: Traffic, { all, filters }: Guarded): Block[] {
  const { name, noun } = traffic;
  if (all[name].length === 0) return [];
  const known = all[name].map((filter, i): [string, string] => [
    textOf(filter.FilterId),
    cut(`${i + 1}: ${protectionWords(traffic, protectionOf(traffic, filter))}`, 75),
  ]);
  const choices: [string, string][] = [...known.slice(0, 99), [FURTHER, `Add a further ${noun}`]];
  const chosen = textOf(filters[name]?.FilterId) || FURTHER;
  return [{ ...select(`${name}.filter`, 'Filter to change', choices, chosen), dispatch_action: true }];
}

/** The kind of traffic whose filter is chosen in this input; undefined for other inputs. */
export function filterChosenIn(blockId: string): Traffic | undefined {
  return TRAFFIC.find(({ name }) => blockId === `${name}.filter`);
}

/** Rules that a field does not hold stay as they are, and the form has no input for them. */
function keywordInput(id: string, { keywords }: Protection): Block {
  const text = keywordLines(keywords === '' ? '{}' : keywords) ?? keywords;
  if (text.length > MAX_TEXT) return small('The keyword rules are too long for a form. They stay as they are.');
  const hint = 'One word or phrase per line. How serious it is may follow after a colon, for example: word: HIGH';
  return lines(id, 'Keywords', text, hint);
}

/** The label of an input inside a sentence; the level has the name of the traffic alone. */
function lower(block: Block): string {
  const text = textOf(isRecord(block.label) ? block.label.text : '');
  return TRAFFIC.some(({ title }) => title === text) ? 'protection' : text.toLowerCase();
}

function select(id: string, title: string, choices: readonly (readonly [string, string])[], chosen: string): Block {
  const options = choices.map(([value, text]) => ({ text: plain(text, 75), value }));
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'input',
    block_id: id,
    label: plain(title, 2000),
    element: {
      type: 'static_select',
      action_id: IDS.value,
      options,
      ...(initial ? { initial_option: initial } : {}),
    },
  };
}

function boxes(
  id: string,
  title: string,
  choices: readonly (readonly [string, string])[],
  chosen: readonly string[],
): Block {
  const options = choices.map(([value, text]) => ({ text: plain(text, 75), value }));
  const initial = options.filter(({ value }) => chosen.includes(value));
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(title, 2000),
    element: {
      type: 'checkboxes',
      action_id: IDS.value,
      options,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
  };
}

function lines(id: string, title: string, text: string, hint: string): Block {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: plain(title, 2000),
    hint: plain(hint, 2000),
    element: {
      type: 'plain_text_input',
      action_id: IDS.value,
      multiline: true,
      ...(text === '' || text.length > MAX_TEXT ? {} : { initial_value: text }),
    },
  };
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
