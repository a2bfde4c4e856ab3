import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { actorOf } from '../../../support/approval.ts';
import { asked, click, leaving, open, PARK, phone, plan, STATUS, says, sendFile, skipUntil } from '../batching.ts';
import { ASSISTANT, C_APPROVALS, C_SUPPORT, U_AGENT, U_LEAD, U_VIEW } from '../ids.ts';
import { record, type Stage, shown, stage, until } from '../support.ts';

/** The states of all batches, the newest first. */
const states = async (s: Stage) => String((await s.batches.list(actorOf('lead'))).map(({ state }) => state));
const lines = (...ends: number[]) => ends.map(phone).join('\n');

describe('a batch in Slack', () => {
  it('goes from a CSV with five bad lines over one question to its results', async () => {
    const s = await stage();
    const bad = ['12', phone(1), phone(7), phone(99), '=HYPERLINK("http://x")'];
    const csv = ['Phone', phone(1), phone(3), phone(4), ...bad].join('\n');
    const { ts } = await asked(s, csv);
    for (const text of ['3 numbers', '5 left out', phone(3), phone(7), phone(99)]) expect(s.shows(ts)).toContain(text);

    // A viewer and the requester are refused; nothing runs.
    for (const user of [U_VIEW, U_AGENT]) await s.press(ts, 'sb_confirm', user);
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
    expect(shared?.args).toMatchObject({ channel_id: s.ws.state.im(U_AGENT).id });
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
    await sendFile(s, lines(1, 3, 7));
    const first = await plan(s);
    expect(shown(first)).toContain('2 of 3 rows are ready, 1 left out. Nobody has been asked yet.');
    await s.settled();
    expect([s.cards(), await s.gate.actions.list({ states: ['pending'] })]).toEqual([[], []]);
    // It is the question that will be asked: the customer, the day, and why a row is left out.
    for (const text of ['Ava Stone · Acme Mobile', 'Effective date', `Line 3 (${phone(7)}): is cancelled.`])
      expect(shown(first)).toContain(text);
    expect(shown(first)).not.toContain('Leave it out');
    expect(await s.opens(first, 'sb_leave')).toContain('takes the place of this one');
    await s.ws.closeView({ user: U_AGENT });

    await s.opens(first, 'sb_batchEdit');
    expect(listed(s)).toBe(lines(1, 3, 7));
    await s.ws.submit({ user: U_AGENT, values: { batch_list: lines(1, 3, 4) } });
    const edited = await s.whisper(/3 of 3 rows are ready.*sb_batchAsk/s);
    // The new list takes the place of the old one.
    expect(await states(s)).toBe('planned,stopped');

    await s.press(edited, 'sb_stop', U_AGENT);
    await until(async () => (await states(s)) === 'stopped,stopped', 'it is discarded');
    expect([s.cards(), await s.requests(STATUS)]).toEqual([[], []]);
  });
});

/** The list in the open form. */
const listed = (s: Stage) => {
  const form = objects(s.ws.openViews(U_AGENT).at(-1)?.definition.blocks);
  return record(form.find(({ block_id: id }) => id === 'batch_list')?.element).initial_value;
};

