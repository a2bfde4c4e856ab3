import { beforeEach, describe, expect, it } from 'vitest';
import type { Assistant } from '../../../src/assistant/assistant.ts';
import type { TurnEvent } from '../../../src/assistant/turn-events.ts';
import type { Understood } from '../../../src/nlu/reader.ts';
import { renderMetrics } from '../../../src/start/metrics.ts';
import type { Handler } from '../../../src/work/worker.ts';
import { actorOf } from '../../support/approval.ts';
import { FakeClock } from '../../support/clock.ts';
import type { ScriptedAnswer } from '../../support/models.ts';
import { looked } from '../../support/readers.ts';
import { seeded } from '../../support/seed.ts';
import { ask, assistantOf, MODEL, model, openModel, withModel, withReader, world } from './asking.ts';

const stateOf = async (number: string): Promise<string> =>
  (await world.cli(['numbers', 'get', number])).json().Status as string;

const CANCEL: Partial<Understood> = { kind: 'form', operation: 'numbers_cancel', find: '0103' };
const DIAGNOSE = { operation: 'numbers_diagnose', input: {}, find: '0102' };

describe('without a model', () => {
  it.each<[string, Partial<Understood>, RegExp, number]>([
    ['a number', looked('0101'), /Ava Stone/, 0],
    ['a name with a slip', looked('bn reed'), /"bn reed" was taken for Ben Reed[\s\S]*|Ben Reed/, 0],
    [
      'a name of nobody',
      { ...looked('quark'), offers: [DIAGNOSE] },
      /numbers_diagnose PhoneNumber=0102[\s\S]*No number matches/,
      2,
    ],
    [
      'a read',
      { kind: 'read', operation: 'numbers_lookup', find: '0102', notTaken: ['friday'] },
      /Not taken: “friday”[\s\S]*|Ben Reed/,
      0,
    ],
    ['a change', CANCEL, /To do it, run:\s+switchboard call numbers_cancel PhoneNumbers=\+12015550103$/m, 3],
    [
      'a change of several lines',
      { ...CANCEL, operation: 'numbers_update', input: { MessageEnabled: true }, find: '0101, 0103' },
      /run one for each:\s+switchboard call numbers_update Number=0101 MessageEnabled=true\s+switchboard call numbers_update Number=0103/,
      3,
    ],
    [
      'what is not clear',
      { kind: 'choose', find: '0102', offers: [DIAGNOSE] },
      /Ben Reed[\s\S]*It may ask for:\s+switchboard call numbers_diagnose PhoneNumber=0102/,
      0,
    ],
    ['what a change does', { about: 'consequence', operation: 'numbers_reactivate' }, /5 USD/, 0],
  ])('answers %s', async (_what, understood, expected, code) => {
    const answer = await ask(withReader({ words: understood }), 'words');
    expect(`${answer.out}${answer.err}`).toMatch(expected);
    expect(answer.code).toBe(code);
    expect(await world.runtime.gate.actions.list({})).toEqual([]);
  });

  it('lists what waits instead of saying that nothing does', async () => {
    await world.cli(['numbers', 'cancel', seeded(3), '--yes'], 'operator');
    const { out } = await ask(withReader({ words: { kind: 'told', about: 'waiting' } }), 'words', { role: 'operator' });
    expect(out).toMatch(/act_\S+ {2}Cancel/);
    expect(out).not.toContain('Nothing waits');
  });

  it('asks on the terminal before it cancels, and does nothing without a yes', async () => {
    const assistant = () => withReader({ words: CANCEL });
    const no = await ask(assistant(), 'words', { types: 'n' });
    expect([no.code, await stateOf(seeded(3))]).toEqual([3, 'Active']);
    const yes = await ask(assistant(), 'words', { types: 'y' });
    expect([yes.code, await stateOf(seeded(3))]).toEqual([0, 'Cancelled - Pending Delete']);
  });
});

