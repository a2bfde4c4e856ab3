import { expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { C_SUPPORT, shown, U_AGENT, U_OTHER, U_VIEW, until, whisper } from '../support.ts';
import { answers, heard, talking } from '../talking.ts';

it('counts the opinion of every reader who has a role, each with a reason, and of nobody else', async () => {
  const s = await talking();
  s.model.answers({ text: 'It is 42.' });
  const thread = await s.say('what is it?', { channel: C_SUPPORT });
  await heard(s, thread, 'sb_feedback');
  const answer = answers(s, thread).find((one) => shown(one).includes('sb_feedback'));
  const [{ value } = { value: '' }] = objects(answer?.blocks)
    .flatMap(({ elements }) => objects(elements))
    .filter(({ type }) => type === 'feedback_buttons')
    .map(({ negative_button: button }) => button as { value: string });
  const judged = async (user: string) => {
    await s.ws.click({ user, messageTs: answer?.ts ?? '', actionId: 'sb_feedback', blockId: 'feedback', value });
    await s.settled();
  };
  const messages = () => s.assistant.messages(`slack/${thread.channel}/${thread.ts}`);

  await judged(U_OTHER);
  await whisper(s.ws, U_OTHER, 'belongs to another workspace');
  expect(s.ws.openViews(U_OTHER)).toEqual([]);
  expect((await messages()).at(-1)?.feedback).toBeUndefined();

  for (const [user, reason] of [
    [U_AGENT, 'It names no unit.'],
    [U_VIEW, 'It is wrong.'],
  ] as const) {
    await judged(user);
    await until(() => s.ws.openViews(user).length === 1, 'the window');
    const block = objects(s.ws.openViews(user)[0]?.definition.blocks).find(({ type }) => type === 'input');
    await s.ws.submit({ user, values: { [String(block?.block_id)]: reason } });
    await s.settled();
  }
  expect((await messages()).at(-1)).toMatchObject({ feedback: 'bad', reason: 'It names no unit.\nIt is wrong.' });
});
