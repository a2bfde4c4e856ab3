import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import type { Actor } from '../../../../src/lib/actor.ts';
import { asked, click, open, PARK, phone, plan, STATUS, says, sendFile } from '../batching.ts';
import {
  ASSISTANT,
  C_APPROVALS,
  C_SUPPORT,
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
} from '../support.ts';

const LEAD: Actor = { id: 'lead', name: 'Lee', role: 'approver', surface: 'page', priority: 'person' };

/** The answer to a press of a button that the card had before, and that its reader still sees. */
async function pressOld(s: Stage, ts: string, actionId: string, value: string): Promise<string> {
  await s.settled();
  const before = s.whispers(U_LEAD).length;
  const old = { type: 'button', action_id: actionId, text: { type: 'plain_text', text: 'x' }, value };
  s.ws.message(ts)?.blocks.push({ type: 'actions', block_id: `old ${actionId}`, elements: [old] });
  await s.ws.click({ user: U_LEAD, messageTs: ts, actionId, blockId: `old ${actionId}` });
  await s.settled();
  return shown(s.whispers(U_LEAD)[before]);
}

describe('a batch in Slack', () => {
  it('goes from a CSV with five bad lines over one question to its results', async () => {
    const s = await stage();
    const bad = ['12', phone(1), phone(7), phone(99), '=HYPERLINK("http://x")'];
    const csv = ['Phone', phone(1), phone(3), phone(4), ...bad].join('\n');
    const { ts } = await asked(s, csv);
    const question = s.shows(ts);
    expect(question).toContain('3 numbers');
    expect(question).toContain('5 left out');
    for (const target of [phone(3), phone(7), phone(99)]) expect(question).toContain(target);
    expect(await s.requests(STATUS)).toHaveLength(0);

    // A viewer and the requester are refused; nothing runs.
    for (const user of [U_VIEW, U_AGENT]) await s.press(ts, 'sb_confirm', user);
    await s.settled();
    expect(await s.requests(STATUS)).toHaveLength(0);

    await s.press(ts, 'sb_confirm');
    const done = await says(s, ts, /Done: 3 done, 5 left out/);
    expect(done).toContain('sb_results');
    expect(done).toContain('Active → Parked');
    // The first row alone, then two in one request.
    expect(await s.requests(STATUS)).toHaveLength(2);

    await s.press(ts, 'sb_results', U_VIEW);
    await s.whisper('Only its requester and approvers', U_VIEW);
    await s.press(ts, 'sb_results', U_AGENT);
    await until(() => s.ws.calls('files.completeUploadExternal').length === 1, 'the file');
    await s.settled();
    const shared = s.ws.calls('files.completeUploadExternal').at(-1);
    const [{ id = '', title } = {}] = objects(shared?.response.files);
    expect(String(title)).toMatch(/^Results: Park/);
    // It is one message, in the thread of the card.
    expect(shared?.args).toMatchObject({ thread_ts: ts });
    expect(s.ws.messages(s.ws.state.im(U_AGENT).id)).toEqual([]);
    expect(s.whispered()).not.toContain('CSV');
    const sent = String(s.ws.state.files.find(String(id))?.data);
    expect(sent).toContain(`3,4,${phone(4)},done`);
    expect(sent).not.toMatch(/(^|,)"?=/m);

    await s.opens(ts, 'sb_rows');
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
    expect([s.cards(), await s.gate.actions.list({ states: ['pending'] })]).toEqual([[], []]);
    // It is the question that will be asked: the customer, the day, and why a row is left out.
    for (const text of ['Ava Stone · Acme Mobile', 'Effective date', `Line 3 (${phone(7)}): is cancelled.`])
      expect(shown(first)).toContain(text);
    expect(shown(first)).not.toContain('Leave it out');
    const window = await s.opens(first, 'sb_leave');
    expect(window).toContain('takes the place of this one');
    await s.ws.closeView({ user: U_AGENT });

    await s.opens(first, 'sb_batchEdit');
    const form = objects(s.ws.openViews(U_AGENT)[0]?.definition.blocks);
    const listed = record(form.find(({ block_id: id }) => id === 'batch_list')?.element);
    expect(listed.initial_value).toBe([phone(1), phone(3), phone(7)].join('\n'));
    await s.ws.submit({ user: U_AGENT, values: { batch_list: [phone(1), phone(3), phone(4)].join('\n') } });
    const states = async () => (await s.batches.list(LEAD)).map(({ state }) => state);
    await until(
      async () => String(await states()) === 'planned,stopped',
      'the new list takes the place of the old one',
    );
    const edited = () => s.whispers().findLast((one) => shown(one).includes('sb_batchAsk'));
    await until(() => shown(edited()).includes('3 of 3 rows are ready'), 'the new plan');

    await click(s, U_AGENT, edited()?.ts ?? '', 'sb_stop');
    await until(async () => String(await states()) === 'stopped,stopped', 'it is discarded');
    expect([s.cards(), await s.requests(STATUS)]).toEqual([[], []]);
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
    await s.form('/batch', 'numbers update CnamFirstName=Zed');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
  };
  const names = async (s: Stage) => (await s.requests('numbers/update')).length;
  const question = (s: Stage) => s.whisper('sb_confirm');

  it('is asked of its writer alone, who may edit it, leave rows out, and apply it where it then runs', async () => {
    const s = await stage();
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    const first = await question(s);
    for (const text of ['Apply', 'sb_batchEdit', 'Cancel', 'sb_leave', 'sb_rows', 'Zed', 'Only you see this'])
      expect(shown(first)).toContain(text);
    expect(shown(first)).not.toMatch(/sb_batchAsk|sb_decline|Nobody was told/);

    await s.opens(first, 'sb_batchEdit');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: [phone(1), phone(3), phone(4)].join('\n') } });
    await until(async () => shown(await question(s)).includes('3 numbers'), 'the question about the new list');
    await s.press(await question(s), 'sb_leave', U_AGENT);
    await leaveOut(s, U_AGENT, '3');
    await until(async () => shown(await question(s)).includes('2 numbers'), 'the question about the other rows');
    await s.quiet();
    expect([s.cards(), await names(s), s.ws.messages(C_APPROVALS)]).toEqual([[], 0, []]);
    expect(await s.gate.actions.list({ states: ['pending'] })).toHaveLength(1);

    await s.press(await question(s), 'sb_confirm', U_AGENT);
    const ran = await s.card();
    expect(await says(s, ran.ts, /Done: 2 done/)).toContain(`<@${U_AGENT}>`);
    expect(ran.channel).toBe(C_SUPPORT);
    expect([await names(s), s.ws.messages(C_APPROVALS)]).toEqual([2, []]);
    expect(s.whispered()).not.toMatch(/sb_confirm|Nothing has been sent/);
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
    const { ts } = await s.whisper('Only you see this');
    if (why === 'lost the role') {
      for (const id of [S_APPROVERS, S_OPERATORS]) s.ws.state.groups.get(id)?.users.splice(0);
      s.clock.skip(10_000);
      await s.press(ts, 'sb_confirm', U_AGENT);
    }
    await until(() => says.test(s.whispered()), 'the refusal');
    await s.quiet();
    expect([s.cards(), await names(s)]).toEqual([[], 0]);
  });

  it('is cancelled by its writer, and declined by nobody', async () => {
    const s = await stage();
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    await s.press(await question(s), 'sb_withdraw', U_AGENT);
    await s.whisper('Withdrawn: ');
    await s.type('/batch');
    await s.press(await s.whisper('Your batches'), 'sb_batch_show_0', U_AGENT);
    await s.whisper('The question was withdrawn before a person decided');
    expect([s.cards(), await names(s)]).toEqual([[], 0]);
  });

  it('that needs no yes runs where its plan was applied, on a card', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await openOwn(s, [phone(1), phone(3)].join('\n'));
    const planned = await plan(s);
    expect(shown(planned)).toContain('Apply');
    expect(await names(s)).toBe(0);
    await Promise.all([1, 2].map(() => click(s, U_AGENT, planned.ts, 'sb_batchAsk')));
    await says(s, (await s.card()).ts, /Done: 2 done/);
    expect([await names(s), s.whispers()]).toEqual([2, []]);
  });

  it('that is left when an approver has taken out what needs them is asked of its writer, where it was asked', async () => {
    const s = await stage();
    await s.form('/batch', 'numbers data-usage set');
    const list = `Number,LimitValue\n${phone(1)},90000\n${phone(3)},15`;
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
    await s.press(await plan(s), 'sb_batchAsk', U_AGENT);
    await s.press(await s.card(), 'sb_leave');
    await leaveOut(s, U_LEAD, '2');
    await until(() => s.cards().length === 2, 'the question of the writer');
    const left = await s.card();
    expect(shown(left)).toMatch(/Asked by <@U000AGENT>.*Apply.*Edit.*Cancel/s);
    await s.press(left, 'sb_confirm', U_AGENT);
    await says(s, left.ts, /Done: 1 done/);
  });

  it('of an assistant is read, thinned out and applied by any operator, and stopped by approvers', async () => {
    const s = await stage();
    const list = { numbers: [phone(1), phone(3), phone(4)] };
    await s.batches.create({ operation: 'numbers_update', list, shared: { CnamFirstName: 'Zed' } }, ASSISTANT);
    const { ts } = await s.card(C_APPROVALS);
    await s.press(ts, 'sb_rows', U_AGENT);
    await until(() => JSON.stringify(s.ws.openViews(U_AGENT)).includes(phone(4)), 'the rows');
    await s.press(ts, 'sb_leave', U_AGENT);
    await leaveOut(s, U_AGENT, '3');
    await until(() => s.cards(C_APPROVALS).length === 2, 'the new card');
    const next = await s.card(C_APPROVALS);
    await s.control('faults', { path: '/v1.0/numbers/update', times: 1, hangMs: 1_000 });
    await s.press(next, 'sb_confirm', U_AGENT);
    await s.says(next.ts, 'sb_stop');
    await s.press(next, 'sb_stop', U_AGENT);
    await s.whisper('Only the requester of this batch and approvers can stop it', U_AGENT, C_APPROVALS);
    await says(s, next.ts, /Done: 2 done/);
    await s.press(next, 'sb_rows', U_VIEW);
    await s.whisper('Only its requester and approvers', U_VIEW, C_APPROVALS);
    expect([await names(s), s.ws.openViews(U_VIEW)]).toEqual([2, []]);
  });
});

