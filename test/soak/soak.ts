import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { createSeal, resultJson, sealingKeys } from '../../src/ledger/seal.ts';
import { LONGEST_PAUSE_MS } from '../../src/platform/budget.ts';
import { IDS } from '../../src/surfaces/slack/types.ts';
import { type Fate, type LatePlatform, openLatePlatform } from '../support/late-platform.ts';
import { openSandbox } from '../support/on-sandbox.ts';
import { A1, PROVISION, seeded } from '../support/seed.ts';
import { openSqliteFile, type SqliteFile } from '../support/sqlite-file.ts';
import type { Json } from '../support/world.ts';
import { type AuditNote, disagreements, type LedgerAction } from './agreement.ts';
import { ACTORS, Product, RECEIPTS_TOKEN } from './product.ts';
import { SLACK_FAULTS, SLACK_METHODS, SLACK_SETTINGS, SLOW_MS, SlackSide } from './slack.ts';

const STEP_MS = 30_000;
/** Longer than an owner may be silent before its actions are taken up. */
const SILENCE_MS = 45_000;
/** Longer than PLATFORM_SETTLE_SECONDS. */
const SETTLED_MS = 6 * 60_000;
/** Real time for a card to appear, for what was clicked to end, and for the cards to show what the ledger says. */
const CARD_MS = 8_000;
const END_MS = 15_000;
const SHOWN_MS = 45_000;
const RUNNING = ['pending', 'confirmed', 'in_flight'];
const FATES: readonly Fate[] = ['cut-late', 'cut-done', 'cut-lost'];

export interface Report {
  figures: Record<string, number>;
  /** Disagreements of ledger, platform, audit trail and Slack's cards. Empty if all agree. */
  wrong: string[];
}

/**
 * Runs minutes of the platform's clock with random faults and kills of the process. The same seed makes the same
 * choices. Then every open action is resolved, and ledger, platform, audit trail and Slack's cards are compared.
 */