describe.each(['openai-compatible', 'anthropic'] as const)('a model that speaks %s', (api) => {
  beforeEach(async () => {
    await openModel(api);
  });

  it('leaves a gated call to a person: the turn ends, the model does not learn the decision', async () => {
    const call = { name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(3) }] } };
    model.answers({ calls: [call] }, { text: 'Done, it is cancelled!' });
    const none = await ask(withModel(api), 'cancel 0103, I approve it already, yes');
    expect([none.code, await stateOf(seeded(3)), model.requests.length]).toEqual([3, 'Active', 1]);
    expect(none.err).toMatch(/Waits for a person until .*, nothing was done: Cancel/);
    model.answers({ calls: [call] }, { text: 'Done, it is cancelled!' });
    const yes = await ask(withModel(api), 'cancel 0103', { types: 'y' });
    expect([yes.code, await stateOf(seeded(3)), model.requests.length]).toEqual([0, 'Cancelled - Pending Delete', 2]);
    expect(yes.out).not.toContain('Done, it is cancelled!');
  });

  it('asks about a batch of the model here, and follows it to its end', async () => {
    const input = {
      Operation: 'numbers_cancel',
      Numbers: [seeded(3), seeded(4), seeded(9)],
    };
    model.answers({ calls: [{ name: 'batches_create', input }] }, { text: 'All cancelled!' });
    const no = await ask(withModel(api), 'cancel 0103, 0104 and 0109', { types: 'n' });
    expect([no.code, await stateOf(seeded(3)), model.requests.length]).toEqual([3, 'Active', 1]);
    model.answers({ calls: [{ name: 'batches_create', input }] }, { text: 'All cancelled!' });
    const yes = await ask(withModel(api), 'cancel 0103, 0104 and 0109', { types: 'y' });
    expect([yes.code, await stateOf(seeded(3)), await stateOf(seeded(4))]).toEqual([
      5,
      'Cancelled - Pending Delete',
      'Cancelled - Pending Delete',
    ]);
    expect(yes.err).toContain(seeded(9));
    expect(yes.out).toContain('Done: 2 done, 1 left out.');
    expect(yes.out).not.toContain('All cancelled!');
  });

  it('gets only the tools of the writer, and an answer for a tool that does not exist', async () => {
    const calls = [
      { name: 'call', input: { operation: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(3) }] } } },
    ];
    model.answers({ calls }, { calls: [{ name: 'approve_everything' }] }, { text: 'I may not.' });
    const { code, out } = await ask(withModel(api, { MCP_DISCOVER: 'true' }), 'cancel 0103', { role: 'viewer' });
    expect([code, out, await stateOf(seeded(3))]).toEqual([0, 'I may not.\n', 'Active']);
    expect(model.requests[0]?.tools).toContain('numbers_lookup');
    expect(model.requests[0]?.tools).not.toContain('numbers_cancel');
    expect(model.requests[1]?.text).toContain('is not offered');
    expect(model.requests[2]?.text).toContain('approve_everything');
  });

  it.each<[string, ScriptedAnswer, RegExp]>([
    ['429', { status: 429, retryAfter: '60' }, /takes no more requests/],
    ['a lasting 500', { status: 500, retryAfter: '0' }, /endpoint failed/],
    ['404', { status: 404 }, /does not have this model/],
    [
      'a context that is too long, by its text',
      { status: 400, error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
      /too long for the model/,
    ],
    ['a stream that is cut', { text: 'The line is', cut: true }, /cut off/],
  ])('answers %s with one sentence and the catalogue', async (_name, answer, sentence) => {
    model.answers(answer);
    const assistant = withModel(api);
    const { code, out, err } = await ask(assistant, seeded(1));
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
    expect(err).not.toContain('words of the endpoint');
    expect(out).toMatch(answer.text === undefined ? /mvno/ : /The line is/);
    expect(await renderMetrics(assistant.metrics())).toMatch(/switchboard_assistant_turns_total\{end="failed"\} 1/);
  });

  it('says that the key is wrong, without the key', async () => {
    const { code, err } = await ask(withModel(api, { ASSISTANT_KEY: 'another-key-altogether' }), seeded(1));
    expect([code, err]).toEqual([1, expect.stringContaining("The model's endpoint does not accept the key.")]);
    expect(err).not.toContain('another-key');
  });
});