/** Leaves one row out in the window that the button of a question opens. */
async function leaveOut(s: Stage, at: { ts: string }, user: string, row: string): Promise<void> {
  await s.opens(at, 'sb_leave', user, 'batch_leave');
  await s.ws.submit({ user, values: leaving(row) });
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
    await openOwn(s, lines(1, 3));
    const first = await question(s);
    for (const text of ['Apply', 'sb_batchEdit', 'Cancel', 'sb_leave', 'sb_rows', 'Zed', 'Only you see this'])
      expect(shown(first)).toContain(text);
    expect(shown(first)).not.toMatch(/sb_batchAsk|sb_decline|Nobody was told/);

    await s.opens(first, 'sb_batchEdit');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: lines(1, 3, 4) } });
    await until(async () => shown(await question(s)).includes('3 numbers'), 'the question about the new list');
    await leaveOut(s, await question(s), U_AGENT, '3');
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

  it('shows its end where it is asked, also after an edit that was refused', async () => {
    const s = await stage();
    await openOwn(s, lines(1, 3));
    const { ts } = await question(s);
    await s.opens(ts, 'sb_batchEdit');
    const refused = await s.ws.submit({ user: U_AGENT, values: { batch_list: phone(1) } });
    expect(JSON.stringify(refused)).toContain('batch_list');
    await s.ws.closeView({ user: U_AGENT });
    const [one] = await s.batches.list(actorOf('lead'));
    await s.batches.stop(one?.id ?? '', actorOf('lead'), 'page');
    await until(() => !s.shows(ts).includes('sb_confirm'), 'the end of the question');
  });

  it.each([
    ['lost the role', {}, /This needs the role/],
    ['may not confirm in Slack', { CONFIRM_VIA: ['page' as const] }, /cannot be decided in Slack/],
  ])('is not applied by a writer who %s', async (why, settings, says) => {
    const s = await stage({ SLACK_VIEWERS: ['*'], ...settings });
    await openOwn(s, lines(1, 3));
    const { ts } = await s.whisper('Only you see this');
    if (why === 'lost the role') {
      s.dismiss();
      await s.press(ts, 'sb_confirm', U_AGENT);
    }
    await until(() => says.test(s.whispered()), 'the refusal');
    await s.quiet();
    expect([s.cards(), await names(s)]).toEqual([[], 0]);
  });

  it('has no figures of its run where Slack takes its card later', async () => {
    const s = await stage();
    await openOwn(s, [1, 3].map(phone).join('\n'));
    const asked = await question(s);
    s.ws.fail('chat.postMessage', { status: 503 }, 9);
    await s.press(asked, 'sb_confirm', U_AGENT);
    expect(s.shows(asked)).toContain('it has begun. Its card follows');
    s.ws.clearFaults();
    await skipUntil(s, () => s.cards().length > 0, 'its card');
    await says(s, (await s.card()).ts, /Done: 2 done/);
  });

  it('is cancelled by its writer, and declined by nobody', async () => {
    const s = await stage();
    await openOwn(s, lines(1, 3));
    await s.press(await question(s), 'sb_withdraw', U_AGENT);
    await s.whisper('Withdrawn: ');
    await s.type('/batch');
    await s.press(await s.whisper('Your batches'), 'sb_batch_show_0', U_AGENT);
    await s.whisper('The question was withdrawn before a person decided');
    expect([s.cards(), await names(s)]).toEqual([[], 0]);
  });

  it('that needs no yes runs where its plan was applied, on a card', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await openOwn(s, lines(1, 3));
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
    await leaveOut(s, await s.card(), U_LEAD, '2');
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
    const asked = await s.card(C_APPROVALS);
    await s.opens(asked, 'sb_rows', U_AGENT, phone(4));
    await leaveOut(s, asked, U_AGENT, '3');
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
    const send = async (...list: number[]) => {
      const before = s.whispers().length;
      await open(s);
      await s.ws.submit({ user: U_AGENT, values: { ...PARK, batch_list: lines(...list) } });
      await until(() => /sb_batchAsk/.test(shown(s.whispers()[before])), 'the plan');
      return s.whispers()[before]?.ts ?? '';
    };
    const first = await send(1, 3);
    const second = await send(3, 1);
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
    const list = `Number,LimitValue,NotifyValue\n${phone(1)},300,null\n${phone(3)},400,350`;
    await s.form('/batch', 'numbers data-usage set');
    await s.ws.submit({ user: U_AGENT, values: { batch_list: list } });
    await s.opens(await s.whisper('sb_batchEdit'), 'sb_batchEdit');
    expect(listed(s)).toBe(list);
    await s.ws.closeView({ user: U_AGENT });

    expect(
      await s.form('/batch', `numbers status ${Array.from({ length: 240 }, (_, at) => phone(at)).join(' ')}`),
    ).toContain('Its list is too long for this form');
    expect(listed(s)).toBeUndefined();
  });

  it('removes what the command removes', async () => {
    const s = await stage();
    expect(await s.form('/batch', `numbers data-usage set NotifyValue= ${phone(1)} ${phone(3)}`)).toContain(
      'Notify at: removed',
    );
    await s.ws.submit({ user: U_AGENT, values: { LimitValue: '90000' } });
    const asks = await s.whisper('sb_batchEdit');
    expect((await s.pending()).shown.Fields).toMatchObject({ LimitValue: 90_000, NotifyValue: null });
    expect(await s.opens(asks, 'sb_batchEdit')).toContain('Notify at: removed');
  });

  it('takes the place of the question that is edited in one step: if it fails, the question stands alone', async () => {
    const s = await stage();
    const { ts } = await asked(s, lines(1, 3));
    const db = s.store.database('ledger');
    const stop = `BEFORE UPDATE OF state ON batches WHEN new.state = 'stopped'`;
    await db.run(`CREATE TRIGGER cut ${stop} BEGIN SELECT RAISE(ABORT, 'cut'); END`);
    const edit = async () => {
      await s.opens(ts, 'sb_batchEdit', U_AGENT);
      await s.ws.submit({ user: U_AGENT, values: { batch_list: lines(1, 3, 4) } });
      await s.quiet();
      return [await states(s), (await s.gate.actions.list({ states: ['pending'] })).length];
    };
    expect(await edit()).toEqual(['waiting', 1]);
    await db.run('DROP TRIGGER cut');
    expect(await edit()).toEqual(['planned,stopped', 0]);
  });

  it('edits nothing once the batch was asked about and confirmed', async () => {
    const s = await stage();
    await open(s);
    await sendFile(s, lines(1, 3));
    const { ts } = await plan(s);
    await s.opens(ts, 'sb_batchEdit');
    await s.press(ts, 'sb_batchAsk', U_AGENT);
    await s.confirm();
    await until(async () => (await states(s)) === 'done', 'it has run');
    const answer = await s.ws.submit({ user: U_AGENT, values: { batch_list: phone(4) } });
    expect(JSON.stringify(answer)).toContain('This batch was confirmed and has begun');
    expect(await states(s)).toBe('done');
  });
});

