/*
 * "Swap the SIM of 0105 to 8901…, and text her when it's done": nothing here waits for a change to be done. The order is
 * read without what is to follow it, and the answer says so.
 */

const THEN =
  /(?<=\d[^;!?]*?)[\s,;.]+(?:(?:and|then|also|please|pls|so)[\s,]+)*(?<what>(?:text|tell|notify|let|message|msg|inform|sms|call|ping|remind|update|email|e-mail)\s+(?:me|us|her|him|them|the\s+customer|\p{L}+)\b[^.;!?"“„:]{0,30}?\s(?:when(?:ever)?|once|after|as\s+soon\s+as)\s+(?:it(?:['’]?s|\s+(?:is|has|was))?|its|that(?:['’]?s|\s+is)?|this\s+is|everything(?:['’]?s|\s+is)?|the\s+\p{L}+\s+(?:is|has\s+been))\s*(?:been\s+)?(?:all\s+)?(?:done|finished|complete[d]?|through|ready|active|live|swapped|over|gone\s+through|went\s+through|working|works|changed|set|up))(?=[\s.!]*$)/iu;

/** The sentence without a message that is to follow the change, and a sentence about it. */
export function withoutAfterwards(text: string): { text: string; told: readonly string[] } {
  const what = THEN.exec(text)?.groups?.what;
  if (what === undefined || /["“„]/u.test(text)) return { text, told: [] };
  const told = `. Not taken: “${what}”. Nothing here waits for a change to be done: send the text afterwards, with “text NUMBER …”`;
  return { text: text.replace(THEN, ''), told: [told] };
}

const BETWEEN =
  /\bdiff(?:erence)?s?\s+between\s+(?<one>(?:an?\s+)?\p{L}+)\s+(?:and|or|vs)\s+(?<two>(?:an?\s+)?\p{L}+)/iu;
const NOUNS: Readonly<Record<string, string>> = {
  ...{ hold: 'parking', holding: 'parking', park: 'parking', pause: 'parking', suspend: 'parking' },
  ...{ suspension: 'parking', freeze: 'parking', cancel: 'cancelling', cancellation: 'cancelling' },
  ...{ termination: 'cancelling', disconnect: 'cancelling', reactivation: 'reactivating', reactivate: 'reactivating' },
  ...{ activation: 'activating', activate: 'activating' },
};

/** "The diff between hold and cancel" with the verbs that name the changes. */
export function withDeedNouns(text: string): string {
  const { one = '', two = '' } = BETWEEN.exec(text)?.groups ?? {};
  const [first, second] = [one, two].map((noun) => NOUNS[noun.toLowerCase().replace(/^an?\s+/u, '')]);
  if (first === undefined || second === undefined) return text;
  return text.replace(
    BETWEEN,
    () => `difference between ${first} and ${second}${/\bline\b/iu.test(text) ? '' : ' a line'}`,
  );
}