describe('a thread', () => {
  beforeEach(async () => {
    await openModel('openai-compatible');
  });

  const AVA = actorOf('slack:T1/ava', { person: 'slack:T1/ava', role: 'operator', surface: 'slack' });
  async function turn(assistant: Assistant, text: string) {
    const events: TurnEvent[] = [];
    for await (const event of assistant.turn({ thread: 'T1/C1/1', text, writer: AVA, others: [] })) events.push(event);
    return events;
  }

  it('of the terminal goes on with --continue, and a new question begins anew', async () => {
    const assistant = withModel('openai-compatible');
    await assistant.conversations.forgetOthers('terminal/', '');
    const none = await ask(assistant, 'and now?', { args: ['--continue'] });
    expect([none.code, JSON.parse(none.err).error.message]).toEqual([
      2,
      expect.stringContaining('There is no conversation to go on with'),
    ]);
    model.answers({ text: 'Noted.' });
    await ask(assistant, 'my favourite flower is heliotrope');
    await ask(assistant, 'and now?', { args: ['--continue'] });
    expect(model.requests[1]?.text).toContain('heliotrope');
    await ask(assistant, 'something else');
    await ask(assistant, 'and this?', { args: ['--continue'] });
    expect(model.requests[3]?.text).toContain('something else');
    expect(model.requests[3]?.text).not.toContain('heliotrope');
    const kept = await world.runtime.store
      .database('ledger')
      .all("SELECT thread FROM conversations WHERE thread LIKE 'terminal/%'");
    expect(kept).toHaveLength(1);
  });

  it('ends a turn after two minutes, and says what was done until then', async () => {
    const clock = new FakeClock(world.runtime.clock.now());
    const assistant = assistantOf(MODEL(), { clock });
    model.answers(() => {
      clock.advance(25_000);
      return { text: 'Looking. ', calls: [{ name: 'numbers_lookup', input: { PhoneNumber: seeded(1) } }] };
    });
    const end = (await turn(assistant, 'keep looking')).at(-1);
    expect(end).toMatchObject({
      kind: 'end',
      stopped: 'too_long',
      records: expect.arrayContaining([expect.anything()]),
    });
    expect(model.requests.length).toBe(5);
    model.answers({ text: 'A new turn.' });
    expect((await turn(assistant, 'again')).at(-1)).toMatchObject({ text: 'A new turn.' });
  });

  it('fits into ASSISTANT_CONTEXT with its memory and results, and finds tools by search in a small one', async () => {
    const context = 8_000;
    const assistant = withModel('openai-compatible', { ASSISTANT_CONTEXT: String(context), MCP_TOOLSETS: 'all' });
    await assistant.forget('T1/C1/1', AVA);
    for (let n = 0; n < 6; n += 1) {
      model.answers({ text: `Noted ${n}. ${'word '.repeat(600)}` });
      await turn(assistant, `remember ${n}`);
    }
    const finding = { name: 'call', input: { operation: 'numbers_inventory_get', input: {} } };
    model.answers(
      { calls: [finding] },
      { calls: [{ ...finding, input: { ...finding.input, input: { TotalNumbersRequested: 50 } } }] },
      { text: 'END' },
    );
    const end = (await turn(assistant, 'list them all, twice')).at(-1);
    expect(end).toMatchObject({ kind: 'end', text: expect.stringContaining('END') });
    // The test's own measure: four characters a token, as most models count English.
    const sizes = model.requests.map(({ text }) => Math.ceil(text.length / 4));
    expect(Math.max(...sizes)).toBeLessThan(context);
    expect(model.requests.at(-1)?.text).toContain('remember 5');
    expect(model.requests.at(-1)?.text).not.toContain('remember 0');
    expect(model.requests[0]?.tools).toContain('search');
  });

  it('is erased by a job 30 days after its last message', async () => {
    const handlers = new Map<string, Handler>();
    const worker = { on: (kind: string, handler: Handler) => void handlers.set(kind, handler) } as never;
    const clock = new FakeClock(world.runtime.clock.now());
    const assistant = assistantOf(MODEL(), { clock, worker });
    await assistant.forget('T1/C1/1', AVA);
    model.answers({ text: 'Noted.' });
    await turn(assistant, 'my favourite flower is heliotrope');
    const erase = () => handlers.get('conversation-erase')?.({ payload: { thread: 'T1/C1/1' } } as never, {} as never);
    clock.advance(29 * 86_400_000);
    expect(await erase()).toBeGreaterThan(clock.now());
    expect(await assistant.conversations.messages('T1/C1/1')).toHaveLength(2);
    clock.advance(2 * 86_400_000);
    expect(await erase()).toBeUndefined();
    expect(await assistant.conversations.messages('T1/C1/1')).toEqual([]);
    const waiting = await world.runtime.jobs.counts();
    expect(waiting.find(({ kind }) => kind === 'conversation-erase')?.open).toBeGreaterThan(0);
  });

  it('counts turns and tokens, and says nothing of the conversation in the log', async () => {
    const lines: string[] = [];
    const assistant = assistantOf(MODEL(), { log: (...line) => void lines.push(JSON.stringify(line)) });
    model.answers({ text: 'The word is peony.' }, { status: 400 });
    await turn(assistant, 'the word is heliotrope');
    await turn(assistant, 'the word is heliotrope');
    const metrics = await renderMetrics(assistant.metrics());
    expect(metrics).toMatch(/switchboard_assistant_tokens_total\{kind="input"\} 100/);
    expect(metrics).toMatch(/switchboard_assistant_turns_total\{end="answered"\} 1/);
    expect(metrics).toContain('switchboard_assistant_model{model="test-model"} 1');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toMatch(/heliotrope|peony|words of the endpoint/);
  });
});
