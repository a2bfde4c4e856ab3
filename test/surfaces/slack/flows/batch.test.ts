import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import type { Actor } from '../../../../src/lib/actor.ts';
import { asked, click, open, PARK, phone, plan, STATUS, says, sendFile } from '../batching.ts';
import {
  ASSISTANT,
  C_APPROVALS,
  C_SUPPORT,
  card,
  cards,
  record,
  S_APPROVERS,
  S_OPERATORS,
  type Stage,
  shown,
  stage,
  U_AGENT,
  U_LEAD,
  U_VIEW,
  until,
  whisper,
  whispers,
} from '../support.ts';

const LEAD: Actor = { id: 'lead', name: 'Lee', role: 'approver', surface: 'page', priority: 'person' };

/** The answer to a press of a button that the card had before, and that its reader still sees. */
async function pressOld(s: Stage, ts: string, actionId: string, value: string): Promise<string> {
  await s.settled();
  const before = whispers(s.ws, U_LEAD).length;
  const old = { type: 'button', action_id: actionId, text: { type: 'plain_text', text: 'x' }, value };
  s.ws.message(ts)?.blocks.push({ type: 'actions', block_id: `old ${actionId}`, elements: [old] });
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId, blockId: `old ${actionId}` });
  await s.settled();
  return shown(whispers(s.ws, U_LEAD)[before]);
}

describe('a batch in Slack', () => {
  it('goes from a CSV with five bad lines over one question to its results', async () => {
    const s = await stage();
    const bad = ['12', phone(1), phone(7), phone(99), '=HYPERLINK("http://x")'];
    const csv = ['Phone', phone(1), phone(3), phone(4), ...bad].join('\n');
    const { ts } = await asked(s, csv);
    const question = shown(s.ws.message(ts));
    expect(question).toContain('3 numbers');
    expect(question).toContain('5 left out');
    for (const target of [phone(3), phone(7), phone(99)]) expect(question).toContain(target);
    expect(await s.requests(STATUS)).toHaveLength(0);

    // A viewer and the requester are refused; nothing runs.
    for (const user of [U_VIEW, U_AGENT]) await click(s, user, ts, 'sb_confirm');
    await s.settled();
    expect(await s.requests(STATUS)).toHaveLength(0);

    await click(s, U_LEAD, ts, 'sb_confirm');
    const done = await says(s, ts, /Done: 3 done, 5 left out/);
    expect(done).toContain('sb_results');
    expect(done).toContain('Active → Parked');
    // The first row alone, then two in one request.
    expect(await s.requests(STATUS)).toHaveLength(2);

    await click(s, U_VIEW, ts, 'sb_results');
    await whisper(s.ws, U_VIEW, 'Only its requester and approvers');
    await click(s, U_AGENT, ts, 'sb_results');
    await until(() => s.ws.calls('files.completeUploadExternal').length === 1, 'the file');
    await s.settled();
    const shared = s.ws.calls('files.completeUploadExternal').at(-1);
    const [{ id = '', title } = {}] = objects(shared?.response.files);
    expect(String(title)).toMatch(/^Results: Park/);
    // It is one message, in the thread of the card.
    expect(shared?.args).toMatchObject({ thread_ts: ts });
    expect(s.ws.messages(s.ws.state.im(U_AGENT).id)).toEqual([]);
    expect(whispers(s.ws, U_AGENT).map(shown).join()).not.toContain('CSV');
    const sent = String(s.ws.state.files.find(String(id))?.data);
    expect(sent).toContain(`3,4,${phone(4)},done`);
    expect(sent).not.toMatch(/(^|,)"?=/m);

    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_rows' });
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the window');
    const window = JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition.blocks);
    for (const target of [phone(1), phone(99)]) expect(window).toContain(target);
    // Each row begins a new line, and is read as on a narrow terminal.
    expect(window).toMatch(/"text":"\d\. [^"]*\\n1\. \+\d+ done\\n/);
    expect(window).not.toContain('Rows');
  });

  it('shows its plan to its writer alone, who can edit the list, leave rows out and discard it before anybody is asked', async () => {
    const s = await stage();
    await open(s);
    await sendFile(s, [phone(1), phone(3), phone(7)].join('\n'));
    const first = await plan(s);
    expect(shown(first)).toContain('2 of 3 rows are ready, 1 left out. Nobody has been asked yet.');
    await s.settled();
    expect([cards(s.ws), await s.gate.actions.list({ states: ['pending'] })]).toEqual([[], []]);
    // It is the question that will be asked: the customer, the day, and why a row is left out.
    for (const text of ['Ava Stone · Acme Mobile', 'Effective date', `Line 3 (${phone(7)}): is cancelled.`])
      expect(shown(first)).toContain(text);
    expect(shown(first)).not.toContain('Leave it out');
    await click(s, U_AGENT, first.ts, 'sb_leave');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the window');
    const window = JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition);
    expect(window).toContain('takes the place of this one');
    await s.ws.closeView({ user: U_AGENT });

    await click(s, U_AGENT, first.ts, 'sb_batchEdit');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    const form = objects(s.ws.openViews(U_AGENT)[0]?.definition.blocks);
    const listed = record(form.find(({ block_id: id }) => id === 'batch_list')?.element);
    expect(listed.initial_value).toBe([phone(1), phone(3), phone(7)].join('\n'));
    await s.ws.submit({ user: U_AGENT, values: { batch_list: [phone(1), phone(3), phone(4)].join('\n') } });
    const states = async () => (await s.batches.list(LEAD)).map(({ state }) => state);
    await until(
      async () => String(await states()) === 'planned,stopped',
      'the new list takes the place of the old one',
    );
    const edited = () => whispers(s.ws, U_AGENT).findLast((one) => shown(one).includes('sb_batchAsk'));
    await until(() => shown(edited()).includes('3 of 3 rows are ready'), 'the new plan');

    await click(s, U_AGENT, edited()?.ts ?? '', 'sb_stop');
    await until(async () => String(await states()) === 'stopped,stopped', 'it is discarded');
    expect([cards(s.ws), await s.requests(STATUS)]).toEqual([[], []]);
  });
});

