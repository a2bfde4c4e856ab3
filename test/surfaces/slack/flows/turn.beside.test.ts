import { expect, it } from 'vitest';
import { seeded } from '../../../support/seed.ts';
import { ended, talking } from '../talking.ts';

it.fails('two forms of one operation for two lines are both below the answer that says so', async () => {
  const s = await talking();
  const form = (n: number, LimitValue: number) => ({
    name: 'form_open',
    input: { Operation: 'numbers_data_usage_set', Input: { PhoneNumbers: [{ Number: seeded(n) }], LimitValue } },
  });
  s.model.answers({ calls: [form(1, 300), form(3, 500)] }, { text: 'Both forms are below.' });
  const text = await ended(s, await s.say('300 MB for 0101 and 500 MB for 0103'));
  expect(text).toContain('500 MB');
  expect(text).toContain('300 MB');
});