describe('the form of a plan', () => {
  it('whose list is sent twice stands once, and no message goes on saying that it waits', async () => {
    const s = await stage();
    const send = async (list: string[]) => {
      const before = s.whispers().length;
      await open(s);
      await s.ws.submit({ user: U_AGENT, values: { ...PARK, batch_list: list.join('\n') } });
      await until(() => /sb_batchAsk/.test(shown(s.whispers()[before])), 'the plan');
      return s.whispers()[before]?.ts ?? '';
    };
    const first = await send([phone(1), phone(3)]);
    const second = await send([phone(3), phone(1)]);
    expect(s.shows(first)).not.toMatch(/sb_batchAsk|Nobody has been asked/);
    // A press that was on its way when the plan moved.
    const old = objects(s.ws.message(second)?.blocks).filter(({ type }) => type === 'actions');
    await s.press(second, 'sb_batchAsk', U_AGENT);
    const { ts } = await s.card();
    s.ws.message(first)?.blocks.push(...(structuredClone(old) as typeof old));
    await s.press(first, 'sb_batchAsk', U_AGENT);
    await s.quiet();
    expect(s.cards()).toHaveLength(1);
    await s.press(ts, 'sb_confirm');
    await says(s, ts, /Done: 2 done/);
    expect(s.whispered()).not.toMatch(/Nothing has been sent|waits for a yes/);
  });

  it('has every value of the list that is edited, or says that the list does not fit', async () => {
    const s = await stage();
    const listed = () => {
      const form = objects(s.ws.openViews(U_AGENT).at(-1)?.definition.blocks);
      return record(form.find(({ block_id: id }) => id === 'batch_list')?.element).initial_value;
    };
    const list = `Number,LimitValue\n${phone(1)},300\n${phone(3)},400`;
    await s.form('/batch', 'numbers data-usage set');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
    await s.press(await s.whisper('sb_batchEdit'), 'sb_batchEdit', U_AGENT);
    await s.opened();
    expect(listed()).toBe(list);
    await s.ws.closeView({ user: U_AGENT });

    expect(
      await s.form('/batch', `numbers status ${Array.from({ length: 240 }, (_, at) => phone(at)).join(' ')}`),
    ).toContain('Its list is too long for this form');
    expect(listed()).toBeUndefined();
  });

  it('removes what the command removes', async () => {
    const s = await stage();
    expect(await s.form('/batch', `numbers data-usage set NotifyValue= ${phone(1)} ${phone(3)}`)).toContain(
      'Notify at: removed',
    );
    await s.ws.submit({ user: U_AGENT, values: { batch_LimitValue: '90000' } });
    const asks = await s.whisper('sb_batchEdit');
    const [question] = await s.gate.actions.list({ states: ['pending'] });
    expect(question?.shown.Fields).toMatchObject({ LimitValue: 90_000, NotifyValue: null });
    expect(await s.opens(asks, 'sb_batchEdit')).toContain('Notify at: removed');
  });

  it('edits nothing once the batch was asked about and confirmed', async () => {
    const s = await stage();
    await open(s);
    await sendFile(s, [phone(1), phone(3)].join('\n'));
    const { ts } = await plan(s);
    await s.opens(ts, 'sb_batchEdit');
    await s.press(ts, 'sb_batchAsk', U_AGENT);
    await s.confirm();
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
    await s.press(ts, 'sb_leave', U_VIEW);
    await s.whisper('Only its requester and approvers', U_VIEW);
    const leave = async (...rows: (number | string)[]) => {
      await s.opens(ts, 'sb_leave', U_LEAD);
      const options = rows.map((row) => ({ text: { type: 'plain_text', text: 'x' }, value: String(row) }));
      const chosen = { type: 'multi_static_select', selected_options: options };
      return s.ws.submit({ user: U_LEAD, values: { batch_leave: chosen } });
    };
    // Rows that are not in the list, or are left out already.
    for (const rows of [[5], [4], [1, 99], ['x'], [1, 2, 3], []])
      expect(await leave(...rows)).toMatchObject({ errors: { batch_leave: expect.any(String) } });
    expect(s.cards()).toHaveLength(1);

    await leave(2);
    await until(() => s.cards().length === 2, 'the new card');
    const next = s.cards().at(-1)?.ts ?? '';
    await s.says(ts, /Declined by.*1 row was left out/s);
    expect(s.shows(ts)).not.toContain('sb_confirm');
    expect(s.shows(next)).toContain('2 numbers');
    // The requester is the same, so the person who left rows out may confirm.
    expect(s.shows(next)).toContain(`Asked by <@${U_AGENT}>`);
    await s.press(ts, 'sb_confirm');
    await s.settled();
    expect(await s.requests(STATUS)).toHaveLength(0);
    const { id = '' } = (await s.gate.actions.list({ states: ['declined'] }))[0] ?? {};
    const late = await pressOld(s, ts, 'sb_confirm', id);
    expect(late).toMatch(/was already declined by .*U000LEAD.*"date".*Another batch is asked about in its place/s);
    await s.press(next, 'sb_confirm');
    await says(s, next, /Done: 2 done/);
  });

  it('is confirmed by a second person, and its card goes on after a restart', async () => {
    const s = await stage({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    const { ts } = await asked(s, [1, 3, 4].map(phone).join('\n'));
    await s.press(ts, 'sb_confirm', U_AGENT);
    await s.whisper('another approver');
    expect(await s.requests(STATUS)).toHaveLength(0);
    await s.press(ts, 'sb_confirm');
    await s.says(ts, 'running:');
    await s.slack.close();
    expect(s.shows(ts)).not.toContain('Done');
    await s.again({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    expect(await says(s, ts, /Done: 3 done/)).toContain(`confirmed by <@${U_LEAD}>`);
  });

  it('is confirmed in the window with all rows if the card does not show them', async () => {
    const s = await stage();
    await s.form('/batch', 'message outbound', U_AGENT);
    const numbers = Array.from({ length: 110 }, (_, i) => `+1212555${1000 + i}`);
    const file = s.ws.state.files.add({ name: 'to.csv', data: Buffer.from(numbers.join('\n')), user: U_AGENT });
    const batch_file = { type: 'file_input', files: [s.ws.state.files.payload(file)] };
    const From = { user: U_AGENT, view: true as const, actionId: 'sb_pick', blockId: 'batch_From' };
    await s.ws.suggest({ ...From, value: phone(1) });
    const values = { batch_From: phone(1), batch_Body: 'The shop is closed today.', batch_file };
    const sent = await s.ws.submit({ user: U_AGENT, values });
    expect(sent.outcome, JSON.stringify(sent)).toBe('acked');
    await s.press(await plan(s), 'sb_batchAsk', U_AGENT);
    const { ts } = await s.card();
    await s.settled();
    const question = s.shows(ts);
    expect(question).not.toContain('sb_confirm');
    await s.opens(ts, 'sb_everything', U_LEAD);
    const window = JSON.stringify(s.ws.openViews(U_LEAD)[0]?.definition.blocks);
    expect(window).toContain('sb_confirm');
    expect(numbers.filter((number) => !window.includes(number))).toEqual([]);
  });
});
