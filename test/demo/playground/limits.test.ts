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
const alert = (length: number) => ({ type: 'alert', level: 'error', text: plain(x(length)) });

/** For each limit: blocks that just fit, blocks that just do not, and the path that Slack names. */
const MESSAGES: [string, unknown[], unknown[], string][] = [
  ['50 blocks', many(50, () => section('a')), many(51, () => section('a')), '/blocks'],
  ['section text 3000', [section(x(3000))], [section(x(3001))], '/blocks/0/text/text'],
  [
    'ten fields',
    [{ type: 'section', fields: many(10, () => plain('f')) }],
    [{ type: 'section', fields: many(11, () => plain('f')) }],
    '/blocks/0/fields',
  ],
  [
    'field text 2000',
    [{ type: 'section', fields: [plain(x(2000))] }],
    [{ type: 'section', fields: [plain(x(2001))] }],
    '/blocks/0/fields/0/text',
  ],
  [
    'header 150',
    [{ type: 'header', text: plain(x(150)) }],
    [{ type: 'header', text: plain(x(151)) }],
    '/blocks/0/text/text',
  ],
  [
    '25 actions',
    [actions(...many(25, (i) => button({ action_id: `a${i}` })))],
    [actions(...many(26, (i) => button({ action_id: `a${i}` })))],
    '/blocks/0/elements',
  ],
  [
    '10 in context',
    [{ type: 'context', elements: many(10, () => plain('c')) }],
    [{ type: 'context', elements: many(11, () => plain('c')) }],
    '/blocks/0/elements',
  ],
  [
    'button text 75',
    [actions(button({ text: plain(x(75)) }))],
    [actions(button({ text: plain(x(76)) }))],
    '/blocks/0/elements/0/text/text',
  ],
  [
    'value 2000',
    [actions(button({ value: x(2000) }))],
    [actions(button({ value: x(2001) }))],
    '/blocks/0/elements/0/value',
  ],
  ['url 3000', [actions(button({ url: x(3000) }))], [actions(button({ url: x(3001) }))], '/blocks/0/elements/0/url'],
  [
    'action_id 255',
    [actions(button({ action_id: x(255) }))],
    [actions(button({ action_id: x(256) }))],
    '/blocks/0/elements/0/action_id',
  ],
  [
    'block_id 255',
    [{ type: 'divider', block_id: x(255) }],
    [{ type: 'divider', block_id: x(256) }],
    '/blocks/0/block_id',
  ],
  [
    'block_id unique',
    [
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'b' },
    ],
    [
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'a' },
    ],
    '/blocks/1/block_id',
  ],
  [
    'action_id unique in a block',
    [actions(button(), button({ action_id: 'other' }))],
    [actions(button(), button())],
    '/blocks/0/elements/1/action_id',
  ],
  [
    '100 options',
    [select({ options: options(100) })],
    [select({ options: options(101) })],
    '/blocks/0/accessory/options',
  ],
  [
    'option text 75',
    [select({ options: [option(1, x(75))] })],
    [select({ options: [option(1, x(76))] })],
    '/blocks/0/accessory/options/0/text/text',
  ],
  [
    'option value 150',
    [select({ options: [option(1, 'a', x(150))] })],
    [select({ options: [option(1, 'a', x(151))] })],
    '/blocks/0/accessory/options/0/value',
  ],
  [
    'options in a group',
    [select({ option_groups: [{ label: plain('g'), options: options(100) }] })],
    [select({ option_groups: [{ label: plain('g'), options: options(101) }] })],
    '/blocks/0/accessory/option_groups/0/options',
  ],
  [
    'option groups',
    [select({ option_groups: many(100, () => ({ label: plain('g'), options: options(1) })) })],
    [select({ option_groups: many(101, () => ({ label: plain('g'), options: options(1) })) })],
    '/blocks/0/accessory/option_groups',
  ],
  [
    'initial option is an option',
    [select({ options: options(2), initial_option: option(1) })],
    [select({ options: options(2), initial_option: option(9) })],
    '/blocks/0/accessory/initial_option',
  ],
  ...['checkboxes', 'radio_buttons'].map((type): [string, unknown[], unknown[], string] => [
    `${type} 10`,
    [accessory({ type, action_id: 'c', options: options(10) })],
    [accessory({ type, action_id: 'c', options: options(11) })],
    '/blocks/0/accessory/options',
  ]),
  [
    'overflow 5',
    [accessory({ type: 'overflow', action_id: 'o', options: options(5) })],
    [accessory({ type: 'overflow', action_id: 'o', options: options(6) })],
    '/blocks/0/accessory/options',
  ],
  [
    'confirm title 100',
    [confirm({ title: plain(x(100)) })],
    [confirm({ title: plain(x(101)) })],
    '/blocks/0/elements/0/confirm/title/text',
  ],
  [
    'confirm text 300',
    [confirm({ text: plain(x(300)) })],
    [confirm({ text: plain(x(301)) })],
    '/blocks/0/elements/0/confirm/text/text',
  ],
  [
    'confirm yes 30',
    [confirm({ confirm: plain(x(30)) })],
    [confirm({ confirm: plain(x(31)) })],
    '/blocks/0/elements/0/confirm/confirm/text',
  ],
  [
    'confirm no 30',
    [confirm({ deny: plain(x(30)) })],
    [confirm({ deny: plain(x(31)) })],
    '/blocks/0/elements/0/confirm/deny/text',
  ],
  ['table rows', [{ type: 'table', rows: rows(100, 2) }], [{ type: 'table', rows: rows(101, 2) }], '/blocks/0/rows'],
  ['table cells', [{ type: 'table', rows: rows(2, 20) }], [{ type: 'table', rows: rows(1, 21) }], '/blocks/0/rows/0'],
  [
    'one table',
    [{ type: 'table', rows: rows(1, 1) }],
    [
      { type: 'table', rows: rows(1, 1) },
      { type: 'table', rows: rows(1, 1) },
    ],
    '/blocks',
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
    'markdown 12000',
    [{ type: 'markdown', text: x(12_000) }],
    [{ type: 'markdown', text: x(12_001) }],
    '/blocks/0/text',
  ],
  ['card of 3 buttons', [card(3)], [card(4)], '/blocks/0/actions'],
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
  it.each(MESSAGES)('%s', (_name, fits, tooMuch, path) => {
    expect(checkBlocks(fits, 'message')).toEqual([]);
    expect(checkBlocks(tooMuch, 'message').map((problem) => problem.path)).toContain(path);
  });
});