/** Sends the open window that leaves one row out. */
async function leaveOut(s: Stage, user: string, row: string): Promise<void> {
  await until(() => JSON.stringify(s.ws.openViews(user)).includes('batch_leave'), 'the window');
  const selected_options = [{ text: { type: 'plain_text', text: 'x' }, value: row }];
  await s.ws.submit({ user, values: { batch_leave: { type: 'multi_static_select', selected_options } } });
}

describe('a batch of own changes', () => {
  const openOwn = async (s: Stage, list: string) => {
    await s.type('/batch', 'numbers update CnamFirstName=Zed');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
  };
  const names = async (s: Stage) => (await s.requests('numbers/update')).length;
  const question = (s: Stage) => whisper(s.ws, U_AGENT, 'sb_confirm');

  it('is asked of its writer alone, who may edit it, leave rows out, and apply it where it then runs', async () => {
    const s = await stage();
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    const first = await question(s);
    for (const text of ['Apply', 'sb_batchEdit', 'Cancel', 'sb_leave', 'sb_rows', 'Zed', 'Only you see this'])
      expect(shown(first)).toContain(text);
    expect(shown(first)).not.toMatch(/sb_batchAsk|sb_decline|Nobody was told/);

    await click(s, U_AGENT, first.ts, 'sb_batchEdit');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: [phone(1), phone(3), phone(4)].join('\n') } });
    await until(async () => shown(await question(s)).includes('3 numbers'), 'the question about the new list');
    await click(s, U_AGENT, (await question(s)).ts, 'sb_leave');
    await leaveOut(s, U_AGENT, '3');
    await until(async () => shown(await question(s)).includes('2 numbers'), 'the question about the other rows');
    await s.quiet();
    expect([cards(s.ws), await names(s), s.ws.messages(C_APPROVALS)]).toEqual([[], 0, []]);
    expect(await s.gate.actions.list({ states: ['pending'] })).toHaveLength(1);

    await click(s, U_AGENT, (await question(s)).ts, 'sb_confirm');
    const ran = await card(s.ws);
    expect(await says(s, ran.ts, /Done: 2 done/)).toContain(`<@${U_AGENT}>`);
    expect(ran.channel).toBe(C_SUPPORT);
    expect([await names(s), s.ws.messages(C_APPROVALS)]).toEqual([2, []]);
    expect(whispers(s.ws, U_AGENT).map(shown).join()).not.toMatch(/sb_confirm|Nothing has been sent/);
  });

  it.each([
    ['lost the role', { SLACK_VIEWERS: ['*'] }, /This needs the role/],
    [
      'may not confirm in Slack',
      { SLACK_VIEWERS: ['*'], CONFIRM_VIA: ['page' as const] },
      /cannot be decided in Slack/,
    ],
  ])('is not applied by a writer who %s', async (why, settings, says) => {
    const s = await stage(settings);
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    const { ts } = await whisper(s.ws, U_AGENT, 'Only you see this');
    if (why === 'lost the role') {
      for (const id of [S_APPROVERS, S_OPERATORS]) s.ws.state.groups.get(id)?.users.splice(0);
      s.clock.skip(10_000);
      await click(s, U_AGENT, ts, 'sb_confirm');
    }
    await until(() => says.test(whispers(s.ws, U_AGENT).map(shown).join()), 'the refusal');
    await s.quiet();
    expect([cards(s.ws), await names(s)]).toEqual([[], 0]);
  });

  it('is cancelled by its writer, and declined by nobody', async () => {
    const s = await stage();
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    await click(s, U_AGENT, (await question(s)).ts, 'sb_withdraw');
    await whisper(s.ws, U_AGENT, 'Withdrawn: ');
    await s.type('/batch');
    await click(s, U_AGENT, (await whisper(s.ws, U_AGENT, 'Your batches')).ts, 'sb_batch_show_0');
    await whisper(s.ws, U_AGENT, 'The question was withdrawn before a person decided');
    expect([cards(s.ws), await names(s)]).toEqual([[], 0]);
  });

  it('that needs no yes runs where its plan was applied, on a card', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    const planned = await plan(s);
    expect(shown(planned)).toContain('Apply');
    expect(await names(s)).toBe(0);
    await Promise.all([1, 2].map(() => click(s, U_AGENT, planned.ts, 'sb_batchAsk')));
    await says(s, (await card(s.ws)).ts, /Done: 2 done/);
    expect([await names(s), whispers(s.ws, U_AGENT)]).toEqual([2, []]);
  });

  it('that is left when an approver has taken out what needs them is asked of its writer, where it was asked', async () => {
    const s = await stage();
    await s.type('/batch', 'numbers data-usage set');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    const list = `Number,LimitValue\n${phone(1)},90000\n${phone(3)},15`;
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
    await click(s, U_AGENT, (await plan(s)).ts, 'sb_batchAsk');
    await click(s, U_LEAD, (await card(s.ws)).ts, 'sb_leave');
    await leaveOut(s, U_LEAD, '2');
    await until(() => cards(s.ws).length === 2, 'the question of the writer');
    const left = await card(s.ws);
    expect(shown(left)).toMatch(/Asked by <@U000AGENT>.*Apply.*Edit.*Cancel/s);
    await click(s, U_AGENT, left.ts, 'sb_confirm');
    await says(s, left.ts, /Done: 1 done/);
  });

  it('of an assistant is read, thinned out and applied by any operator, and stopped by approvers', async () => {
    const s = await stage();
    const list = { numbers: [phone(1), phone(3), phone(4)] };
    await s.batches.create({ operation: 'numbers_update', list, shared: { CnamFirstName: 'Zed' } }, ASSISTANT);
    const { ts } = await card(s.ws, C_APPROVALS);
    await click(s, U_AGENT, ts, 'sb_rows');
    await until(() => JSON.stringify(s.ws.openViews(U_AGENT)).includes(phone(4)), 'the rows');
    await click(s, U_AGENT, ts, 'sb_leave');
    await leaveOut(s, U_AGENT, '3');
    await until(() => cards(s.ws, C_APPROVALS).length === 2, 'the new card');
    const next = await card(s.ws, C_APPROVALS);
    await s.control('faults', { path: '/v1.0/numbers/update', times: 1, hangMs: 1_000 });
    await click(s, U_AGENT, next.ts, 'sb_confirm');
    await until(() => shown(s.ws.message(next.ts)).includes('sb_stop'), 'the run');
    await click(s, U_AGENT, next.ts, 'sb_stop');
    await whisper(s.ws, U_AGENT, 'Only the requester of this batch and approvers can stop it', C_APPROVALS);
    await says(s, next.ts, /Done: 2 done/);
    await click(s, U_VIEW, next.ts, 'sb_rows');
    await whisper(s.ws, U_VIEW, 'Only its requester and approvers', C_APPROVALS);
    expect([await names(s), s.ws.openViews(U_VIEW)]).toEqual([2, []]);
  });
});

