// Slack's limits on the contents of blocks: text objects, options, confirm dialogs, interactive elements.

import { type Fields, isRecord, parseUrl } from '../../lib/values.ts';
import type { Files } from './files.ts';
import { str } from './types.ts';

export interface Problem {
  message: string;
  /** JSON pointer into the request, as Slack names it. */
  path: string;
}

export type Surface = 'message' | 'modal' | 'home';

export class Problems {
  readonly list: Problem[] = [];
  /** The files that images may show. Undefined allows any file. */
  readonly files: Pick<Files, 'problem'> | undefined;

  constructor(files?: Pick<Files, 'problem'>) {
    this.files = files;
  }

  add(path: string, message: string): void {
    this.list.push({ path, message });
  }

  required(obj: Fields, path: string, ...names: string[]): void {
    for (const name of names) if (obj[name] === undefined) this.add(path, `missing required field: ${name}`);
  }

  only(obj: Fields, path: string, allowed: readonly string[]): void {
    for (const name of Object.keys(obj)) {
      if (!allowed.includes(name)) this.add(path, `invalid additional property: ${name}`);
    }
  }

  string(value: unknown, path: string, max: number, min = 0): void {
    if (value === undefined) return;
    if (typeof value !== 'string') this.add(path, 'must be a string');
    else if (value.length > max) this.add(path, `must be less than ${max + 1} characters`);
    else if (value.length < min) this.add(path, `must be more than ${min - 1} characters`);
  }

  items(value: unknown, path: string, max: number, min = 1): unknown[] {
    if (!Array.isArray(value)) {
      this.add(path, 'must be an array');
      return [];
    }
    if (value.length > max) this.add(path, `no more than ${max} items allowed`);
    if (value.length < min) this.add(path, `must provide at least ${min} items`);
    return value;
  }
}

export function checkText(p: Problems, value: unknown, path: string, max: number, kind: 'plain' | 'mrkdwn' | 'any') {
  if (value === undefined) return;
  if (!isRecord(value)) return p.add(path, 'must be an object');
  const type = value.type;
  if (type !== 'plain_text' && type !== 'mrkdwn') return p.add(`${path}/type`, `unsupported type: ${String(type)}`);
  if (kind === 'plain' && type !== 'plain_text') p.add(`${path}/type`, 'must be plain_text');
  if (kind === 'mrkdwn' && type !== 'mrkdwn') p.add(`${path}/type`, 'must be mrkdwn');
  p.only(value, path, type === 'plain_text' ? ['type', 'text', 'emoji'] : ['type', 'text', 'verbatim']);
  if (typeof value.text !== 'string') p.add(`${path}/text`, 'must be a string');
  else p.string(value.text, `${path}/text`, max, 1);
}

function checkConfirm(p: Problems, value: unknown, path: string) {
  if (value === undefined) return;
  if (!isRecord(value)) return p.add(path, 'must be an object');
  p.only(value, path, ['title', 'text', 'confirm', 'deny', 'style']);
  p.required(value, path, 'text');
  checkText(p, value.title, `${path}/title`, 100, 'plain');
  checkText(p, value.text, `${path}/text`, 300, 'any');
  checkText(p, value.confirm, `${path}/confirm`, 30, 'plain');
  checkText(p, value.deny, `${path}/deny`, 30, 'plain');
  checkStyle(p, value.style, `${path}/style`);
}

function checkStyle(p: Problems, value: unknown, path: string) {
  if (value !== undefined && value !== 'primary' && value !== 'danger') p.add(path, `invalid style: ${String(value)}`);
}

function checkOption(p: Problems, value: unknown, path: string, overflow: boolean, rich: boolean) {
  if (!isRecord(value)) return p.add(path, 'must be an object');
  p.only(value, path, ['text', 'value', 'description', ...(overflow ? ['url'] : [])]);
  p.required(value, path, 'text', 'value');
  checkText(p, value.text, `${path}/text`, 75, rich ? 'any' : 'plain');
  checkText(p, value.description, `${path}/description`, 75, rich ? 'any' : 'plain');
  p.string(value.value, `${path}/value`, 150, 1);
  p.string(value.url, `${path}/url`, 3000);
}

