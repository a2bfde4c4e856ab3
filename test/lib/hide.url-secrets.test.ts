import { expect, it } from 'vitest';
import { hideUrlSecrets, withoutUrlSecrets } from '../../src/lib/hide.ts';

it.each([
  ['https://bob:pw@a.example/x', 'https://«redacted»@a.example/x'],
  ['https://a.example/x?api_key=short&env=prod', 'https://a.example/x?api_key=«redacted»&env=prod'],
  ['https://a.example/x?sig=abc%2Bd;env=prod', 'https://a.example/x?sig=«redacted»;env=prod'],
  ['https://a.example/x?accessToken=abc', 'https://a.example/x?accessToken=«redacted»'],
  ['https://a.example/x?id=48213377', 'https://a.example/x?id=«redacted»'],
  ['https://a.example/x?env=prod#top', 'https://a.example/x?env=prod#top'],
  ['wss://a.example/x?session=abc', 'wss://a.example/x?session=«redacted»'],
  ['sip:line:pw@a.example', 'sip:line:«redacted»@a.example'],
  ['sip:line@a.example', 'sip:line@a.example'],
  ['a.example', 'a.example'],
])('%s is shown as %s', (url, shown) => {
  expect(hideUrlSecrets(url)).toBe(shown);
});

it('the rows of a change hide what their members hide', () => {
  const [before, after] = ['https://a.example/?token=one', 'https://b.example/?token=two'];
  expect(withoutUrlSecrets({ rows: [{ of: 'MRID-1', member: 'MessageUrl', before, after }] })).toEqual({
    rows: [
      {
        of: 'MRID-1',
        member: 'MessageUrl',
        before: 'https://a.example/?token=«redacted»',
        after: 'https://b.example/?token=«redacted»',
      },
    ],
  });
});

it('other texts keep their addresses', () => {
  const input = { Body: 'https://a.example/reset?token=abc', MmsMedia: [{ MediaUrl: 'https://a.example/?sig=abc' }] };
  expect(withoutUrlSecrets(input)).toEqual(input);
});
