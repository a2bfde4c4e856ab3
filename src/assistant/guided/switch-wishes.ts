/*
 * Wishes that name a switch and its state: "mum wants all filtering off for ben", "make sure voice is enabled on 0103". The
 * state decides the direction, and nothing is created. A report of a trouble may name an earlier change as its time, which
 * is no order: "no data since we ported it in".
 */

const WHOM = String.raw`(?:[#…*]*\d{4}\b|\+?\(?\d[\d().\s-]{8,16}\d|(?!(?:the|a|an|all|every)\b)\p{L}[\p{L}'’-]+(?:\s+(?!(?:please|pls|now|today|again)\b)\p{L}[\p{L}'’-]+)?)`;
const WANTS = String.raw`\b(?:wants?|wanted|needs?|would\s+like|asks?\s+for|asked\s+for)\s+`;
const FILTER_OFF = new RegExp(
  String.raw`${WANTS}(?:(?:(?:all|the|any|guardian)\s+)*filter(?:s|ing)?\s+(?:(?:turned|switched|to\s+be|all|completely)\s+)*(?:off|disabled|gone|removed)|no(?:\s+more)?\s+filter(?:s|ing)?(?:\s+at\s+all)?)\s+(?:for|on)\s+(?<whom>${WHOM})`,
  'iu',
);
const SERVICE = '(?<service>voice|calls?|calling|texts?|texting|sms|messages?|messaging|data)';
const MADE_SURE = new RegExp(
  String.raw`\bmake\s+sure\s+(?:that\s+)?(?:the\s+)?${SERVICE}\s+(?:(?:is|are|gets?|stays?|be)\s+)?(?:(?:turned|switched)\s+)?(?<state>on|enabled|active|working|works?|off|disabled)\s+(?:on|for)\s+(?<whom>${WHOM})`,
  'iu',
);
const BACK_IN_USE =
  /\b(?:put|get|bring|take)\s+(?<whom>[#…*]*\d{4}|\+?\(?\d[\d().\s-]{8,16}\d|it|her|him|that\s+(?:one|line))\s+back\s+(?:in(?:to)?|on)\s+(?:service|use|operation)\b/iu;
const TROUBLE =
  /\b(?:no\s+(?:data|signal|service|texts?|sms|calls?|internet)|(?:can(?:no|['’]?)t|cannot|won['’]?t|doesn['’]?t|don['’]?t|isn['’]?t|aren['’]?t|not)\s+(?:\p{L}+\s+)?(?:send|receive|get|make|work|working|call|text|connect|go)\p{L}*|stopped\s+working|broken|down)\b/iu;
const SINCE =
  /[\s,]+(?:(?:ever\s+)?since|after|following)\s+(?:(?:we|i|they|you|s?he|it|the|her|his|their|our|a|last)\s+)*(?:sim\s+|number\s+)?(?:port(?:ed|ing|[\s-]?in)?|swap(?:ped)?|mov(?:e|ed)|switch(?:ed)?|activat(?:ed|ion)|upgrad(?:e|ed)|chang(?:e|ed))\b(?:\s+(?:it|her|him|them|over|in|out|here|the\s+(?:sim|number|line)|number|line|sim|yesterday|today|last\s+(?:night|week)))*(?=\s*(?:$|[.,;!?]|\b(?:on|for|of)\b))/iu;

/** The sentence with such a wish as an order, and a trouble without the time of its beginning. */
export function switchWishes(sentence: string): string {
  const trouble = TROUBLE.test(sentence) ? sentence.replace(SINCE, '') : sentence;
  return trouble
    .replace(FILTER_OFF, (_all, whom: string) => `turn off filtering for ${whom}`)
    .replace(MADE_SURE, (_all, service: string, state: string, whom: string) => {
      const deed = /^(?:off|disabled)$/i.test(state) ? 'turn off' : 'turn on';
      return `${deed} ${service.replace(/^calling$/i, 'calls').replace(/^(?:texting|messaging)$/i, 'texts')} for ${whom}`;
    })
    .replace(BACK_IN_USE, (_all, whom: string) => `take ${whom} off hold`);
}