describe('the question about a batch in Slack', () => {
  it('leaves rows out by a new question; the window cannot add rows, and the old card decides nothing', async () => {
    const s = await stage();
    const { ts } = await asked(s, lines(1, 3, 4, 7));
    await s.press(ts, 'sb_leave', U_VIEW);
    await s.whisper('Only its requester and approvers', U_VIEW);
    const leave = async (...rows: string[]) => {
      await s.opens(ts, 'sb_leave', U_LEAD);
      return s.ws.submit({ user: U_LEAD, values: leaving(...rows) });
    };
    // Rows that are not in the list, or are left out already.
    for (const rows of [['5'], ['4'], ['1', '99'], ['x'], ['1', '2', '3'], []])
      expect(await leave(...rows)).toMatchObject({ errors: { batch_leave: expect.any(String) } });
    expect(s.cards()).toHaveLength(1);

    await leave('2');
    await until(() => s.cards().length === 2, 'the new card');
    const next = await s.card();
    expect(await s.says(ts, /Declined by.*1 row was left out/s)).not.toContain('sb_confirm');
    // The requester is the same, so the person who left rows out may confirm.
    for (const text of ['2 numbers', `Asked by <@${U_AGENT}>`]) expect(shown(next)).toContain(text);
    await s.press(ts, 'sb_confirm');
    await s.settled();
    expect(await s.requests(STATUS)).toHaveLength(0);
    const { id = '' } = (await s.gate.actions.list({ states: ['declined'] }))[0] ?? {};
    expect((await s.pressOld(ts, 'sb_confirm', id)).join()).toMatch(
      /declined by .*U000LEAD.*"date".*Another batch is asked about in its place/s,
    );
    await s.press(next, 'sb_confirm');
    await says(s, next.ts, /Done: 2 done/);
  });

  it('is confirmed by a second person, and its card goes on after a restart', async () => {
    const s = await stage({ CONFIRM_TWO_PERSON: true, SLACK_APPROVERS: [U_LEAD, U_AGENT] });
    const { ts } = await asked(s, lines(1, 3, 4));
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
    await s.form('/batch', 'message outbound');
    const numbers = Array.from({ length: 110 }, (_, i) => `+1212555${1000 + i}`);
    await s.suggest('From', phone(1));
    await sendFile(s, numbers.join('\n'), { From: phone(1), Body: 'The shop is closed today.' });
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
