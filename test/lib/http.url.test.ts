import { expect, it } from 'vitest';
import { hasCredentials, isSafeUrl, plainHost, plainUrl } from '../../src/lib/http.ts';

// URL.canParse of Node 20.20 answers false for such URLs once it is compiled, after some thousands of calls.
it('reads a URL with é, ü or ñ in the same way however often it is called', () => {
  const answers = new Set<string>();
  for (let at = 0; at < 30_000; at += 1) {
    answers.add(plainUrl('https://exam\u00adple.com/hook'));
    answers.add(plainHost('münchen.de:5060'));
    answers.add(String(isSafeUrl('https://münchen.de/hook')));
    answers.add(String(hasCredentials('https://ana:secret@münchen.de/a')));
  }
  expect([...answers]).toEqual(['https://example.com/hook', 'xn--mnchen-3ya.de:5060', 'true']);
});
