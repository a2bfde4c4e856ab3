import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeValue, questionText } from '../../src/cards/card.ts';
import { questionCard } from '../../src/cards/question.ts';
import { batchedBy } from '../../src/catalogue/change.ts';
import { type Change, isChange, type Tool } from '../../src/catalogue/operation.ts';
import { factsOf } from '../../src/gate/question.ts';
import { choiceText } from '../../src/language/show.ts';
import { type Action, changeOf } from '../../src/ledger/action.ts';
import type { Fields } from '../../src/lib/values.ts';
import { dayText } from '../../src/platform/dialect/readings.ts';
import { drawWhole } from '../../src/surfaces/slack/blocks/fitting.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { CHOICE_WORDS } from '../../tools/shared/fields.ts';
import { keywordsText } from '../../tools/shared/keywords.ts';
import { rows } from '../e2e/table.rows.ts';
import { rawText } from '../snapshots/slack-text.ts';
import { asks } from '../support/asking.ts';
import { look, signIn } from '../support/page.ts';
import { id } from '../support/seed.ts';
import { call, openWorld, texts, value, type World } from '../support/world.ts';
import { batchOf, changing, examplesOf, leaves, membersOf, renamed } from './change-cases.ts';

/*
 * No assistant changes anything by itself. Every operation that changes something, called by assistants of every role, is
 * sent only after a person's act, and every question shows each value that is sent and each value that it replaces.
 */

const TOKENS = 'eve:viewer:token-of-eve,desk:operator:token-of-desk,lee:approver:token-of-lee';
let world: World;
let clients: Record<string, Client>;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all', MCP_HTTP_TOKENS: TOKENS });
  const open = async (token: string) => world.client({ token: `token-of-${token}` });
  clients = { viewer: await open('eve'), operator: await open('desk'), approver: await open('lee') };
  const { url } = await asks(clients.operator as Client, 'message_routes_delete', { MessageRouteId: id('MRID', 1) });
  await signIn(url, 'token-of-lee');
  await renew();
});

async function renew(): Promise<void> {
  await world.afresh();
  await renamed(run);
}

/**
 * Returns the examples of an operation. Its questions are never confirmed, so the data is renewed only before preparing
 * records.
 */
async function inputsOf(tool: Tool): Promise<Record<string, unknown>[]> {
  if (rows[tool.id]?.before) await renew();
  return examplesOf(tool, run);
}

const run: World['person'] = (operation, input) => world.person(operation, input);

/** Requests to endpoints that change something. */
const writes = async () => {
  const paths = new Set(changing.flatMap((tool) => (tool.kind === 'operation' ? [`${tool.method} ${tool.path}`] : [])));
  return (await world.requests()).filter(({ method, path }) => paths.has(`${method} ${path}`)).length;
};

const unescaped = (html: string) =>
  html.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));

/** The values that a question must show: all that is sent, and in each row the value before and after, as people read it. */
function shownIn({ sends, rows, keeps, names }: Change): string[] {
  const rules = new Set([...rows, ...keeps].filter(({ keywords }) => keywords).map(({ member }) => member));
  const isRule = ([name, given]: [string, unknown]) => rules.has(name) && given !== null;
  const worded = Object.entries(sends).map((one) => (isRule(one) ? keywordsText(one[1]) : one[1]));
  const asRead = (given: unknown) => leaves(given).map((leaf) => (names[leaf] ? changeValue(leaf, names) : leaf));
  return [
    ...leaves(worded),
    ...rows.flatMap(({ hidden, before, after, keywords }) => {
      if (keywords) return [before, after].filter((given) => given !== undefined).map(keywordsText);
      return hidden ? [] : [...asRead(before), ...asRead(after)];
    }),
    ...keeps.flatMap((kept) => (kept.keywords ? [keywordsText(kept.value)] : asRead(kept.value))),
  ].map((text) => text.replaceAll('”', '"'));
}

const plain = (text: string) => text.replaceAll('”', '"').replace(/\s+/g, ' ');

/** Fields whose choices are shown in words, each in its own. */
const WORDED = ['ThrottleSpeed', 'NumberType', ...Object.keys(CHOICE_WORDS)];

/** The words in a question's title that say which change of status it is. */
const ACTS: Readonly<Record<string, string>> = {
  park: 'Park',
  activate: 'Activate',
  swap: 'Swap +',
  'swap-sim': 'Swap the SIM',
  replace: 'Replace',
};

/** The values that a surface does not show, with the surface: all surfaces, or one of them in turn. */
async function missingIn(tool: Tool | undefined, action: Action, sends?: Fields[], turn = 0): Promise<string[]> {
  const built = changeOf(action);
  if (built === undefined) throw new Error(`${action.operation} has no change`);
  const change = { ...built, sends: sends === undefined ? built.sends : { Rows: sends } };
  const asked = questionCard(tool, action);
  const surfaces: [string, () => string | Promise<string>][] = [
    ['terminal', () => questionText(asked)],
    ['slack', () => rawText({ text: '', ...drawWhole(asked, createReworder([])) } as never).replaceAll('`', '')],
    ['page', async () => unescaped((await look(world.runtime.gate.pageUrl(action.id) ?? '')).html)],
  ];
  // The question of a batch shows an id by its name.
  const named = sends === undefined ? {} : change.names;
  const isShown = (text: string, shown: string) =>
    shown.includes(plain(text)) ||
    // A day is shown in words.
    shown.includes(plain(dayText(text))) ||
    WORDED.some((name) => shown.includes(plain(choiceText(name, text) ?? text))) ||
    (ACTS[text] !== undefined && shown.includes(plain(ACTS[text]))) ||
    (named[text] !== undefined && shown.includes(plain(changeValue(text, named))));
  const values = shownIn(change);
  const missing: string[] = [];
  for (const [surface, show] of turn === 0 ? surfaces : surfaces.slice(turn % 3).slice(0, 1)) {
    const shown = plain(await show());
    missing.push(...values.filter((text) => !isShown(text, shown)).map((text) => `${surface}: ${text}`));
  }
  return missing;
}

