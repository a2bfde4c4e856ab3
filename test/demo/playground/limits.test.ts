import { describe, expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../../src/demo/playground/limits.ts';
import { actions, button, option, options, plain, section } from './support.ts';

const x = (length: number) => 'x'.repeat(length);
const many = (count: number, make: (i: number) => unknown) => Array.from({ length: count }, (_, i) => make(i));
const accessory = (element: unknown) => ({ ...section('a'), accessory: element });
const select = (more: object) => accessory({ type: 'static_select', action_id: 's', placeholder: plain('p'), ...more });
const confirm = (more: object) => actions(button({ confirm: { text: plain('sure?'), ...more } }));
const cell = (text = 'c') => ({ type: 'raw_text', text });
const rows = (count: number, width: number) => many(count, () => many(width, () => cell()));
const dataTable = (given: unknown[], more: object = {}) => ({ type: 'data_table', caption: 'c', rows: given, ...more });
const card = (buttons: number) => ({
  type: 'card',
  title: plain('T'),
  actions: many(buttons, (i) => button({ action_id: `a${i}` })),
});
const table = (height: number, width: number) => ({ type: 'table', rows: rows(height, width) });
const groups = (count: number, length: number) => ({
  option_groups: many(count, () => ({ label: plain('g'), options: options(length) })),
});
const chosen = (type: string, count: number) => accessory({ type, action_id: 'c', options: options(count) });
const divider = (id: string) => ({ type: 'divider', block_id: id });
const alert = (length: number) => ({ type: 'alert', level: 'error', text: plain(x(length)) });

/** For each maximum: blocks of that size, and the path that Slack names above it. */
const MOST: [string, number, (size: number) => unknown[], string][] = [
  ['blocks', 50, (n) => many(n, () => section('a')), '/blocks'],
  ['section text', 3000, (n) => [section(x(n))], '/blocks/0/text/text'],
  ['fields', 10, (n) => [{ type: 'section', fields: many(n, () => plain('f')) }], '/blocks/0/fields'],
  ['field text', 2000, (n) => [{ type: 'section', fields: [plain(x(n))] }], '/blocks/0/fields/0/text'],
  ['header', 150, (n) => [{ type: 'header', text: plain(x(n)) }], '/blocks/0/text/text'],
  ['actions', 25, (n) => [actions(...many(n, (i) => button({ action_id: `a${i}` })))], '/blocks/0/elements'],
  ['in context', 10, (n) => [{ type: 'context', elements: many(n, () => plain('c')) }], '/blocks/0/elements'],
  ['button text', 75, (n) => [actions(button({ text: plain(x(n)) }))], '/blocks/0/elements/0/text/text'],
  ['value', 2000, (n) => [actions(button({ value: x(n) }))], '/blocks/0/elements/0/value'],
  ['url', 3000, (n) => [actions(button({ url: x(n) }))], '/blocks/0/elements/0/url'],
  ['action_id', 255, (n) => [actions(button({ action_id: x(n) }))], '/blocks/0/elements/0/action_id'],
  ['block_id', 255, (n) => [{ type: 'divider', block_id: x(n) }], '/blocks/0/block_id'],
  ['options', 100, (n) => [select({ options: options(n) })], '/blocks/0/accessory/options'],
  ['option text', 75, (n) => [select({ options: [option(1, x(n))] })], '/blocks/0/accessory/options/0/text/text'],
  ['option value', 150, (n) => [select({ options: [option(1, 'a', x(n))] })], '/blocks/0/accessory/options/0/value'],
  ['options in a group', 100, (n) => [select(groups(1, n))], '/blocks/0/accessory/option_groups/0/options'],
  ['option groups', 100, (n) => [select(groups(n, 1))], '/blocks/0/accessory/option_groups'],
  ['checkboxes', 10, (n) => [chosen('checkboxes', n)], '/blocks/0/accessory/options'],
  ['radio buttons', 10, (n) => [chosen('radio_buttons', n)], '/blocks/0/accessory/options'],
  ['overflow', 5, (n) => [chosen('overflow', n)], '/blocks/0/accessory/options'],
  ['confirm title', 100, (n) => [confirm({ title: plain(x(n)) })], '/blocks/0/elements/0/confirm/title/text'],
  ['confirm text', 300, (n) => [confirm({ text: plain(x(n)) })], '/blocks/0/elements/0/confirm/text/text'],
  ['confirm yes', 30, (n) => [confirm({ confirm: plain(x(n)) })], '/blocks/0/elements/0/confirm/confirm/text'],
  ['confirm no', 30, (n) => [confirm({ deny: plain(x(n)) })], '/blocks/0/elements/0/confirm/deny/text'],
  ['table rows', 100, (n) => [table(n, 2)], '/blocks/0/rows'],
  ['table cells', 20, (n) => [table(1, n)], '/blocks/0/rows/0'],
  ['tables', 1, (n) => many(n, () => table(1, 1)), '/blocks'],
  ['markdown', 12_000, (n) => [{ type: 'markdown', text: x(n) }], '/blocks/0/text'],
  ['buttons of a card', 3, (n) => [card(n)], '/blocks/0/actions'],
];

/** For each rule: blocks that follow it, blocks that do not, and the path that Slack names. */
const RULES: [string, unknown[], unknown[], string][] = [
  ['block_id unique', [divider('a'), divider('b')], [divider('a'), divider('a')], '/blocks/1/block_id'],
  [
    'action_id unique in a block',
    [actions(button(), button({ action_id: 'other' }))],
    [actions(button(), button())],
    '/blocks/0/elements/1/action_id',
  ],
  [
    'initial option is an option',
    [select({ options: options(2), initial_option: option(1) })],
    [select({ options: options(2), initial_option: option(9) })],
    '/blocks/0/accessory/initial_option',
  ],
  [
    'style',
    [actions(button({ style: 'danger' }))],
    [actions(button({ style: 'green' }))],
    '/blocks/0/elements/0/style',
  ],
  ['known types', [section('a')], [{ type: 'sparkles' }], '/blocks/0'],
  ['known elements', [actions(button())], [actions({ type: 'lever', action_id: 'l' })], '/blocks/0/elements/0'],
  ['known members', [section('a')], [{ ...section('a'), colour: 'red' }], '/blocks/0'],
  ['text of a section', [section('a')], [{ type: 'section' }], '/blocks/0'],
  ['text not empty', [section('a')], [section('')], '/blocks/0/text/text'],
  ['text of a button', [actions(button())], [actions({ type: 'button', action_id: 'a' })], '/blocks/0/elements/0'],
  [
    'plain header',
    [{ type: 'header', text: plain('h') }],
    [{ type: 'header', text: { type: 'mrkdwn', text: 'h' } }],
    '/blocks/0/text/type',
  ],
  [
    'buttons alone in a card',
    [card(1)],
    [{ type: 'card', title: plain('T'), actions: [{ type: 'overflow', options: options(2) }] }],
    '/blocks/0/actions/0',
  ],
  ['2 rows of a data table', [dataTable(rows(2, 2))], [dataTable(rows(1, 2))], '/blocks/0/rows'],
  ['rows of one length', [dataTable(rows(3, 2))], [dataTable([...rows(2, 2), ...rows(1, 3)])], '/blocks/0/rows/2'],
  [
    'plain heads of a data table',
    [dataTable([...rows(1, 1), [{ type: 'rich_text', elements: [] }]])],
    [dataTable([[{ type: 'rich_text', elements: [] }], ...rows(1, 1)])],
    '/blocks/0/rows/0',
  ],
  [
    'numbers of a data table',
    [dataTable([...rows(1, 1), [{ type: 'raw_number', value: 1, text: '1' }]])],
    [dataTable([...rows(1, 1), [{ type: 'raw_number', value: '1', text: '1' }]])],
    '/blocks/0/rows/1/0/value',
  ],
  [
    'row header of a data table',
    [dataTable(rows(2, 2), { row_header_column_index: 1 })],
    [dataTable(rows(2, 2), { row_header_column_index: 2 })],
    '/blocks/0/row_header_column_index',
  ],
  ['no alert in a message', [section('a')], [{ type: 'alert', text: plain('a') }], '/blocks/0'],
];

describe('limits of messages', () => {
  const sized = MOST.map(([name, most, make, path]) => [`${most} ${name}`, make(most), make(most + 1), path] as const);
  it.each([...sized, ...RULES])('%s', (_name, fits, wrong, path) => {
    expect(checkBlocks(fits, 'message')).toEqual([]);
    expect(checkBlocks(wrong, 'message').map((problem) => problem.path)).toContain(path);
  });
});

const modal = (more: object = {}) => ({ type: 'modal', title: plain('T'), blocks: [section('a')], ...more });
const input = { type: 'input', label: plain('L'), element: { type: 'plain_text_input', action_id: 'a' } };
/** For each maximum of a view: a view of that size, and the path that Slack names above it. */
const MOST_OF_VIEWS: [string, number, (size: number) => object, string][] = [
  ['title', 24, (n) => modal({ title: plain(x(n)) }), '/view/title/text'],
  ['submit', 24, (n) => modal({ submit: plain(x(n)) }), '/view/submit/text'],
  ['close', 24, (n) => modal({ close: plain(x(n)) }), '/view/close/text'],
  ['private_metadata', 3000, (n) => modal({ private_metadata: x(n) }), '/view/private_metadata'],
  ['callback_id', 255, (n) => modal({ callback_id: x(n) }), '/view/callback_id'],
  ['blocks', 100, (n) => modal({ blocks: many(n, () => section('a')) }), '/view/blocks'],
  ['blocks of Home', 100, (n) => ({ type: 'home', blocks: many(n, () => section('a')) }), '/view/blocks'],
  ['alert', 200, (n) => modal({ blocks: [alert(n)] }), '/view/blocks/0/text/text'],
];
const RULES_OF_VIEWS: [string, object, object, string][] = [
  ['title required', modal(), { type: 'modal', blocks: [section('a')] }, '/view'],
  ['submit with inputs', modal({ blocks: [input], submit: plain('Go') }), modal({ blocks: [input] }), '/view'],
  ['no alert in Home', { type: 'home', blocks: [] }, { type: 'home', blocks: [alert(1)] }, '/view/blocks/0'],
  ['no table in a modal', modal(), modal({ blocks: [table(1, 1)] }), '/view/blocks/0'],
  ['view type', modal(), { type: 'window', blocks: [] }, '/view/type'],
];

describe('limits of views', () => {
  const sized = MOST_OF_VIEWS.map(([name, most, make, path]) => {
    return [`${most} ${name}`, make(most), make(most + 1), path] as const;
  });
  it.each([...sized, ...RULES_OF_VIEWS])('%s', (_name, fits, wrong, path) => {
    expect(checkView(fits)).toEqual([]);
    expect(checkView(wrong).map((problem) => problem.path)).toContain(path);
  });
});
