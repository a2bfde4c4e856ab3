import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsOf, secretNames } from '../../../../src/catalogue/input.ts';
import { isGated, type Tool } from '../../../../src/catalogue/operation.ts';
import type { Given } from '../../../../src/demo/playground/forms.ts';
import { checkView } from '../../../../src/demo/playground/limits.ts';
import { objects } from '../../../../src/demo/playground/types.ts';
import { inputLine } from '../../../../src/language/help.ts';
import { formView, readForm } from '../../../../src/surfaces/slack/blocks/form.ts';
import { createReworder } from '../../../../src/surfaces/slack/people/roles.ts';
import { tools } from '../../../../tools/index.ts';
import { C_SUPPORT, U_LEAD, U_VIEW } from '../ids.ts';
import { choose, record, type Stage, sharedStage, shown, until } from '../support.ts';

/** Types an example into an open form as a person would, typeahead included. */
async function fill(s: Stage, user: string, input: Record<string, unknown>): Promise<Record<string, Given>> {
  await choose(s, user, input);
  return s.fills((path, type) => {
    const value = path.split('.').reduce<unknown>((at, key) => record(at)[key], input);
    return value === undefined ? undefined : entered(type, value);
  }, user);
}

function entered(type: string, value: unknown): Given {
  if (type === 'datepicker') {
    const us = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(String(value));
    return us ? `${us[3]}-${us[1]}-${us[2]}` : String(value);
  }
  if (type === 'multi_static_select') return (value as unknown[]).map(String);
  if (type === 'checkboxes' && typeof value === 'string') return value.split(/\s*,\s*/);
  if (type === 'checkboxes') return value === true ? ['true'] : [];
  if (Array.isArray(value)) {
    const plain = value.map((item) => (typeof item === 'object' ? Object.values(record(item)) : [item]));
    return plain.every((row) => row.length === 1)
      ? plain.map(([only]) => String(only)).join('\n')
      : JSON.stringify(value);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the results that a user was shown: answers, refusals of the platform, and cards. */
const answers = (s: Stage, user: string) =>
  s.ws
    .messages(C_SUPPORT, { visibleTo: user })
    .filter((message) => !/Looking that up|Working on it/.test(message.text));

/** The newest answer, once there are more than `before`. */
async function outcome(s: Stage, user: string, before = 0): Promise<string> {
  const isThere = () => answers(s, user).length > before;
  await until(isThere, `an answer; views ${s.ws.openViews(user).length}; log ${s.logged.join('\n')}`);
  await s.settled();
  return shown(answers(s, user).at(-1));
}

/** Lines of the log about something that went wrong. The platform may refuse an example: that is no fault. */
function faults(s: Stage): string[] {
  return s.logged.filter(
    (entry) => /failed|could not|did not accept/.test(entry) && !entry.includes('platform call failed'),
  );
}

/** The files of a folder that contain a text. */
const filesWith = (dir: string, text: string) =>
  readdirSync(dir).filter((name) => readFileSync(join(dir, name), 'latin1').includes(text));

const cases = tools.map((tool) => [tool.id, tool] as const);
const stageOf = sharedStage();

it('a list of records offers viewers nothing that they may not ask for', async () => {
  const s = stageOf();
  /** The sentences of the list in the newest answer, and the texts of the menu beside each. */
  const listed = async (user: string) => {
    await s.type('/account', 'packages', user);
    const { blocks } = await s.whisper('1 package', user);
    return objects(blocks).flatMap(({ type, text, accessory }) => {
      const menu = objects(record(accessory).options).map((option) => String(record(option.text).text));
      return type === 'section' ? [[String(record(text).text), menu]] : [];
    });
  };
  expect(await listed(U_VIEW)).toEqual([['Starter · 15 USD a month', ['Package details']]]);
  expect((await listed(U_LEAD))[0]?.[1]).toHaveLength(2);
});

describe.each(cases)('%s', (_id, tool: Tool) => {
  const example = tool.examples[0] ?? {};
  const secret = [...secretNames([tool])].some((name) => name in example);

  it('runs by form, and by command', async () => {
    const s = stageOf();
    await s.form(`/${tool.group}`, `${inputLine(tool, {})} form`, U_LEAD);
    const values = await fill(s, U_LEAD, example);
    const sent = await s.ws.submit({ user: U_LEAD, values });
    expect(sent, JSON.stringify(sent.errors ?? sent.reason)).toMatchObject({ outcome: 'acked', body: '' });
    const text = await outcome(s, U_LEAD);
    expect(text).not.toContain('log has the details');
    for (const name of secretNames([tool])) {
      const value = example[name];
      if (typeof value !== 'string' || value.length < 5) continue;
      expect(s.ws.bytesFromApp().filter((sent) => sent.text.includes(value))).toEqual([]);
      expect(s.logged.join('\n')).not.toContain(value);
      expect(filesWith(s.dir, value)).toEqual([]);
    }
    expect(faults(s)).toEqual([]);

    await s.control('reset', { keepTokens: true });
    await s.control('settings', { requestsPerMinute: 10_000 });
    const before = answers(s, U_LEAD).length;
    const line = inputLine(tool, example, { secrets: false });
    const words = line.split(' ');
    expect(words.length).toBeGreaterThan(0);
    const ack = await s.type(`/${tool.group}`, line, U_LEAD);
    expect(ack).toMatchObject({ outcome: 'acked', status: 200 });
    expect(ack.ackMs, 'Slack waits three seconds').toBeLessThan(2_500);
    if (secret && ack.body === '') {
      // The form asks for a required secret.
      await s.opened(U_LEAD);
      return;
    }
    const typed = await outcome(s, U_LEAD, before);
    expect(typed).not.toContain('log has the details');
    if (isGated(tool)) expect(typed).toMatch(/waits for an approver|not done|not asked a second time/);
    expect(s.ws.warnings()).toEqual([]);
    expect(faults(s)).toEqual([]);
  });

  it('has a form within Slack’s limits, also when prefilled', () => {
    const fields = fieldsOf(tool);
    for (const values of [{}, ...tool.examples]) {
      const view = formView({
        tool,
        values,
        state: { flow: 'form', operation: tool.id, channel: 'C123' },
        reworded: createReworder(tools),
        asksOwn: true,
      });
      expect(checkView(view)).toEqual([]);
      expect(objects(view.blocks).length).toBeLessThanOrEqual(100);
      expect(JSON.stringify(view).length).toBeLessThan(250_000);
      const inputs = objects(view.blocks).filter(({ type }) => type === 'input');
      for (const { hint, element } of inputs) {
        const { placeholder, initial_value } = record(element);
        const texts = [record(hint).text, record(placeholder).text, initial_value].map(String);
        expect(texts.filter((text) => /[[{]\s*["{]|JSON/.test(text))).toEqual([]);
      }
    }
    expect(readForm(fields, {})).toEqual({});
  });
});