/** `options` or `option_groups` of a select menu; also the answer to a typeahead request. */
export function checkOptions(p: Problems, source: Fields, path: string, least = 1) {
  const both = source.options !== undefined && source.option_groups !== undefined;
  if (both || (source.options === undefined && source.option_groups === undefined)) {
    p.add(path, 'exactly one of options and option_groups is required');
  }
  if (source.options !== undefined) {
    p.items(source.options, `${path}/options`, 100, least).forEach((option, i) => {
      checkOption(p, option, `${path}/options/${i}`, false, false);
    });
  }
  if (source.option_groups !== undefined) {
    p.items(source.option_groups, `${path}/option_groups`, 100, least).forEach((group, i) => {
      const at = `${path}/option_groups/${i}`;
      if (!isRecord(group)) {
        p.add(at, 'must be an object');
        return;
      }
      p.only(group, at, ['label', 'options']);
      p.required(group, at, 'label', 'options');
      checkText(p, group.label, `${at}/label`, 75, 'plain');
      p.items(group.options, `${at}/options`, 100).forEach((option, j) => {
        checkOption(p, option, `${at}/options/${j}`, false, false);
      });
    });
  }
}

/** Returns the options of an element, with option groups flattened. */
export function optionsOf(element: Fields): Fields[] {
  const groups = Array.isArray(element.option_groups) ? element.option_groups.filter(isRecord) : [];
  const lists = [element.options, ...groups.map((group) => group.options)];
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));
}

const BASE = ['type', 'action_id'];
const SELECT = [...BASE, 'placeholder', 'confirm', 'focus_on_load'];
const TEXTUAL = [...BASE, 'placeholder', 'focus_on_load', 'initial_value', 'dispatch_action_config'];

/** Every interactive element and the members Slack knows for it. */
const MEMBERS: Record<string, readonly string[]> = {
  button: [...BASE, 'text', 'value', 'url', 'style', 'confirm', 'accessibility_label'],
  workflow_button: [...BASE, 'text', 'workflow', 'style', 'accessibility_label'],
  overflow: [...BASE, 'options', 'confirm'],
  checkboxes: [...BASE, 'options', 'initial_options', 'confirm', 'focus_on_load'],
  radio_buttons: [...BASE, 'options', 'initial_option', 'confirm', 'focus_on_load'],
  static_select: [...SELECT, 'options', 'option_groups', 'initial_option'],
  external_select: [...SELECT, 'initial_option', 'min_query_length'],
  users_select: [...SELECT, 'initial_user'],
  channels_select: [...SELECT, 'initial_channel', 'response_url_enabled'],
  conversations_select: [
    ...SELECT,
    'initial_conversation',
    'default_to_current_conversation',
    'response_url_enabled',
    'filter',
  ],
  multi_static_select: [...SELECT, 'options', 'option_groups', 'initial_options', 'max_selected_items'],
  multi_external_select: [...SELECT, 'initial_options', 'min_query_length', 'max_selected_items'],
  multi_users_select: [...SELECT, 'initial_users', 'max_selected_items'],
  multi_channels_select: [...SELECT, 'initial_channels', 'max_selected_items'],
  multi_conversations_select: [
    ...SELECT,
    'initial_conversations',
    'default_to_current_conversation',
    'filter',
    'max_selected_items',
  ],
  datepicker: [...SELECT, 'initial_date'],
  timepicker: [...SELECT, 'initial_time', 'timezone'],
  datetimepicker: [...BASE, 'confirm', 'focus_on_load', 'initial_date_time'],
  plain_text_input: [...TEXTUAL, 'multiline', 'min_length', 'max_length'],
  email_text_input: TEXTUAL,
  url_text_input: TEXTUAL,
  number_input: [...TEXTUAL, 'is_decimal_allowed', 'min_value', 'max_value'],
  rich_text_input: TEXTUAL,
  file_input: [...BASE, 'filetypes', 'max_files'],
};

const MENUS = Object.keys(MEMBERS).filter((type) => type.endsWith('_select'));
const PICKERS = ['checkboxes', 'radio_buttons', 'datepicker', 'timepicker'];
/** The elements allowed in each place. */
const ALLOWED: Record<string, readonly string[]> = {
  actions: ['button', 'workflow_button', 'overflow', 'datetimepicker', 'rich_text_input', ...PICKERS, ...MENUS],
  accessory: ['button', 'workflow_button', 'overflow', 'image', ...PICKERS, ...MENUS],
  input: [
    'datetimepicker',
    'plain_text_input',
    'email_text_input',
    'url_text_input',
    'number_input',
    'rich_text_input',
    'file_input',
    ...PICKERS,
    ...MENUS,
  ],
  card: ['button'],
  picture: ['image'],
};

