import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../support/world.ts';
import type { Files } from './files.ts';
import { answerFiles } from './slack-answers.ts';

/* The answers of all operations, as people read them in Slack. */

describe('answers of all operations', () => {
  let world: World;
  let files: Files;
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all' });
    files = await answerFiles(world);
  });
  afterAll(() => world.close());

  /** Lines of values: "*Label*  value", and rows of tables. */
  const valueLines = () =>
    Object.entries(files).flatMap(([name, text]) =>
      text
        .split('\n')
        .filter((line) => /^\*|^\|/.test(line))
        .map((line) => `${name}: ${line}`),
    );

  it.each<[string, RegExp]>([
    ['a date as the platform writes it', /\d{4}-\d\d-\d\d|\d\d?\/\d\d?\/\d{4}/],
    ['true or false', /^(?!.*\*Warning\*).*\b(true|false)\b/i],
    ['null, an empty list or JSON', /\bnull\b|undefined|\[\]|\{(?!time\})/],
    ['a member name as a label', /\*[A-Z][a-z]+[A-Z]\w*\*/],
    ['a threshold without its unit', /\*(Limit|Notify at|Slow down at)\* {2}[\d.]+$/],
    ['the cost of a message without its currency', /^message_\w+\.txt: \*Cost\* {2}[\d.]+$/],
  ])('never show %s', (_, pattern) => {
    // The day of a change is shown as it was sent.
    const lines = valueLines().filter((line) => !/^numbers_status\.txt: \*Effective date\* {2}\d\d\//.test(line));
    expect(lines.filter((line) => pattern.test(line))).toEqual([]);
  });

  it('of a change show no empty member, unless the request was about it', () => {
    const empty = valueLines().filter(
      (line) => /\* {2}(none|–)?$/.test(line) && !/_get\.txt|numbers_lookup/.test(line),
    );
    expect([...new Set(empty)].sort()).toEqual([
      'subscribers_call_filter_allowed_numbers_remove.txt: *Allowed numbers*  none',
      'subscribers_call_filter_blocked_numbers_remove.txt: *Blocked numbers*  none',
      'subscribers_create.txt: *Phone numbers*  none',
      'subscribers_message_filter_allowed_contacts_remove.txt: *Allowed contacts*  none',
      'subscribers_message_filter_blocked_contacts_remove.txt: *Blocked contacts*  none',
    ]);
  });
});
