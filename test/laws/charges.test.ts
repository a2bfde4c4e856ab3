import { beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/catalogue/operation.ts';
import { MAYBE_CHARGED, NOTHING_CHARGED } from '../../src/language/outcome.ts';
import { actionMessage } from '../../src/surfaces/slack/blocks/card.ts';
import { escapeHtml } from '../../src/surfaces/web/html.ts';
import { tools } from '../../tools/index.ts';
import { example } from '../e2e/table.derived.ts';
import { type Run, rows } from '../e2e/table.rows.ts';
import { drawer, rawText } from '../snapshots/slack-text.ts';
import { asks, followed } from '../support/asking.ts';
import { FastClock } from '../support/clock.ts';
import { confirm, decline, look, type Page } from '../support/page.ts';
import { call, openWorld } from '../support/world.ts';

/*
 * Every operation that costs money says once what was charged, whichever way it ends without being done, and on every
 * surface: to the assistant, on the page, on the card in Slack and on the terminal.
 */

const slackDrawer = drawer(tools);
/** Operations of the risk `spend`, and the one whose cost depends on the input. */
const PAID = tools.filter(({ id, risk }) => risk === 'spend' || id === 'subscriptions_update');
const clock = new FastClock();
const world = await openWorld({ MCP_TOOLSETS: 'all', CONFIRM_TTL_SECONDS: '300' }, clock);
const client = await world.client();
beforeEach(() => world.reset());

const run: Run = (operation, input) => world.person(operation, input);

async function inputOf(tool: Tool): Promise<Record<string, unknown>> {
  const { input, before } = rows[tool.id] ?? {};
  if (tool.risk === 'spend') return { ...(input ?? example(tool.id)), ...(await before?.(run)) };
  // The package that the example names is the subscription's own already.
  const { PackageId } = await run('packages_create', example('packages_create'));
  return { ...example(tool.id), PackageId };
}

/** Counts how often a text contains a sentence. */
const times = (text: string, sentence: string) => text.split(sentence).length - 1;

/** Every sentence about a charge in a text: on a page, escaped. */
function charges(text: string): string[] {
  const all = [NOTHING_CHARGED, MAYBE_CHARGED].flatMap((sentence) =>
    Array.from({ length: times(text, escapeHtml(sentence)) }, () => sentence),
  );
  // No other sentence about it either, beside that of the dialog behind a button.
  expect(text.match(/(?<!not )charged\b(?!:)/gi)?.length ?? 0).toBe(all.length);
  return all;
}

const textOf = (result: { content: unknown }) => JSON.stringify((result.content as { text?: string }[])[0]?.text ?? '');

/** Returns the end of an action as its assistant reads it, and as its page and its card show it. */
async function told(id: string, page: Page): Promise<Record<string, string>> {
  const { error } = await followed(client, id);
  const card = rawText(actionMessage(slackDrawer, await world.runtime.gate.refresh(id)));
  return { assistant: JSON.stringify(error?.message), page: page.html, card };
}

const pending = async (tool: Tool): Promise<{ id: string; url: string }> => asks(client, tool.id, await inputOf(tool));
function expectCharge(all: Record<string, string>, sentence: string): void {
  for (const [where, text] of Object.entries(all)) expect([where, charges(text)]).toEqual([where, [sentence]]);
}
/** The endpoint of an operation. */
const pathOf = (tool: Tool) => (tool.kind === 'operation' ? tool.path : '');

// An endpoint that the sandbox lacks does no work whose outcome could be lost.
it('each has its endpoint in src/demo/sandbox and its row in test/e2e/table.rows.ts', () => {
  expect(PAID.map(({ id }) => id).filter((id) => !(id in rows))).toEqual([]);
});
describe.each(PAID.map((tool) => [tool.id, tool] as const))('%s', (id, tool) => {
  const path = pathOf(tool);

  it.each<[string, (url: string) => Promise<Page>, meanwhile?: () => unknown]>([
    ['declined', decline],
    ['expired', look, () => clock.skip(301_000)],
    ['refused by the platform', confirm, () => world.control('faults', { path, status: 400, times: 1 })],
  ])('%s', async (_what, end, meanwhile) => {
    const asked = await pending(tool);
    await meanwhile?.();
    expectCharge(await told(asked.id, await end(asked.url)), NOTHING_CHARGED);
  });

  it('refused before anything was sent, to the assistant and on the terminal', async () => {
    const wrong = { ...(await inputOf(tool)), Nonsense: 1 };
    const direct = textOf(await call(client, id, wrong));
    const ran = await world.cli([id, '--json', JSON.stringify(wrong), '--yes']);
    const all = tool.risk === 'spend' ? [NOTHING_CHARGED] : [];
    expect([charges(direct), charges(ran.err)]).toEqual([all, all]);
  });

  it('refused by the platform, on the terminal', async () => {
    await world.control('faults', { path, status: 400, times: 1 });
    const ran = await world.cli([id, '--json', JSON.stringify(await inputOf(tool)), '--yes', '--again']);
    expect([ran.code, charges(ran.err)]).toEqual([1, [NOTHING_CHARGED]]);
  });
});

// A call that may be sent again is, so its outcome stays unknown only if the platform is away for minutes.
const SENT_ONCE = PAID.filter((tool) => tool.kind !== 'operation' || !tool.resend);

describe.each(SENT_ONCE.map((tool) => [tool.id, tool] as const))('%s with an unknown outcome', (id, tool) => {
  const path = pathOf(tool);
  it('to whoever confirmed', async () => {
    const asked = await pending(tool);
    await world.control('faults', { path, dropAfterCommit: true, times: 1 });
    const { html } = await confirm(asked.url);
    // The action is not followed here, because following reads the platform and so resolves it.
    const action = await world.runtime.gate.refresh(asked.id);
    expect(action.state).toBe('unknown');
    await expectCharge({ page: html, card: rawText(actionMessage(slackDrawer, action)) }, MAYBE_CHARGED);
  });

  it('on the terminal', async () => {
    await world.control('faults', { path, dropAfterCommit: true, times: 1 });
    const ran = await world.cli([id, '--json', JSON.stringify(await inputOf(tool)), '--yes', '--again']);
    expect([ran.code, charges(ran.err)]).toEqual([4, [MAYBE_CHARGED]]);
  });
});

it('says nothing of a charge where nothing costs money', async () => {
  const { id, url } = await asks(client, 'numbers_cancel', { PhoneNumbers: ['+12015550103'] });
  const all = await told(id, await decline(url));
  for (const text of Object.values(all)) expect(text).not.toMatch(/charged/);
});

it('tells nobody who is not signed in whether the request costs money', async () => {
  const asked = await pending(PAID[0] as Tool);
  await decline(asked.url);
  const stranger = await (await fetch(asked.url)).text();
  expect(stranger).not.toMatch(/charged/);
  expect((await look(asked.url)).html).toContain(NOTHING_CHARGED);
});