describe('the form of a plan', () => {
  it('whose list is sent twice stands once, and no message goes on saying that it waits', async () => {
    const s = await stage();
    const send = async (list: string[]) => {
      const before = whispers(s.ws, U_AGENT).length;
      await open(s);
      await s.ws.submit({ user: U_AGENT, values: { ...PARK, batch_list: list.join('\n') } });
      await until(() => /sb_batchAsk/.test(shown(whispers(s.ws, U_AGENT)[before])), 'the plan');
      return whispers(s.ws, U_AGENT)[before]?.ts ?? '';
    };
    const first = await send([phone(1), phone(3)]);
    const second = await send([phone(3), phone(1)]);
    expect(shown(s.ws.message(first))).not.toMatch(/sb_batchAsk|Nobody has been asked/);
    // A press that was on its way when the plan moved.
    const old = objects(s.ws.message(second)?.blocks).filter(({ type }) => type === 'actions');
    await click(s, U_AGENT, second, 'sb_batchAsk');
    const { ts } = await card(s.ws);
    s.ws.message(first)?.blocks.push(...(structuredClone(old) as typeof old));
    await click(s, U_AGENT, first, 'sb_batchAsk');
    await s.quiet();
    expect(cards(s.ws)).toHaveLength(1);
    await click(s, U_LEAD, ts, 'sb_confirm');
    await says(s, ts, /Done: 2 done/);
    expect(whispers(s.ws, U_AGENT).map(shown).join()).not.toMatch(/Nothing has been sent|waits for a yes/);
  });

  it('has every value of the list that is edited, or says that the list does not fit', async () => {
    const s = await stage();
    const listed = () => {
      const form = objects(s.ws.openViews(U_AGENT).at(-1)?.definition.blocks);
      return record(form.find(({ block_id: id }) => id === 'batch_list')?.element).initial_value;
    };
    const list = `Number,LimitValue\n${phone(1)},300\n${phone(3)},400`;
    await s.type('/batch', 'numbers data-usage set');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
    await click(s, U_AGENT, (await whisper(s.ws, U_AGENT, 'sb_batchEdit')).ts, 'sb_batchEdit');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(listed()).toBe(list);
    await s.ws.closeView({ user: U_AGENT });

    await s.type('/batch', `numbers status ${Array.from({ length: 240 }, (_, at) => phone(at)).join(' ')}`);
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toContain('Its list is too long for this form');
    expect(listed()).toBeUndefined();
  });

  it('removes what the command removes', async () => {
    const s = await stage();
    await s.type('/batch', `numbers data-usage set NotifyValue= ${phone(1)} ${phone(3)}`);
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toContain('Notify at: removed');
    await s.ws.submit({ user: U_AGENT, values: { LimitValue: '90000' } });
    const asks = await whisper(s.ws, U_AGENT, 'sb_batchEdit');
    const [question] = await s.gate.actions.list({ states: ['pending'] });
    expect(question?.shown.Fields).toMatchObject({ LimitValue: 90_000, NotifyValue: null });
    await click(s, U_AGENT, asks.ts, 'sb_batchEdit');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toContain('Notify at: removed');
  });

  it('edits nothing once the batch was asked about and confirmed', async () => {
    const s = await stage();
    await open(s);
    await sendFile(s, [phone(1), phone(3)].join('\n'));
    const { ts } = await plan(s);
    await click(s, U_AGENT, ts, 'sb_batchEdit');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    await click(s, U_AGENT, ts, 'sb_batchAsk');
    await click(s, U_LEAD, (await card(s.ws)).ts, 'sb_confirm');
    const states = async () => (await s.batches.list(LEAD)).map(({ state }) => state);
    await until(async () => String(await states()) === 'done', 'it has run');
    const answer = await s.ws.submit({ user: U_AGENT, values: { batch_list: phone(4) } });
    expect(JSON.stringify(answer)).toContain('This batch was confirmed and has begun');
    expect(await states()).toEqual(['done']);
  });
});