/** Returns the sentences of a question that have a text of the caller or of a record outside quotation marks. */
function notApart({ consent, known }: Action): string[] {
  const { title = '', consequence = '', undo = '', confirm = '', cost = '' } = consent ?? {};
  return [title, consequence, undo, confirm, cost, ...factsOf({ known }).warnings].filter((sentence) =>
    sentence.replaceAll(/“[^”]*”/g, '').includes('Cost: nothing'),
  );
}

/**
 * Returns texts that show an assistant an id instead of a name. The platform cannot return a feature assignment (FAID)
 * by its id.
 */
function unnamedIn({ summary, consequence, changes = [] }: Record<string, unknown> & { changes?: Fields[] }): string[] {
  const shown = [summary, consequence, ...changes.flatMap(({ of, before, after }) => [of, before, after])];
  return shown.map(String).filter((text) => /\b(?!FAID)[A-Z]{2,7}-[0-9a-f]{8}-/.test(text));
}

const waits = (result: CallToolResult): string | undefined => value(result)?.confirmation?.id;

it('covers the catalogue', () => {
  expect(changing.length).toBeGreaterThan(50);
});

/** Asks for a change as an operator. Returns false if it is refused. `turn`: the surface that is looked at. */
async function isAsked(tool: Tool, input: Record<string, unknown>, turn: number): Promise<boolean> {
  const result = await call(clients.operator as Client, tool.id, input);
  const action = await world.runtime.gate.actions.get(waits(result) ?? '');
  if (action === undefined) return false;
  const found = {
    unnamed: unnamedIn(value(result).confirmation),
    missing: await missingIn(tool, action, undefined, turn),
    notApart: notApart(action),
  };
  expect.soft({ input, ...found }).toEqual({ input, unnamed: [], missing: [], notApart: [] });
  await world.runtime.ledger.decline(action.id, undefined);
  return true;
}

/** Asks for the base with all of these members, or with each half of them if they cannot stand together. */
async function askTogether(tool: Tool, base: Record<string, unknown>, members: [string, unknown][]): Promise<void> {
  turns += 1;
  const isDone = await isAsked(tool, { ...base, ...Object.fromEntries(members) }, turns);
  if (isDone || members.length < 2) return;
  const half = Math.ceil(members.length / 2);
  for (const part of [members.slice(0, half), members.slice(half)]) await askTogether(tool, base, part);
}
let turns = 0;

describe.each(changing.map((tool) => [tool.id, tool] as const))('%s', (_id, tool) => {
  it('is sent by no assistant, and its question shows every value', async () => {
    const examples = await inputsOf(tool);
    const [first = {}] = examples;
    const before = await writes();
    for (const role of ['viewer', 'approver']) {
      const result = await call(clients[role] as Client, tool.id, first);
      if (role === 'viewer') expect(result.isError, texts(result)).toBe(true);
      await world.runtime.ledger.decline(waits(result) ?? '', undefined).catch(() => undefined);
    }
    const asked = [];
    for (const [at, input] of examples.entries()) asked.push(await isAsked(tool, input, at));
    expect(asked).toContain(true);
    for (const set of membersOf(tool, first)) await askTogether(tool, first, Object.entries(set));
    expect(await writes()).toBe(before);
  });
});

describe.each(changing.filter((tool) => batchedBy(tool) && isChange(tool)).map((tool) => [tool.id, tool] as const))(
  'a batch of %s',
  (_id, tool) => {
    it('is sent by no assistant, and its question shows every value of every row', async () => {
      const [input = {}] = await inputsOf(tool);
      const before = await writes();
      const result = await call(clients.operator as Client, 'batches_create', batchOf(tool, input));
      const id = waits(result) ?? '';
      const action = await world.runtime.gate.actions.get(id);
      if (action === undefined) throw new Error(texts(result));
      const ledger = world.runtime.store.database('ledger');
      const query = 'SELECT asked FROM batch_rows WHERE batch = ?';
      const asked = await ledger.all<{ asked: string }>(query, String(action.shown.Batch));
      const sends = asked.flatMap((row): Fields[] => {
        const found = JSON.parse(row.asked) as { shown: Fields } | null;
        if (!found) return [];
        // An account that the caller left out is filled in from the record, and the question names it with the
        // customer.
        const { AccountId, ...shown } = found.shown;
        return [AccountId === undefined || !('AccountId' in input) ? shown : found.shown];
      });
      const missing = await missingIn(undefined, action, sends);
      expect({ missing, notApart: notApart(action) }).toEqual({ missing: [], notApart: [] });
      await world.runtime.ledger.decline(id, undefined);
      expect(await writes()).toBe(before);
    });
  },
);