const modal = (more: object = {}) => ({ type: 'modal', title: plain('T'), blocks: [section('a')], ...more });
const input = { type: 'input', label: plain('L'), element: { type: 'plain_text_input', action_id: 'a' } };
const VIEWS: [string, object, object, string][] = [
  ['title 24', modal({ title: plain(x(24)) }), modal({ title: plain(x(25)) }), '/view/title/text'],
  ['submit 24', modal({ submit: plain(x(24)) }), modal({ submit: plain(x(25)) }), '/view/submit/text'],
  ['close 24', modal({ close: plain(x(24)) }), modal({ close: plain(x(25)) }), '/view/close/text'],
  [
    'private_metadata 3000',
    modal({ private_metadata: x(3000) }),
    modal({ private_metadata: x(3001) }),
    '/view/private_metadata',
  ],
  ['callback_id 255', modal({ callback_id: x(255) }), modal({ callback_id: x(256) }), '/view/callback_id'],
  [
    '100 blocks',
    modal({ blocks: many(100, () => section('a')) }),
    modal({ blocks: many(101, () => section('a')) }),
    '/view/blocks',
  ],
  ['title required', modal(), { type: 'modal', blocks: [section('a')] }, '/view'],
  ['submit with inputs', modal({ blocks: [input], submit: plain('Go') }), modal({ blocks: [input] }), '/view'],
  ['alert 200', modal({ blocks: [alert(200)] }), modal({ blocks: [alert(201)] }), '/view/blocks/0/text/text'],
  ['no alert in Home', { type: 'home', blocks: [] }, { type: 'home', blocks: [alert(1)] }, '/view/blocks/0'],
  ['no table in a modal', modal(), modal({ blocks: [{ type: 'table', rows: rows(1, 1) }] }), '/view/blocks/0'],
  [
    'home of 100',
    { type: 'home', blocks: many(100, () => section('a')) },
    { type: 'home', blocks: many(101, () => section('a')) },
    '/view/blocks',
  ],
  ['view type', modal(), { type: 'window', blocks: [] }, '/view/type'],
];

describe('limits of views', () => {
  it.each(VIEWS)('%s', (_name, fits, tooMuch, path) => {
    expect(checkView(fits)).toEqual([]);
    expect(checkView(tooMuch).map((problem) => problem.path)).toContain(path);
  });
});