export async function soak(options: { seed: number; minutes: number }): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-soak-'));
  const sandbox = await openSandbox();
  const platform = await openLatePlatform();
  platform.target = sandbox.url;
  const run = new Soak(randomFrom(options.seed), folder, sandbox, platform);
  try {
    return await run.run((options.minutes * 60_000) / STEP_MS);
  } finally {
    await run.product.kill();
    await run.slack.workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Soak {
  readonly product: Product;
  readonly slack: SlackSide;
  private readonly random: () => number;
  private readonly folder: string;
  private readonly sandbox: Sandbox;
  private readonly platform: LatePlatform;
  private readonly figures: Record<string, number> = { steps: 0, calls: 0, faults: 0, kills: 0, slackFaults: 0 };
  /** When the work of cut connections is done, by the product's clock. */
  private late: number[] = [];
  private texts = 0;
  /** Requests the platform has answered 429 so far. */
  private refused = 0;

  constructor(random: () => number, folder: string, sandbox: Sandbox, platform: LatePlatform) {
    this.random = random;
    this.folder = folder;
    this.sandbox = sandbox;
    this.platform = platform;
    const person = () => (this.chance(0.1) ? 'decline' : 'accept');
    const settings = () => ({
      ...SLACK_SETTINGS,
      SLACK_API_URL: this.slack.workspace.apiUrl,
      CONFIRM_VIA: 'slack,page,client',
    });
    this.product = new Product({ folder, platformUrl: platform.url, person, settings });
    this.slack = new SlackSide(() => Date.now() + this.product.ahead);
  }

  async run(steps: number): Promise<Report> {
    await this.slack.workspace.listen();
    await this.start();
    for (let step = 0; step < steps; step += 1) {
      this.count('steps');
      const share = this.random();
      if (share < 0.4) await this.slackWork();
      else if (share < 0.85) await this.work();
      if (this.late.some((at) => at <= this.product.ahead)) await this.release();
      await this.advance(STEP_MS + (await this.pausedMs()));
    }
    await this.release();
    const wrong = await this.conclude();
    return { figures: this.figures, wrong };
  }

  /** One call, perhaps with a fault, perhaps with a kill in the middle of it. */
  private async work(): Promise<void> {
    const { name, input, path } = await this.anyCall();
    if (this.chance(0.5)) await this.trouble(path);
    if (this.chance(0.3)) this.slackTrouble();
    this.count('calls');
    const calling = this.product.call(this.pick(ACTORS), name, input);
    if (this.chance(0.12)) {
      await this.killSoon();
      await calling;
      return this.startAgain();
    }
    const answer = (await calling) as Json;
    this.count(`answered ${answer?._meta?.['switchboard/error']?.outcome ?? 'done'}`);
  }

  /** Asked by a command in Slack, decided on its card, perhaps with Slack and the platform failing or a kill between. */
  private async slackWork(): Promise<void> {
    const number = seeded(this.pick([3, 4, 5]));
    const row = (await this.state()).numbers.find((one: Json) => one.Number === number);
    const cancels = row.Status === 'Active';
    if (this.chance(0.4)) await this.trouble(`/v1.0/numbers/${cancels ? 'cancel-order-submit' : 'reactivate'}`);
    if (this.chance(0.6)) this.slackTrouble();
    const [killed, button] = [this.chance(0.12), this.chance(0.1) ? IDS.decline : IDS.confirm];
    const { workspace } = this.slack;
    const { U_AGENT, U_LEAD, C_SUPPORT } = workspace.ids;
    const known = this.slack.carded();
    this.count('asked in Slack');
    const text = cancels ? `cancel ${number}` : `reactivate ${number} AccountId=${A1}`;
    await workspace.command({ user: U_AGENT, channel: C_SUPPORT, command: '/numbers', text });
    if (!(await comes(() => this.slack.cardBeside(known) !== undefined, CARD_MS))) return this.count('no card in time');
    const card = this.slack.cardBeside(known);
    if (card === undefined) return;
    this.count('clicked in Slack');
    const clicking = workspace.click({ user: U_LEAD, messageTs: card.ts, actionId: button });
    if (killed) {
      await this.killSoon();
      await clicking;
      return this.startAgain();
    }
    await clicking;
    if (workspace.openViews(U_LEAD).length > 0)
      await workspace.submit({ user: U_LEAD, values: { sb_reason: 'Not now' } });
    const stateOf = () => this.actions().find(({ id }) => id === card.action)?.state ?? 'pending';
    const ended = await comes(() => !RUNNING.includes(stateOf()), END_MS);
    this.count(ended ? `clicked ${stateOf()}` : 'no end in time');
  }

  /** The next call of one of Slack's methods meets a fault, or the next two do. */
  private slackTrouble(): void {
    const { name, fault } = this.pick(SLACK_FAULTS);
    this.count('slackFaults');
    this.count(`Slack ${name}`);
    this.slack.workspace.fail(this.pick(SLACK_METHODS), fault, this.chance(0.3) ? 2 : 1);
  }

  private async start(): Promise<void> {
    await this.product.start();
    this.slack.workspace.setRequestUrl(`${this.product.url}/slack/events`);
  }

  private async killSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.random() * 60));
    this.count('kills');
    await this.product.kill();
  }

  private async startAgain(): Promise<void> {
    // Longer than Slack sits on a request: one of the ended process does not come after those of the next one.
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS + 100));
    await this.advance(SILENCE_MS);
    await this.start();
  }

  private async anyCall(): Promise<{ name: string; input: Record<string, unknown>; path: string }> {
    const number = seeded(this.pick([3, 4, 5]));
    const row = (await this.state()).numbers.find((one: Json) => one.Number === number);
    // Now and then the same text again: a repeat of an earlier call.
    if (this.texts === 0 || this.chance(0.8)) this.texts += 1;
    const Body = `Text ${this.texts}`;
    return this.pick([
      { name: 'numbers_provision', input: PROVISION, path: '/v1.0/numbers/provision' },
      row.Status === 'Active'
        ? {
            name: 'numbers_cancel',
            input: { PhoneNumbers: [{ Number: number }] },
            path: '/v1.0/numbers/cancel-order-submit',
          }
        : {
            name: 'numbers_reactivate',
            input: { PhoneNumber: number, AccountId: A1 },
            path: '/v1.0/numbers/reactivate',
          },
      {
        name: 'message_outbound',
        input: { To: [{ Number: '+12015550199' }], From: seeded(1), Body },
        path: '/v1.0/message/outbound',
      },
    ]);
  }

  /** The next request to this path meets a cut connection, or an error status of the sandbox. */
  private async trouble(path: string): Promise<void> {
    this.count('faults');
    if (this.chance(0.4)) {
      const status = this.pick([429, 500, 503, 504]);
      return this.control('faults', { path, times: 1, status, ...(status === 429 ? { retryAfter: 400 } : {}) });
    }
    const fate = this.pick(FATES);
    this.platform.next(path, fate);
    if (fate === 'cut-late') this.late.push(this.product.ahead + Math.ceil(this.random() * 6) * STEP_MS);
  }

  private async release(): Promise<void> {
    this.late = [];
    await this.platform.release();
  }

  /** Resolves open actions until further readings change nothing, then compares. */
  private async conclude(): Promise<string[]> {
    await this.deliverReceipts();
    this.slack.workspace.clearFaults();
    for (let round = 0; round < 3; round += 1) {
      await this.advance(SETTLED_MS);
      for (const { id } of this.actions().filter((action) => action.state === 'unknown'))
        await this.product.call(ACTORS[0], 'confirmations_get', { id });
    }
    const since = Date.now();
    // Every question that waited for a person has expired by now, too.
    const atRest = (actions: LedgerAction[]) =>
      actions.every(({ state }) => !RUNNING.includes(state)) && this.slack.disagreements(actions).length === 0;
    await comes(() => atRest(this.actions()), SHOWN_MS);
    const actions = this.actions();
    for (const action of actions) this.count(`ended ${action.state}`);
    this.figures.cards = this.slack.carded().size;
    this.figures['posts to Slack'] = this.slack.posts();
    this.figures['cards agreed after ms'] = Date.now() - since;
    const audit = this.inLedger((db) => db.all<AuditNote>('SELECT action, what FROM audit ORDER BY seq'));
    return [...disagreements(actions, audit, await this.state()), ...this.slack.disagreements(actions)];
  }

  private actions(): LedgerAction[] {
    return this.inLedger((db) => actionsIn(db, join(this.folder, 'data')));
  }

  private inLedger<T>(read: (db: SqliteFile) => T): T {
    const db = openSqliteFile(join(this.folder, 'data', 'switchboard.db'));
    try {
      return read(db);
    } finally {
      db.close();
    }
  }

  private async deliverReceipts(): Promise<void> {
    const { messages } = await this.state();
    for (const message of messages.filter((row: Json) => row.Direction === 'OUTBOUND')) {
      const answer = await fetch(`${this.product.url}/events/message-status`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${RECEIPTS_TOKEN}` },
        body: JSON.stringify({ ...message, To: message.To.join(',') }),
      });
      if (!answer.ok) throw new Error(`a receipt was refused: ${answer.status}`);
    }
  }

  /** After a 429 the product's calls wait: the clock goes on instead of the test waiting as long in real time. */
  private async pausedMs(): Promise<number> {
    const requests: Json = await (await fetch(`${this.sandbox.url}/sandbox/requests`)).json();
    const refused = requests.filter((request: Json) => request.status === 429).length;
    const more = refused > this.refused;
    this.refused = refused;
    return more ? LONGEST_PAUSE_MS : 0;
  }

  /** Advances both clocks, the product's first, because the platform's dates must not lie in the product's future. */
  private async advance(ms: number): Promise<void> {
    this.product.forward(ms);
    await this.control('clock', { advance: `${ms}ms` });
  }

  private async control(path: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.sandbox.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/sandbox/${path}: ${await answer.text()}`);
  }

  private async state(): Promise<Json> {
    return (await fetch(`${this.sandbox.url}/sandbox/state`)).json();
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private count(what: string): void {
    this.figures[what] = (this.figures[what] ?? 0) + 1;
  }
}

/** Returns true if the condition holds within this much real time. */
async function comes(condition: () => boolean, ms: number): Promise<boolean> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

/** `dataDir`: has the key that results with an activation code are sealed with. */
function actionsIn(db: SqliteFile, dataDir: string): LedgerAction[] {
  const seal = createSeal(...sealingKeys(dataDir, undefined));
  const rows = db.all<Record<keyof LedgerAction, string | null>>(
    'SELECT id, operation, state, shown, result FROM actions ORDER BY created_at',
  );
  return rows.map(({ id, operation, state, shown, result }) => ({
    id: id ?? '',
    operation: operation ?? '',
    state: state ?? '',
    shown: JSON.parse(shown ?? '{}'),
    result: JSON.parse(resultJson({ id: id ?? '', result }, seal) ?? 'null'),
  }));
}

/** mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
