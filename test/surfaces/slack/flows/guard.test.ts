import { describe, expect, it } from 'vitest';
import type { Given } from '../../../../src/demo/playground/forms.ts';
import { objects } from '../../../../src/demo/playground/types.ts';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { notTaken, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { card, record, type Stage, sharedStage, shown, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';

const stageOf = sharedStage();

/* `/subscribers guard`: filters of one number in one form, read before and after they are saved. */

const PHONE = '+12015550101';
const FRIEND = '+12015550199';

function view(s: Stage): string {
  return JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition ?? '');
}

async function sees(s: Stage, text: string): Promise<void> {
  await until(() => view(s).includes(text), `${text} in ${view(s).slice(0, 2_000)}`);
}

async function opened(s: Stage, given = PHONE): Promise<void> {
  await s.type('/subscribers', `guard ${given}`);
  await sees(s, 'messages.level');
}

function submit(s: Stage, values: Record<string, Given> = {}) {
  return s.ws.submit({ user: U_AGENT, values });
}

/** Settings that add protection and need no approver. */
const PLAIN = { 'messages.level': 'ADOLESCENT', 'messages.rules': ['BlockLinks', 'BlockMedia'] };

const STRICT = {
  'messages.level': 'ADOLESCENT',
  'messages.rules': ['BlockUnknownNumbers', 'BlockLinks'],
  'messages.keywords': 'drugs: high\nmeet me',
  'messages.allowed': FRIEND,
};

const LEAD = { id: 'slack:T1/U1', name: 'Lee', role: 'approver', surface: 'slack', priority: 'person' } as const;
/** The yes of an approver, at once. */
const YES = { ask: async () => 'accept' as const, decider: deciderOf(LEAD, 'slack') };

/** An approver confirms the question that waits. */
async function confirmed(s: Stage): Promise<void> {
  const { ts } = await card(s.ws);
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
  await until(() => s.ws.message(ts)?.text.includes('Done') === true, 'the end');
}

/** Two message filters on the number: their ids. */
async function twoFilters(s: Stage): Promise<string[]> {
  const on = {
    SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001',
    Phone: PHONE,
    ApplyToInbound: true,
    ApplyToOutbound: true,
  };
  const ids = [];
  for (const filter of [{ FilterMode: 'CHILD' }, { FilterMode: 'ACTIVE', BlockLinks: true }]) {
    const made = await s.gate.perform('subscribers_message_filter_create', { ...on, ...filter }, LEAD, YES);
    ids.push(made.kind === 'done' ? String(made.value.FilterId) : '');
  }
  return ids;
}

/** The option that a menu of the open form shows. */
function chosen(s: Stage, blockId: string): unknown {
  const blocks = objects(s.ws.openViews(U_AGENT).at(-1)?.definition.blocks);
  return record(record(blocks.find(({ block_id }) => block_id === blockId)?.element).initial_option).value;
}

async function filters(s: Stage, kind: 'messageFilters' | 'callFilters'): Promise<Record<string, unknown>[]> {
  return (record(await s.control('state'))[kind] as unknown[]).map(record);
}

describe('/subscribers guard', () => {
  it('asks, shows in words what will be saved, saves it, and reads it back', async () => {
    const s = stageOf();
    await opened(s);
    expect(view(s)).toContain('Ava Stone');
    expect(await submit(s, STRICT)).toMatchObject({ outcome: 'acked' });
    for (const text of [
      'Adolescent: a moderate level, in both directions. Blocked are messages from unknown numbers and links.',
      `Keywords: drugs, meet me. Allowed always: ${FRIEND}.`,
      'Turn on guardian filtering of messages · Create the message filter',
    ])
      expect(view(s)).toContain(text);
    expect(await filters(s, 'messageFilters')).toEqual([]);

    await s.ws.click({ user: U_AGENT, view: true, actionId: 'sb_guard_revise' });
    await sees(s, 'drugs: HIGH');
    await submit(s, { 'messages.rules': ['BlockUnknownNumbers', 'BlockLinks', 'BlockMedia'] });
    await sees(s, 'links and pictures and videos');
    await submit(s);
    await sees(s, 'Read back from the platform');
    // Keywords decide what happens to messages, so an approver is asked.
    expect(view(s)).toContain(': not saved yet. An approver decides on its card.');
    expect(await filters(s, 'messageFilters')).toEqual([]);
    await confirmed(s);
    const [made] = await filters(s, 'messageFilters');
    expect(made).toMatchObject({ Phone: PHONE, FilterMode: 'ADOLESCENT', Allowed: [FRIEND] });
    expect(record(made?.fields)).toMatchObject({ ApplyToInbound: true, ApplyToOutbound: true, BlockMedia: true });
    expect(JSON.parse(String(record(made?.fields).KeywordFilter))).toEqual({
      CustomKeywords: ['drugs', 'meet me'],
      SeverityMap: { drugs: 'HIGH' },
    });
    expect(s.ws.warnings()).toEqual([]);
  });

  it('starts from what is set, and an approver is asked where protection is taken away', async () => {
    const s = stageOf();
    await opened(s);
    await submit(s, PLAIN);
    await submit(s);
    await sees(s, 'Read back from the platform');
    expect(view(s)).toContain('"Create the message filter","style":{"bold":true}},{"type":"text","text":": saved"');
    expect(view(s)).not.toContain('did not take');
    await s.ws.closeView({ user: U_AGENT });

    await opened(s);
    await submit(s, { 'messages.rules': ['BlockMedia'] });
    await sees(s, 'Change the message filter');
    await submit(s);
    await sees(s, 'not saved yet');
    // The old rules are still in force.
    expect(view(s)).toContain('links and pictures and videos');
    const { ts } = await card(s.ws);
    expect(shown(s.ws.message(ts))).toContain('Links are no longer blocked');
    await s.ws.click({ user: U_LEAD, messageTs: ts, actionId: 'sb_confirm' });
    await until(() => s.ws.message(ts)?.text.includes('Done') === true, 'the end');
    expect(record((await filters(s, 'messageFilters'))[0]?.fields)).toMatchObject({ BlockLinks: false });
    expect(s.ws.warnings()).toEqual([]);
  });

  it('shows every filter of one kind, and changes the one that is chosen', async () => {
    const s = stageOf();
    const [first, second] = await twoFilters(s);
    await opened(s);
    for (const words of ['Messages 1', 'Child: the strictest level', 'Messages 2', 'Blocked are links.'])
      expect(view(s)).toContain(words);
    await submit(s, { 'messages.rules': ['BlockMedia'] });
    await sees(s, 'Blocked are pictures and videos.');
    expect(view(s)).toContain('The other message filter stays as set now.');
    await s.ws.click({ user: U_AGENT, view: true, actionId: 'sb_guard_revise' });
    await sees(s, 'messages.level');

    const choice = { blockId: 'messages.filter', actionId: 'sb_value' };
    await s.ws.click({ user: U_AGENT, view: true, ...choice, value: second ?? '' });
    await sees(s, 'messages.level~1');
    expect(chosen(s, 'messages.level~1')).toBe('ACTIVE');
    await submit(s, { 'messages.rules~1': ['BlockLinks', 'BlockMedia'] });
    await sees(s, 'links and pictures and videos');
    await submit(s);
    await sees(s, 'Read back from the platform');
    expect(view(s)).not.toContain('did not take');
    const saved = await filters(s, 'messageFilters');
    expect(saved.map(({ FilterId, fields }) => [FilterId, record(fields).BlockMedia])).toEqual([
      [first, false],
      [second, true],
    ]);
    expect(s.ws.warnings()).toEqual([]);
  });

  it('adds a further filter to those that are there', async () => {
    const s = stageOf();
    const before = await twoFilters(s);
    await opened(s);
    const choice = { blockId: 'messages.filter', actionId: 'sb_value', value: 'further' };
    await s.ws.click({ user: U_AGENT, view: true, ...choice });
    await sees(s, 'messages.level~1');
    expect(chosen(s, 'messages.level~1')).toBe('none');
    const wrong = await submit(s, { 'messages.level~1': 'TEENAGER', 'messages.blocked~1': 'nobody' });
    expect(Object.keys(wrong.errors ?? {})).toEqual(['messages.blocked~1']);
    await submit(s, { 'messages.blocked~1': FRIEND });
    await sees(s, 'Messages, a further filter');
    expect(view(s)).toContain('The 2 other message filters stay as set now.');
    await submit(s);
    await sees(s, 'Read back from the platform');
    expect(view(s)).not.toContain('did not take');
    await sees(s, 'Messages 3');
    const saved = await filters(s, 'messageFilters');
    expect(saved).toHaveLength(3);
    expect(saved.find(({ FilterId }) => !before.includes(String(FilterId)))).toMatchObject({ FilterMode: 'TEENAGER' });
  });

  it('tells which of several calls was saved and which was not', async () => {
    const s = stageOf();
    await opened(s);
    await s.control('faults', { path: '/v1.0/subscribers/call-filter', method: 'POST', times: 1, status: 400 });
    const calls = { 'calls.level': 'BLACKLIST', 'calls.blocked': FRIEND };
    await submit(s, { ...PLAIN, ...calls });
    await sees(s, 'Create the call filter');
    await submit(s);
    await sees(s, 'In force now');
    expect(view(s)).toContain('"Create the message filter","style":{"bold":true}},{"type":"text","text":": saved"');
    expect(view(s)).toMatch(/Create the call filter","style":\{"bold":true\}\},\{"type":"text","text":": not saved/);
    expect(await filters(s, 'messageFilters')).toHaveLength(1);
    expect(await filters(s, 'callFilters')).toEqual([]);
  });

  it('names what is wrong at its field', async () => {
    const s = stageOf();
    await opened(s);
    const values = { 'messages.level': 'CHILD', 'messages.directions': [], 'messages.blocked': `${FRIEND}\nnobody` };
    const { json } = await submit(s, { ...values, 'messages.allowed': FRIEND });
    expect(record(record(json).errors)).toEqual({
      'messages.blocked': 'Line 2 (nobody) is not a phone number.',
      'messages.directions': 'Choose a direction. Otherwise nothing is filtered.',
    });
    const again = await submit(s, { 'messages.blocked': '', 'messages.level': 'none' });
    expect(record(record(again.json).errors)).toEqual({
      'messages.level': 'Choose a protection. Without one, nothing below it is saved.',
    });
  });

  it('asks who is meant', async () => {
    const s = stageOf();
    await s.type('/subscribers', 'guard');
    await sees(s, 'Who is protected');
    await submit(s, { who: '+12015550110' });
    await sees(s, 'has no subscriber');
    await submit(s, { who: 'TSUID-00000000-0000-4000-8000-000000000002' });
    await sees(s, 'messages.level');
    expect(view(s)).toContain('+12015550102');
    expect(s.ws.warnings()).toEqual([]);
  });

  it('is refused to viewers', async () => {
    const s = stageOf();
    await s.type('/subscribers', `guard ${PHONE}`, U_VIEW);
    await whisper(s.ws, U_VIEW, '⛔');
    expect(s.ws.openViews(U_VIEW)).toEqual([]);
  });

  it('keeps keyword rules that are too long for a form', async () => {
    const s = stageOf();
    const words = Array.from({ length: 400 }, (_, i) => `word${i}`);
    const input = {
      SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001',
      Phone: PHONE,
      FilterMode: 'ACTIVE',
      ApplyToInbound: true,
      ApplyToOutbound: true,
      KeywordFilter: JSON.stringify({ CustomKeywords: words }),
    };
    await s.gate.perform('subscribers_message_filter_create', input, LEAD, YES);
    await opened(s);
    expect(view(s)).toContain('too long for a form');
    expect(view(s)).not.toContain('messages.keywords');
    await submit(s, { 'messages.rules': ['BlockLinks'] });
    await submit(s);
    await sees(s, 'Read back from the platform');
    const [filter] = await filters(s, 'messageFilters');
    expect(record(filter?.fields)).toMatchObject({ BlockLinks: true, KeywordFilter: input.KeywordFilter });
  });

  it('names settings that the platform answers otherwise', () => {
    const [messages] = TRAFFIC;
    if (!messages) throw new Error('no traffic');
    const wanted = {
      level: 'CHILD',
      rules: ['BlockLinks'],
      inbound: true,
      outbound: false,
      allowed: [FRIEND],
      blocked: [],
      keywords: '{"CustomKeywords":["a"]}',
    };
    const record = { FilterMode: 'CHILD', ApplyToInbound: 'true', AllowedContacts: [FRIEND] };
    expect(notTaken(messages, wanted, { ...record, KeywordFilter: '"CustomKeywords":["a"]' })).toEqual([
      '“Block links”',
    ]);
    expect(notTaken(messages, wanted, { ...record, BlockLinks: true })).toEqual(['the keywords']);
  });
});
