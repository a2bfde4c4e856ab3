import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { secretNames } from '../../src/catalogue/fields.ts';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { type Approval, approvalOf, nobodyCan, refusalOf, waysFor } from '../../src/gate/approval.ts';
import { Gate } from '../../src/gate/gate.ts';
import { failureText } from '../../src/language/failure.ts';
import { type Actor, type Role, WAYS, type Way } from '../../src/lib/actor.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { createClient } from '../../src/platform/client.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { tools } from '../../tools/index.ts';
import { everyWay } from '../support/approval.ts';
import { FastClock } from '../support/clock.ts';
import { keptIn } from '../support/history.ts';
import { openLedger, type TestLedger } from '../support/ledger.ts';
import { type Case, gatedCases } from './cases.ts';

const ROLES: readonly Role[] = ['viewer', 'operator', 'approver'];

/** The requester of the table, an operator with a token at a client. */
const ASKER = 'token:ops';
const asker: Actor = {
  id: 'mcp:http:ops',
  name: 'ops',
  person: ASKER,
  role: 'operator',
  surface: 'mcp',
  priority: 'assistant',
};

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

interface Combination {
  way: Way;
  person: string;
  role: Role;
  twoPerson: boolean;
  allowed: boolean;
  may: boolean;
}

/** A clock for operations in a separate lane, so that the test does not wait for that lane. */
const fastClock = new FastClock();

/** The whole product; `may` is the contract's rule, written down a second time. */
const combinations: Combination[] = DECIDERS.flatMap(({ way, person, second }) =>
  ROLES.flatMap((role) =>
    [false, true].flatMap((twoPerson) =>
      [false, true].map((allowed) => ({
        way,
        person,
        role,
        twoPerson,
        allowed,
        may: allowed && role === 'approver' && (!twoPerson || second),
      })),
    ),
  ),
);

/** No divisor of the product's factors, so that a part has different roles, ways and rules. */
const PARTS = 11;
const allowed = combinations.filter(({ may }) => may);

/**
 * Returns the combinations that are tried on an operation. One operation tries all of them. The rule does not depend on
 * the operation, so each of the others tries a part that includes an allowed confirmation. Together they try each
 * combination several times.
 */
function triedOn(tool: string, at: number): Combination[] {
  if (tool === 'numbers_cancel') return combinations;
  const one = allowed[at % allowed.length];
  return combinations.filter((each, index) => each === one || index % PARTS === at % PARTS);
}

let sandbox: Sandbox;
const clients = new Map<Clock, ReturnType<typeof createClient>>();
const ledgers = new Map<Clock, { ledger: TestLedger; kept: ReturnType<typeof keptIn> }>();
const gates = new Map<string, Gate>();
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});

// A client counts its requests of the last minute, which become many thousands here.
afterEach(async () => {
  for (const client of clients.values()) await client.close();
  clients.clear();
  gates.clear();
});

function clientOn(clock: Clock) {
  const made =
    clients.get(clock) ??
    createClient({
      baseUrl: sandbox.url,
      accountKey: 'DID-sandbox',
      accountSecret: 'sandbox-secret',
      timeZone: 'UTC',
      requestsPerMinute: 100_000,
      timeoutMs: 60_000,
      clock,
    });
  clients.set(clock, made);
  return made;
}

afterAll(async () => {
  for (const { ledger, kept } of ledgers.values()) {
    await kept.close();
    await ledger.close();
  }
  await sandbox.close();
});

/** Returns the ledger of a clock. All gates share it, so that the second stage finds what the first one kept. */
function ledgerOn(clock: Clock) {
  const made = ledgers.get(clock);
  if (made) return made;
  const ledger = openLedger({ clock });
  const kept = keptIn(ledger, clock);
  const both = { ledger, kept };
  ledgers.set(clock, both);
  return both;
}

/** The gate of an installation with these rules, on the shared platform. */
function open(approval: Approval, clock: Clock): Gate {
  const key = `${clock === fastClock} ${JSON.stringify(approval)}`;
  const known = gates.get(key);
  if (known) return known;
  const { ledger, kept } = ledgerOn(clock);
  const gate = new Gate({
    requesters: { refusal: async () => undefined },
    tools,
    client: clientOn(clock),
    ledger,
    worker: ledger.worker,
    clock,
    redactor: createRedactor(secretNames(tools)),
    approval,
    confirmSeconds: 300,
    settleMs: 300_000,
    history: kept.history,
  });
  gates.set(key, gate);
  return gate;
}

