import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/ledger/ledger.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { runCli } from '../../support/process.ts';
import {
  C_APPROVALS,
  card,
  type Stage,
  type StageSettings,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_OTHER,
  U_VIEW,
  until,
} from '../../surfaces/slack/support.ts';

/*
 * Tests `switchboard approvers`, which notes absent approvers and their substitutes, beside a running server on the
 * same data.
 */

const CANCEL = 'cancel +12015550103';
const APPROVERS = [U_LEAD, U_VIEW, U_AGENT];
const DIRECT: StageSettings = {
  SLACK_APPROVALS_CHANNEL: undefined,
  SLACK_EVENTS_CHANNEL: undefined,
  SLACK_APPROVERS: APPROVERS,
};

const direct = (s: Pick<Stage, 'ws'>, user: string) =>
  s.ws.messages(`D${user.slice(1)}`).filter((one) => !one.ephemeralTo);

function run(s: Stage, args: string, approvers: readonly string[] = APPROVERS) {
  return runCli(['approvers', ...args.split(' ')], s.dir, {
    DATA_DIR: s.dir,
    SLACK_BOT_TOKEN: s.ws.botToken,
    SLACK_SIGNING_SECRET: s.ws.signingSecret,
    SLACK_API_URL: s.ws.apiUrl,
    SLACK_APPROVERS: approvers.join(','),
    ...onSandbox(s.sandbox.url),
  });
}

const until2d = new Date(Date.now() + 2 * DAY_MS).toISOString();
const away = (who: string, instead: string) => `away ${who} --until ${until2d} --instead ${instead}`;

async function waiting(s: Stage): Promise<Action> {
  const [found] = await s.gate.actions.list({ states: ['pending'] });
  if (!found) throw new Error('no question waits');
  return found;
}

describe('an approver who is away', () => {
  it('is not asked, another one is, the card names both, and the audit trail has it', async () => {
    const s = await stage(DIRECT);
    const ran = await run(s, away(U_LEAD, U_VIEW), APPROVERS);
    expect([ran.code, ran.out]).toEqual([0, `${U_LEAD} is away until ${until2d}; ${U_VIEW} is asked instead.\n`]);
    const verified = await runCli(['audit', '--verify'], s.dir, { ...onSandbox(s.sandbox.url), DATA_DIR: s.dir });
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('1 ')]);
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    await until(() => direct(s, U_VIEW).length === 1, 'the message to the stand-in');
    await until(() => shown(s.ws.message(ts)).includes('"Away: "'), 'the line on the card');
    expect(shown(s.ws.message(ts))).toContain('Asked instead: ');
    expect(shown(direct(s, U_VIEW)[0])).toContain(`${s.ws.state.users.get(U_LEAD)?.name} until `);
    expect(direct(s, U_LEAD)).toEqual([]);
    const listed = JSON.parse((await run(s, 'list')).out);
    expect(listed).toEqual({ away: [{ approver: U_LEAD, until: until2d, instead: U_VIEW }] });
    const [line] = await s.ledger.audit(50).then((all) => all.filter(({ operation }) => operation === 'approvers'));
    expect(line).toMatchObject({
      what: 'away',
      detail: `${U_LEAD} until ${until2d}, ${U_VIEW} instead`,
      way: 'terminal',
      decider: expect.stringMatching(/^local:/),
    });
    await s.ws.click({ user: U_VIEW, messageTs: direct(s, U_VIEW)[0]?.ts ?? '', actionId: 'sb_confirm' });
    await until(() => shown(s.ws.message(ts)).includes('✅ Done'), 'the outcome');
  });

  it('keeps the messages of a question that waits, and is asked if the server knows no approver instead', async () => {
    const s = await stage({ ...DIRECT, SLACK_APPROVERS: [U_LEAD, U_OTHER] });
    await s.type('/numbers', CANCEL);
    await until(() => direct(s, U_LEAD).length === 1, 'the message');
    const ran = await run(s, away(U_LEAD, U_VIEW), [U_LEAD, U_VIEW]);
    expect(ran.code).toBe(0);
    // The server's own settings decide who is an approver, so no substitute is asked.
    await until(
      async () => ((await waiting(s)).notes.approvers as { away?: unknown[] }).away?.length === 1,
      'the plan',
    );
    expect(direct(s, U_VIEW)).toEqual([]);
    expect(shown(direct(s, U_LEAD)[0])).toContain('sb_confirm');
  });

  it('is asked all the same if the other one is the requester', async () => {
    const s = await stage({ ...DIRECT, CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    await run(s, away(U_LEAD, U_AGENT));
    await s.type('/numbers', CANCEL);
    const { ts } = await card(s.ws);
    await until(() => direct(s, U_LEAD).length === 1, 'the message to the approver who is away');
    await until(() => shown(s.ws.message(ts)).includes('Nobody else can be asked instead'), 'the line on the card');
    expect(direct(s, U_AGENT)).toEqual([]);
  });

  it('is named in the channel of the approvers, with the other one', async () => {
    const s = await stage({ SLACK_APPROVERS: APPROVERS });
    await run(s, away(U_LEAD, U_VIEW));
    await s.type('/numbers', CANCEL);
    const told = () => s.ws.messages(C_APPROVALS).filter((one) => !one.ephemeralTo)[0];
    await until(() => shown(told()).includes('"Away: "'), 'the line in the channel');
    expect(shown(told())).toContain(`"user_id":"${U_VIEW}"`);
    // A mention would notify the person who is away.
    expect(shown(told())).not.toContain(`"user_id":"${U_LEAD}"`);
  });

  it('is asked again when back', async () => {
    const s = await stage(DIRECT);
    await run(s, away(U_LEAD, U_VIEW));
    expect((await run(s, `back ${U_LEAD}`)).out).toBe(`${U_LEAD} is asked again.\n`);
    expect((await run(s, `back ${U_LEAD}`)).out).toBe(`${U_LEAD} was not away.\n`);
    await s.type('/numbers', CANCEL);
    await until(() => direct(s, U_LEAD).length === 1, 'the message');
    expect(JSON.parse((await run(s, 'list')).out)).toEqual({ away: [] });
  });
});

it('refuses people and times that make no sense, and changes nothing', async () => {
  const s = await stage(DIRECT, { start: false });
  await run(s, away(U_VIEW, U_AGENT));
  const guest = s.ws.state.users.get(U_OTHER);
  if (guest) guest.isGuest = true;
  const cases: [string, string][] = [
    [away('U404NOBODY', U_VIEW), 'U404NOBODY is not an approver'],
    [away(U_LEAD, 'U404NOBODY'), 'U404NOBODY is not an approver'],
    [away(U_LEAD, U_LEAD), '--instead must be another approver'],
    [away(U_LEAD, U_VIEW), `${U_VIEW} is away too`],
    [away(U_LEAD, U_OTHER), 'is a guest'],
    [`away ${U_LEAD} --until 2020-01-01 --instead ${U_AGENT}`, 'is in the past'],
    [`away ${U_LEAD} --until soon --instead ${U_AGENT}`, 'is not a day'],
    [`away ${U_LEAD} --instead ${U_AGENT}`, 'Say how long'],
    ['away lee', 'must be a Slack user id'],
    ['gone', 'is not away, list or back'],
  ];
  for (const [args, words] of cases) {
    const ran = await run(s, args, [...APPROVERS, U_OTHER]);
    expect([args, ran.code, ran.err]).toEqual([args, 2, expect.stringContaining(words)]);
  }
  expect(JSON.parse((await run(s, 'list')).out).away).toHaveLength(1);
});