describe('the question about a batch in Slack', () => {
  it('leaves rows out by a new question; the window cannot add rows, and the old card decides nothing', async () => {
    const s = await stage();
    const { ts } = await asked(s, [1, 3, 4, 7].map(phone).join('\n'));
    await click(s, U_VIEW, ts, 'sb_leave');
    await whisper(s.ws, U_VIEW, 'Only its requester and approvers');
    const leave = async (...rows: (number | string)[]) => {
      await click(s, U_LEAD, ts, 'sb_leave');
      await until(() => s.ws.openViews(U_LEAD).length === 1, 'the window');
      const options = rows.map((row) => ({ text: { type: 'plain_text', text: 'x' }, value: String(row) }));
      const chosen = { type: 'multi_static_select', selected_options: options };
      return s.ws.submit({ user: U_LEAD, values: { batch_leave: chosen } });
    };
    // Rows that are not in the list, or are left out already.
    for (const rows of [[5], [4], [1, 99], ['x'], [1, 2, 3], []])
      expect(await leave(...rows)).toMatchObject({ errors: { batch_leave: expect.any(String) } });
    expect(cards(s.ws)).toHaveLength(1);

    await leave(2);
    await until(() => cards(s.ws).length === 2, 'the new card');
    const next = cards(s.ws).at(-1)?.ts ?? '';
    await until(() => /Declined by.*1 row was left out/s.test(shown(s.ws.message(ts))), 'the old card is settled');
    expect(shown(s.ws.message(ts))).not.toContain('sb_confirm');
    expect(shown(s.ws.message(next))).toContain('2 numbers');
    // The requester is the same, so the person who left rows out may confirm.
    expect(shown(s.ws.message(next))).toContain(`Asked by <@${U_AGENT}>`);
    await click(s, U_LEAD, ts, 'sb_confirm');
    await s.settled();
    expect(await s.requests(STATUS)).toHaveLength(0);
    const { id = '' } = (await s.gate.actions.list({ states: ['declined'] }))[0] ?? {};
    const late = await pressOld(s, ts, 'sb_confirm', id);
    expect(late).toMatch(/was already declined by .*U000LEAD.*"date".*Another batch is asked about in its place/s);
    await click(s, U_LEAD, next, 'sb_confirm');
    await says(s, next, /Done: 2 done/);
  });

  it('is confirmed by a second person, and its card goes on after a restart', async () => {
    const s = await stage({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    const { ts } = await asked(s, [1, 3, 4].map(phone).join('\n'));
    await click(s, U_AGENT, ts, 'sb_confirm');
    await whisper(s.ws, U_AGENT, 'another approver');
    expect(await s.requests(STATUS)).toHaveLength(0);
    await click(s, U_LEAD, ts, 'sb_confirm');
    await until(() => shown(s.ws.message(ts)).includes('running:'), 'the batch runs');
    await s.slack.close();
    expect(shown(s.ws.message(ts))).not.toContain('Done');
    await s.again({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    expect(await says(s, ts, /Done: 3 done/)).toContain(`confirmed by <@${U_LEAD}>`);
  });

  it('is confirmed in the window with all rows if the card does not show them', async () => {
    const s = await stage();
    await s.type('/batch', 'message outbound', U_AGENT);
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    const numbers = Array.from({ length: 110 }, (_, i) => `+1212555${1000 + i}`);
    const file = s.ws.state.files.add({ name: 'to.csv', data: Buffer.from(numbers.join('\n')), user: U_AGENT });
    const batch_file = { type: 'file_input', files: [s.ws.state.files.payload(file)] };
    const From = { user: U_AGENT, view: true as const, actionId: 'sb_pick', blockId: 'From' };
    await s.ws.suggest({ ...From, value: phone(1) });
    const values = { From: phone(1), Body: 'The shop is closed today.', batch_file };
    const sent = await s.ws.submit({ user: U_AGENT, values });
    expect(sent.outcome, JSON.stringify(sent)).toBe('acked');
    await click(s, U_AGENT, (await plan(s)).ts, 'sb_batchAsk');
    const { ts } = await card(s.ws);
    await s.settled();
    const question = shown(s.ws.message(ts));
    expect(question).not.toContain('sb_confirm');
    await click(s, U_LEAD, ts, 'sb_everything');
    await until(() => s.ws.openViews(U_LEAD).length === 1, 'the window');
    const window = JSON.stringify(s.ws.openViews(U_LEAD)[0]?.definition.blocks);
    expect(window).toContain('sb_confirm');
    expect(numbers.filter((number) => !window.includes(number))).toEqual([]);
  });
});
