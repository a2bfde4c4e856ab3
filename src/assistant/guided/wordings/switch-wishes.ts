/*
 * Wishes that name a switch and its state, or what a line shall be able to do: "mum wants all filtering off for ben", "make
 * sure 0104 can receive calls". The state decides the direction, and nothing is created. Data that is to stop or to grow by
 * an amount means the limit. A report of a trouble may name an earlier change as its time, which is no order: "no data since
 * we ported it in".
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
const DOES = String.raw`(?:(?<calls>(?:receive|get|make|take|place)\s+(?:phone\s+)?calls|call\b(?!\s+(?:me|us|back)))|(?<texts>(?:send|receive|get)\s+(?:texts?|sms|messages)|text\b))`;
const NOBODY = String.raw`(?!(?:nobody|no\s+one|any(?:one|body)|every(?:one|body)|some(?:one|body)|only|people|strangers|callers|others?|s?he|they|it|we|you|i)\b)`;
/** "Make sure 0104 can receive calls", "0101 needs to be able to text". */
const ABLE = new RegExp(
  String.raw`(?:\b(?:make\s+sure|ensure|(?:i|we)(?:['’]d)?\s+(?:want|need|like))\s+(?:that\s+)?${NOBODY}(?<whom>${WHOM})\s+(?:can|is\s+able\s+to|to\s+be\s+able\s+to)|${NOBODY}(?<needs>${WHOM})\s+(?:needs?|wants?|has|have)\s+to\s+be\s+able\s+to)\s+(?:still\s+|also\s+|again\s+)?${DOES}`,
  'iu',
);
/** "0101 shouldn't be able to send texts", "ben is not allowed to make calls": nobody is named whom they reach. */
const UNABLE = new RegExp(
  String.raw`^(?<head>\W*(?:(?:please|pls|ok|so|and|hey|hi)[\s,]+)*)${NOBODY}(?<whom>${WHOM})\s+(?:(?:must|should|shall|may)(?:\s*n['’]?t|\s+not|\s+no\s+longer|\s+never)\s+|(?:is|are)\s*(?:n['’]?t|\s+not|\s+no\s+longer)\s+(?:allowed|permitted|supposed)\s+to\s+)(?:(?:be\s+)?(?:able|allowed)\s+to\s+)?(?:(?<calls>(?:receive|get|make|take|place)\s+(?:phone\s+)?calls|call)|(?:send|receive|get)(?:\s+and\s+(?:send|receive|get))?\s+(?:texts?|sms|messages)|text)(?:\s+(?:any\s?more|any\s+longer|at\s+all|now|please|pls|for\s+now))*[\s.!]*$`,
  'iu',
);
const GIGS = '(?:gb|mb|gigs?|megs?)';
/** "500 mb isn't enough for ava, give her 1 gb", "0105 says 1 gb is too little, make it 3 gb" */
const ENOUGH = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|so|ok|and|please|pls|customer|cust|client)[\s,]+)*(?:(?<says>${WHOM})\s+(?:says|thinks|complains|finds|feels|told\s+us)\s+(?:that\s+)?)?(?:only\s+)?\d+(?:[.,]\d+)?\s*(?<unit>${GIGS})(?:\s+(?:of\s+)?data)?\s+(?:(?:is|are|was)\s*(?:n['’]?t|\s+not)\s+(?:enough|sufficient)|(?:(?:is|are|was)\s+)?(?:(?:way|far|much|a\s+bit)\s+)?too\s+(?:little|small|low|few|tight|much|high))(?:\s+(?:for|on)\s+(?<who>${WHOM}?))?\s*[,;.–-]+\s*(?:(?:so|please|pls|can\s+you|could\s+you)\s+)*(?:make|set|give|raise|bump|put|get|lower|increase|change|let)\s+(?:it|her|him|them|that|the\s+limit)\s+(?:have\s+)?(?:up\s+|down\s+)?(?:to\s+|at\s+)?(?<amount>\d+(?:[.,]\d+)?)\s*(?<own>${GIGS})?(?:\s+(?:on|for)\s+(?<line>[#…*]*\d{4}\b|\+?\d{10,11}))?(?:[\s,]+(?:please|pls|instead))*[\s.!]*$`,
  'iu',
);

/**
 * The order for the limit that is enough. It is read before corrections within a message: "make it 3 gb" takes back no value of
 * the order here.
 */
export function withEnough(text: string): string {
  const { says, unit = '', who, amount, own = unit, line } = ENOUGH.exec(text)?.groups ?? {};
  const whom = line ?? who ?? says;
  if (amount === undefined || whom === undefined) return text;
  return `set the data limit of ${whom} to ${amount} ${own}`;
}

/** "Stop data on 0103 when it hits 3 gb" sets a limit. */
const CAPPED = new RegExp(
  String.raw`\b(?:cut|stop|kill|turn|switch|shut|block|end)\s+(?:(?:off|down)\s+)?(?:(?:the|all|his|her|their|its)\s+)?data\s+(?:off\s+)?(?:on|for|of)\s+(?<whom>${WHOM})\s+(?:at|after|(?:when|once|if|as\s+soon\s+as)\s+(?:it|s?he|they)(?:['’]s)?\s+(?:hits?|reach(?:es|ed)?|gets?\s+to|use[sd]?|has\s+used|goes\s+over|(?:is\s+)?(?:at|over)))\s+(?<amount>\d+(?:[.,]\d+)?\s*(?:gb|mb|gigs?|megs?)\b)`,
  'iu',
);
/** "Give Ava 2 gb more on 0105" raises a limit, and gives nobody a line. */
const MORE = new RegExp(
  String.raw`\bgive\s+(?<whom>${WHOM})\s+(?:(?:another|an\s+extra)\s+)?(?<amount>\d+(?:[.,]\d+)?\s*(?:gb|mb|gigs?|megs?)\b)\s+(?:of\s+data\s+)?(?:more|extra)(?:\s+(?:of\s+)?data)?(?:\s+(?:on|for)\s+(?<line>[#…*]*\d{4}\b))?`,
  'iu',
);
/** A second act that is spoken against, without a comma before it: "put it on hold for now dont cancel". */
const BUT_NOT =
  /(?<=\p{L}{2})\s+(?=(?:dont|don['’]t|do\s+not)\s+(?:cancel|delete|release|remove|disconnect|terminate)\b(?:\s+(?:it|her|him|that|this|them|the\s+(?:line|number)))?\s*[.!]*$)/iu;
const TROUBLE =
  /\b(?:no\s+(?:data|signal|service|texts?|sms|calls?|internet)|(?:can(?:no|['’]?)t|cannot|won['’]?t|doesn['’]?t|don['’]?t|isn['’]?t|aren['’]?t|not)\s+(?:\p{L}+\s+)?(?:send|receive|get|make|work|working|call|text|connect|go)\p{L}*|stopped\s+working|broken|down)\b/iu;
const SINCE =
  /[\s,]+(?:(?:ever\s+)?since|after|following)\s+(?:(?:we|i|they|you|s?he|it|the|her|his|their|our|a|last)\s+)*(?:sim\s+|number\s+)?(?:port(?:ed|ing|[\s-]?in)?|swap(?:ped)?|mov(?:e|ed)|switch(?:ed)?|activat(?:ed|ion)|upgrad(?:e|ed)|chang(?:e|ed))\b(?:\s+(?:it|her|him|them|over|in|out|here|the\s+(?:sim|number|line)|number|line|sim|yesterday|today|last\s+(?:night|week)))*(?=\s*(?:$|[.,;!?]|\b(?:on|for|of)\b))/iu;

/** The sentence with such a wish as an order, and a trouble without the time of its beginning. */
export function switchWishes(sentence: string): string {
  const trouble = TROUBLE.test(sentence) ? sentence.replace(SINCE, '') : sentence;
  return trouble
    .replace(UNABLE, (...found) => {
      const { head = '', whom, calls } = found.at(-1) as Record<string, string | undefined>;
      return `${head}turn off ${calls === undefined ? 'texts' : 'calls'} for ${whom}`;
    })
    .replace(FILTER_OFF, (_all, whom: string) => `turn off filtering for ${whom}`)
    .replace(MADE_SURE, (_all, service: string, state: string, whom: string) => {
      const deed = /^(?:off|disabled)$/i.test(state) ? 'turn off' : 'turn on';
      return `${deed} ${service.replace(/^calling$/i, 'calls').replace(/^(?:texting|messaging)$/i, 'texts')} for ${whom}`;
    })
    .replace(ABLE, (...found) => {
      const { whom, needs, calls } = found.at(-1) as Record<string, string | undefined>;
      return `turn on ${calls === undefined ? 'texts' : 'calls'} for ${whom ?? needs}`;
    })
    .replace(CAPPED, 'set the data limit of $<whom> to $<amount>')
    .replace(MORE, (...found) => {
      const { whom, amount, line } = found.at(-1) as Record<string, string | undefined>;
      return `raise the data limit of ${line ?? whom} by ${amount}`;
    })
    .replace(BUT_NOT, ', but ')
    .replace(BACK_IN_USE, (_all, whom: string) => `take ${whom} off hold`);
}
