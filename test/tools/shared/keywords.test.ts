import { expect, it } from 'vitest';
import { keywordsText } from '../../../tools/shared/keywords.ts';

it.each([
  ['words', '{"CustomKeywords":["giveaway","loan"]}', 'flags giveaway, loan'],
  ['severities', '{"CustomKeywords":["loan"],"SeverityMap":{"loan":"HIGH"}}', 'flags loan (high)'],
  ['lists of the platform', '{"SystemKeywords":{"Fraud":["bank"]}}', 'flags the list “Fraud” (“bank”)'],
  ['no word', '{"CustomKeywords":[]}', 'flags no word'],
  ['without the outer braces', '"CustomKeywords":["loan"]', 'flags loan'],
  ['a member without words', '{"CustomKeywords":["loan"],"Action":"BLOCK"}', 'flags loan, “{"Action":"BLOCK"}”'],
  ['a list that is none', '{"SystemKeywords":{"Fraud":{"a":1}}}', 'flags the list “Fraud” (“{"a":1}”)'],
  ['no JSON', 'banned', '“banned”'],
])('keyword rules are shown whole: %s', (_what, rules, text) => {
  expect(keywordsText(rules)).toBe(text);
});
