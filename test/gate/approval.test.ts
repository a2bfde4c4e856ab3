import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { type Approval, approvalOf, refusalOf, waysFor } from '../../src/gate/approval.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { type Actor, type Role, WAYS, type Way } from '../../src/lib/actor.ts';
import { systemClock as clock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { createClient } from '../../src/platform/client.ts';
import { actorOf, everyWay, gateOn } from '../support/approval.ts';
import { openLedger } from '../support/ledger.ts';
import { controlSandbox, onSandbox, openSandbox, sentTo } from '../support/on-sandbox.ts';

/*
 * Who may confirm. The rule is a pure function of who asks, who decides and the settings: it is tried in whole. That the
 * gate keeps it is tried on one operation; `test/laws/raised.test.ts` proves the level of each.
 */

/** The requester, an operator with a token at a client. */
const ASKER = 'token:ops';
const asker = actorOf('mcp:http:ops', { person: ASKER, role: 'operator', surface: 'mcp', priority: 'assistant' });

/** All people who could try to decide, by their way and identity. */
const DECIDERS: readonly { way: Way; person: string; second: boolean }[] = [
  { way: 'slack', person: ASKER, second: false },
  { way: 'slack', person: 'slack:E1/U2', second: true },
  { way: 'page', person: ASKER, second: false },
  { way: 'page', person: 'token:lee', second: true },
  // A person at this computer, who has no personal token.
  { way: 'page', person: 'local:lee', second: false },
  { way: 'client', person: ASKER, second: false },
  { way: 'client', person: 'local:lee', second: false },
  { way: 'terminal', person: 'local:lee', second: false },
];
const ROLES: readonly Role[] = ['viewer', 'operator', 'approver'];

/** The rows of the law; `may` is the contract's rule, written down a second time. */
const rows = DECIDERS.flatMap(({ way, person, second }) =>
  ROLES.flatMap((role) =>
    [false, true].map((twoPerson) => ({
      ...{ way, person, role, twoPerson },
      may: role === 'approver' && (!twoPerson || second),
    })),
  ),
);
type Combination = (typeof rows)[number];

const approvalIn = ({ twoPerson }: Combination, via: readonly Way[]) =>
  everyWay({ via, twoPerson, pageApprovers: ['token:lee'] });

describe('who may confirm', () => {
  it.each([
    ['slack:T1/U1', 'slack:T1/U1', [undefined, 'same_person']],
    // The same user id in another workspace is another person, who may do neither.
    ['slack:T1/U1', 'slack:T2/U1', ['role', 'same_person']],
    ['slack:T1/U1', 'slack:T1/U2', ['role', undefined]],
    ['token:ops', 'token:ops', [undefined, 'same_person']],
  ])('what %s asked: %s as operator may decline it, as approver confirm it: %s', (person, decider, expected) => {
    const why = (decision: 'confirm' | 'decline', role: Role) => {
      const one = { person: decider, name: 'x', role, way: decider.startsWith('slack:') ? 'slack' : 'page' } as const;
      return refusalOf(decision, { requester: person, level: 'approver' }, one, everyWay({ twoPerson: true }))?.why;
    };
    expect([why('decline', 'operator'), why('confirm', 'approver')]).toEqual(expected);
  });

  it.each(rows)('$person as $role by $way, two persons $twoPerson: $may', (one) => {
    const decider = { person: one.person, name: 'x', role: one.role, way: one.way };
    const refused = (act: 'confirm' | 'decline', via: readonly Way[]) =>
      refusalOf(act, { requester: ASKER, level: 'approver' }, decider, approvalIn(one, via)) !== undefined;
    const others = WAYS.filter((way) => way !== one.way);
    expect([refused('confirm', WAYS), refused('confirm', others)]).toEqual([!one.may, true]);
    // Whoever asked may decline by any way, an approver by a way that is allowed, nobody else.
    const own = one.person === ASKER;
    expect([refused('decline', WAYS), refused('decline', others)]).toEqual([!own && one.role !== 'approver', !own]);
  });

  describe('the gate', () => {
    let sandbox: Sandbox;
    const ledger = openLedger({ clock });
    let client: ReturnType<typeof createClient>;
    beforeAll(async () => {
      sandbox = await openSandbox();
      const account = { accountKey: 'DID-sandbox', accountSecret: 'sandbox-secret', timeZone: 'UTC' };
      const limits = { requestsPerMinute: 100_000, timeoutMs: 60_000 };
      client = createClient({ baseUrl: sandbox.url, ...account, ...limits, clock });
    });
    afterAll(() => client.close());

    const gateFor = (one: Combination): Gate =>
      gateOn({ client, ledger, worker: ledger.worker, approval: approvalIn(one, WAYS) });
    const sent = async () => (await sentTo(sandbox.url, '/v1.0/numbers/reactivate')).length;

    /** True if the call ran with the yes of this person. A question that was refused goes on waiting, and is withdrawn. */
    async function runs(one: Combination): Promise<boolean> {
      const gate = gateFor(one);
      const { way, person, role } = one;
      const isCalled = way === 'client' || way === 'terminal';
      let asked = false;
      const ask = async () => {
        asked = true;
        return 'accept' as const;
      };
      const caller: Actor = isCalled ? { ...asker, person, id: `asks:${person}` } : asker;
      const how = isCalled ? { ask, decider: { person, name: 'somebody', role, way } } : {};
      const performed = await gate.perform('numbers_reactivate', { PhoneNumber: '+12015550107' }, caller, how);
      // A person who may not decide is not even asked.
      expect(asked).toBe(isCalled && one.may);
      if (performed.kind !== 'pending') return true;
      const { action } = performed;
      const decider: Actor = { ...asker, id: person, person, name: 'somebody', role };
      if (!isCalled) {
        const refusal = gate.refusal('confirm', action, decider, way);
        const ended = await gate.confirm(action.id, decider, way).catch(asSwitchboardError);
        if (!('face' in ended)) return true;
        expect(ended.face).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done', message: refusal?.message });
      }
      expect((await gate.actions.get(action.id))?.state).toBe('pending');
      await gate.decline(action.id, caller, way);
      return false;
    }

    it('sends after the yes of a person who may give it, and after no other', async () => {
      for (const one of rows) {
        await controlSandbox(sandbox.url, 'reset', {});
        await controlSandbox(sandbox.url, 'settings', { requestsPerMinute: 100_000 });
        expect([one, await runs(one)]).toEqual([one, one.may]);
        expect([one, await sent()]).toEqual([one, one.may ? 1 : 0]);
      }
    });
  });
});

describe('whether anybody could', () => {
  const left = (requester: string, approval: Approval, asked?: Parameters<typeof waysFor>[1]) =>
    waysFor(requester, asked, approval)
      .filter(({ reason }) => reason === undefined)
      .map(({ way }) => way);
  const local = { person: 'local:ana', name: 'the user of x', role: 'approver', way: 'client' } as const;

  const none = { slackApprovers: undefined };
  it.each<[string, Partial<Approval>, string, Way[]]>([
    ['no Slack', none, 'token:ops', ['page']],
    ['no approver named in Slack', { slackApprovers: [], pairing: false }, 'token:ops', []],
    ['the only approver in Slack asks', { slackApprovers: ['U1'], pairing: false, twoPerson: true }, 'slack:T/U1', []],
    ['another approver in Slack', { slackApprovers: ['U1', 'U2'], twoPerson: true }, 'slack:T/U1', ['slack']],
    ['a group in Slack', { slackApprovers: ['S1'], twoPerson: true }, 'slack:T/U1', ['slack']],
    ['a page without pairing and tokens', { ...none, pairing: false }, 'token:ops', []],
    ['a page with a token', { ...none, pairing: false, pageApprovers: ['token:a'] }, 'token:ops', ['page']],
    ['a page whose only approver asks', { ...none, pageApprovers: ['token:a'], twoPerson: true }, 'token:a', []],
    ['a paired browser as the second person', { ...none, twoPerson: true }, 'token:ops', []],
    ['OAuth', { ...none, pairing: false, oauth: true, twoPerson: true }, 'token:ops', ['page']],
  ])('%s', (_name, approval, requester, expected) => {
    expect(left(requester, everyWay(approval))).toEqual(expected);
  });

  it('counts the user of a client only where they can be asked, may decide and are enough', () => {
    const only = everyWay({ via: ['client'] });
    expect(left('local:ana', only, local)).toEqual(['client']);
    expect(left('local:ana', only)).toEqual([]);
    expect(left('local:ana', only, { ...local, role: 'operator' })).toEqual([]);
    expect(left('local:ana', everyWay({ via: ['client'], twoPerson: true }), local)).toEqual([]);
    expect(left('local:ana', everyWay({ via: ['client'] }), { ...local, way: 'terminal' })).toEqual([]);
  });
});

describe('the settings', () => {
  const platform = onSandbox('https://x.example');
  const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'signing-secret', SLACK_APPROVERS: 'U1' };
  const of = (env: Record<string, string>) => approvalOf(loadConfig({ DATA_DIR: '/nowhere', ...env }));

  it('have the defaults of the contract', () => {
    expect(of(platform).via).toEqual(['page', 'client', 'terminal']);
    expect(of({ ...platform, ...slack }).via).toEqual(['slack', 'terminal']);
    // The playground stands in for Slack beside the rest.
    expect(of({}).via).toEqual(['slack', 'page', 'client', 'terminal']);
    expect(of({}).twoPerson).toBe(false);
  });

  it('take any of the four ways and nothing else', () => {
    expect(of({ ...platform, CONFIRM_VIA: 'terminal, page' }).via).toEqual(['page', 'terminal']);
    for (const wrong of ['mail', 'page,mail', ','])
      expect(() => of({ ...platform, CONFIRM_VIA: wrong })).toThrow(/CONFIRM_VIA must be among slack, page, client/);
  });

  it('pair a browser only where the server is local', () => {
    expect([of(platform), of({ ...platform, HOST: '0.0.0.0' })].map(({ pairing }) => pairing)).toEqual([true, false]);
  });
});
