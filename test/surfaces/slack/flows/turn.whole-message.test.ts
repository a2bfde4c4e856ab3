import { describe, expect, it } from 'vitest';
import { seeded as phone } from '../../../support/world.ts';
import { heard, talking } from '../talking.ts';

/* A message reaches its reader whole, or the answer says which part was left out. */

const lines = (count: number) => Array.from({ length: count }, (_, i) => `+1201555${1000 + i}`);

describe('a message with a long list', () => {
  it('that a model cannot read whole says so, and ends with a whole number', async () => {
    const s = await talking();
    s.model.answers({ text: 'I have read it.' });
    const list = lines(1_000).join(' ');
    const thread = await s.say(list);
    expect(await heard(s, thread, 'Only the first')).toContain(`of the ${list.length} characters`);
    const read = s.model.requests[0]?.text.match(/\+1201555\d*/g) ?? [];
    expect(read.length).toBeGreaterThan(900);
    expect(read.filter((one) => one.length !== phone(1).length)).toEqual([]);
  });
});