export function checkElement(p: Problems, value: unknown, path: string, place: string) {
  if (!isRecord(value)) return p.add(path, 'must be an object');
  const type = str(value.type) ?? '';
  if (!ALLOWED[place]?.includes(type)) return p.add(path, `unsupported type: ${type}`);
  if (type === 'image') return checkImage(p, value, path);
  p.only(value, path, MEMBERS[type] ?? []);
  p.string(value.action_id, `${path}/action_id`, 255, 1);
  checkConfirm(p, value.confirm, `${path}/confirm`);
  checkText(p, value.placeholder, `${path}/placeholder`, 150, 'plain');
  switch (type) {
    case 'button':
    case 'workflow_button':
      p.required(value, path, 'text');
      checkText(p, value.text, `${path}/text`, 75, 'plain');
      p.string(value.value, `${path}/value`, 2000);
      p.string(value.url, `${path}/url`, 3000);
      p.string(value.accessibility_label, `${path}/accessibility_label`, 75);
      checkStyle(p, value.style, `${path}/style`);
      break;
    case 'overflow':
      p.items(value.options, `${path}/options`, 5).forEach((option, i) => {
        checkOption(p, option, `${path}/options/${i}`, true, false);
      });
      break;
    case 'checkboxes':
    case 'radio_buttons':
      p.items(value.options, `${path}/options`, 10).forEach((option, i) => {
        checkOption(p, option, `${path}/options/${i}`, false, true);
      });
      checkInitial(p, value, path);
      break;
    case 'static_select':
    case 'multi_static_select':
      checkOptions(p, value, path);
      checkInitial(p, value, path);
      break;
    case 'external_select':
    case 'multi_external_select':
      if (value.initial_option !== undefined) {
        checkOption(p, value.initial_option, `${path}/initial_option`, false, false);
      }
      break;
    case 'number_input':
      p.required(value, path, 'is_decimal_allowed');
      break;
    case 'plain_text_input':
      p.string(value.initial_value, `${path}/initial_value`, 3000);
      checkLength(p, value.min_length, `${path}/min_length`, 0);
      checkLength(p, value.max_length, `${path}/max_length`, 1);
      break;
    case 'datepicker':
      if (value.initial_date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(String(value.initial_date))) {
        p.add(`${path}/initial_date`, 'must be in the format YYYY-MM-DD');
      }
      break;
    default:
  }
}

function checkLength(p: Problems, value: unknown, path: string, least: number) {
  if (value === undefined) return;
  if (typeof value !== 'number' || !Number.isInteger(value)) p.add(path, 'must be an integer');
  else if (value > 3000) p.add(path, 'must be less than 3001');
  else if (value < least) p.add(path, `must be more than ${least - 1}`);
}

/** Initial options must be among the options, character for character. */
function checkInitial(p: Problems, element: Fields, path: string) {
  const known = optionsOf(element).map(fingerprint);
  if (element.initial_option !== undefined && !known.includes(fingerprint(element.initial_option))) {
    p.add(`${path}/initial_option`, 'must match one of the provided options');
  }
  if (element.initial_options !== undefined) {
    p.items(element.initial_options, `${path}/initial_options`, 100).forEach((option, i) => {
      if (!known.includes(fingerprint(option))) {
        p.add(`${path}/initial_options/${i}`, 'must match one of the provided options');
      }
    });
  }
}

function fingerprint(option: unknown): string {
  if (!isRecord(option)) return '';
  const text = isRecord(option.text) ? option.text.text : '';
  return JSON.stringify([text, option.value]);
}

export function checkImage(p: Problems, value: Fields, path: string, block = false) {
  const extra = block ? ['block_id', 'title'] : [];
  p.only(value, path, ['type', 'image_url', 'slack_file', 'alt_text', ...extra]);
  p.required(value, path, 'alt_text');
  p.string(value.alt_text, `${path}/alt_text`, 2000);
  if ((value.image_url === undefined) === (value.slack_file === undefined)) {
    return p.add(path, 'exactly one of image_url and slack_file is required');
  }
  if (value.image_url !== undefined) checkImageUrl(p, value.image_url, `${path}/image_url`);
  else checkSlackFile(p, value.slack_file, `${path}/slack_file`);
}

/** Slack loads the picture itself when it accepts the block, so it must be able to reach the address. */
function checkImageUrl(p: Problems, value: unknown, path: string) {
  p.string(value, path, 3000, 1);
  if (typeof value !== 'string' || value === '') return;
  const url = parseUrl(value);
  if (!url || !/^https?:$/.test(url.protocol)) p.add(path, 'must be a valid URL');
  else if (/^(localhost|127\.|\[::1\]|10\.|192\.168\.|0\.)/.test(url.hostname)) p.add(path, 'downloading image failed');
}

function checkSlackFile(p: Problems, value: unknown, path: string) {
  if (!isRecord(value)) return p.add(path, 'must be an object');
  p.only(value, path, ['id', 'url']);
  if ((value.id === undefined) === (value.url === undefined))
    return p.add(path, 'exactly one of id and url is required');
  const problem = p.files?.problem(value);
  if (problem) p.add(path + problem.member, problem.message);
}