/** Calls the sandbox's control plane on a new connection, because a kept one may be closed between two questions. */
function control(path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${sandbox.url}/sandbox/${path}`,
      { agent: false, method: body === undefined ? 'GET' : 'POST' },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve(text));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

const reset = async () => {
  await control('reset', '{}');
  // Every attempt reads before it asks: more than the platform's minute would take.
  await control('settings', '{"requestsPerMinute":100000}');
};
const sent = async (path: string) =>
  (JSON.parse(await control('requests')) as { path: string; status: number }[]).filter(
    (request) => request.path === path && request.status !== 401,
  ).length;

/** Runs one call to its end with an approver's yes. */
const runner = (gate: Gate) => async (operation: string, input: Record<string, unknown>) => {
  const done = await gate.perform(operation, input, asker, {
    ask: async () => 'accept',
    decider: { person: 'local:setup', name: 'setup', role: 'approver', way: 'terminal' },
  });
  return done.kind === 'done' ? done.value : {};
};

/**
 * Makes one attempt to decide. Returns true if the action ran. Otherwise the action goes on waiting, and the same call
 * of the next attempt by this way finds it again.
 */
async function attempt(
  gate: Gate,
  id: string,
  input: Record<string, unknown>,
  one: Combination,
  next: Combination | undefined,
): Promise<boolean> {
  const decider: Actor = { ...asker, id: one.person, person: one.person, name: 'somebody', role: one.role };
  const called = one.way === 'client' || one.way === 'terminal';
  const isLast = !next || next.may || next.way !== one.way || (called && next.person !== one.person);
  let asked = false;
  const performed = await gate
    .perform(
      id,
      input,
      // A client or a terminal asks its own caller.
      called ? { ...asker, person: one.person, id: `asks:${one.person}` } : asker,
      called
        ? {
            ask: async () => {
              asked = true;
              return 'accept';
            },
            decider: { person: one.person, name: 'somebody', role: one.role, way: one.way },
          }
        : {},
    )
    .catch(asSwitchboardError);
  if ('face' in performed) throw performed;
  if (called) {
    // A person who may not decide is not even asked.
    expect(asked).toBe(performed.kind === 'done');
    if (performed.kind === 'pending' && isLast)
      await gate.decline(performed.action.id, { ...asker, person: one.person }, 'client');
    return performed.kind === 'done';
  }
  if (performed.kind !== 'pending') throw new Error('it ran without a person');
  const { action } = performed;
  const refusal = gate.refusal('confirm', action, decider, one.way);
  const ended = await gate.confirm(action.id, decider, one.way).catch(asSwitchboardError);
  if ('face' in ended) {
    expect(ended.face).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done', message: refusal?.message });
    expect((await gate.actions.get(action.id))?.state).toBe('pending');
    // The requester may withdraw by any way, even without the right to confirm.
    if (isLast) await gate.decline(action.id, asker, one.way);
    return false;
  }
  expect(refusal).toBeUndefined();
  return true;
}

describe('who may confirm', () => {
  it.each(gatedCases().map((one, at): [string, Case, Combination[]] => [one.name, one, triedOn(one.tool.id, at)]))(
    '%s: by way, identity and role, with and without two persons and the way',
    async (_name, { tool, path, input }, tried) => {
      const clock = tool.kind === 'operation' && tool.lane ? fastClock : systemClock;
      const setup = open(everyWay(), clock);
      await reset();
      let current = await input(runner(setup));
      // Those who may not come first, on one state of the platform; each of the others changes it.
      const order = [...tried].sort((a, b) => Number(a.may) - Number(b.may));
      const start = await sent(path);
      const firstAllowed = order.find(({ may }) => may);
      for (const [at, one] of order.entries()) {
        const others = WAYS.filter((way) => way !== one.way);
        const approval = everyWay({
          via: one.allowed ? WAYS : others,
          twoPerson: one.twoPerson,
          pageApprovers: ['token:lee'],
        });
        if (one === firstAllowed) expect(await sent(path)).toBe(start);
        const ran = await attempt(open(approval, clock), tool.id, current, one, order[at + 1]);
        expect([one, ran]).toEqual([one, one.may]);
        if (!ran) continue;
        expect([one, await sent(path)]).toEqual([one, start + 1]);
        await reset();
        current = await input(runner(setup));
      }
    },
    180_000,
  );

  it.each(combinations)('$person as $role by $way, two persons $twoPerson, way $allowed: $may', (one) => {
    const decider = { person: one.person, name: 'x', role: one.role, way: one.way };
    const approval = everyWay({
      via: WAYS.filter((way) => (way === one.way) === one.allowed),
      twoPerson: one.twoPerson,
      pageApprovers: ['token:lee'],
    });
    const refusal = refusalOf('confirm', { person: ASKER, known: {} }, decider, approval);
    expect(refusal === undefined).toBe(one.may);
  });

  it('declines: whoever asked by any way, an approver by a way that is allowed, nobody else', () => {
    for (const one of combinations) {
      const decider = { person: one.person, name: 'x', role: one.role, way: one.way };
      const approval = everyWay({ via: one.allowed ? [one.way] : [], twoPerson: one.twoPerson });
      const may = one.person === ASKER || (one.allowed && one.role === 'approver');
      expect([one, refusalOf('decline', { person: ASKER, known: {} }, decider, approval) === undefined]).toEqual([
        one,
        may,
      ]);
    }
  });
});

describe('whether anybody could', () => {
  const left = (requester: string, approval: Approval, asked?: Parameters<typeof waysFor>[1]) =>
    waysFor(requester, asked, approval)
      .filter(({ reason }) => reason === undefined)
      .map(({ way }) => way);
  const local = { person: 'local:ana', name: 'the user of x', role: 'approver', way: 'client' } as const;

  it.each<[string, Partial<Approval>, string, Way[]]>([
    ['no Slack', { slackApprovers: undefined }, 'token:ops', ['page']],
    ['no approver named in Slack', { slackApprovers: [], pairing: false }, 'token:ops', []],
    ['the only approver in Slack asks', { slackApprovers: ['U1'], pairing: false, twoPerson: true }, 'slack:T/U1', []],
    ['another approver in Slack', { slackApprovers: ['U1', 'U2'], twoPerson: true }, 'slack:T/U1', ['slack']],
    ['a group in Slack', { slackApprovers: ['S1'], twoPerson: true }, 'slack:T/U1', ['slack']],
    ['a page without pairing and tokens', { slackApprovers: undefined, pairing: false }, 'token:ops', []],
    [
      'a page with the token of an approver',
      { slackApprovers: undefined, pairing: false, pageApprovers: ['token:a'] },
      'token:ops',
      ['page'],
    ],
    [
      'a page whose only approver asks',
      { slackApprovers: undefined, pageApprovers: ['token:a'], twoPerson: true },
      'token:a',
      [],
    ],
    ['a paired browser as the second person', { slackApprovers: undefined, twoPerson: true }, 'token:ops', []],
    ['OAuth', { slackApprovers: undefined, pairing: false, oauth: true, twoPerson: true }, 'token:ops', ['page']],
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

  it('refuses naming who could and the setting', () => {
    const error = nobodyCan('local:ana', local, everyWay({ via: ['client', 'terminal'], twoPerson: true }), 'approver');
    expect(error?.face).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
    for (const words of ['CONFIRM_VIA', 'CONFIRM_TWO_PERSON', 'SLACK_APPROVERS', 'MCP_HTTP_TOKENS', 'Nothing was sent'])
      expect(error && failureText(error.face, 'assistant')).toContain(words);
  });
});

describe('the settings', () => {
  const platform = {
    PLATFORM_BASE_URL: 'https://x.example',
    PLATFORM_ACCOUNT_KEY: 'k',
    PLATFORM_ACCOUNT_SECRET: 's',
  };
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

  it('pair a browser only where nobody has credentials and the server is local', () => {
    expect(of(platform).pairing).toBe(true);
    for (const more of [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://sb.example.com' },
      { MCP_HTTP_TOKENS: 'ana:viewer:token-of-ana' },
    ])
      expect(of({ ...platform, ...more }).pairing).toBe(false);
  });
});
