import type { Traffic } from './guard.ts';

/*
 * The words by which people name the modes and rules of filters, as alternatives of a regular expression. The modes and
 * rules themselves are those of `guard.ts`.
 */

const UNKNOWN =
  "unknown\\s+(?:numbers?|callers?|senders?|contacts?|people|calls?|texts?|messages?|ones)|(?:nobody|no\\s?one|anyone|anybody|someone|somebody)\\s+unknown|strangers?|(?:numbers?|people|callers?|anyone|anybody|someone)\\s+(?:he|she|they)\\s+(?:do(?:es)?\\s+not|do(?:es)?n['’]?t)\\s+know";

/** Modes that are named as a value: "set it to strict". */
export const MODE_WORDS: Readonly<Record<Traffic['name'], Readonly<Record<string, string>>>> = {
  messages: {
    CHILD: 'child(?:ren)?|kids?|strict|strictest|highest|strongest|tightest',
    ADOLESCENT: 'adolescent|middle|medium|moderate|mid',
    TEENAGER: 'teen|teens|teenager|teenage|light|lightest|lenient|loosest|lowest|mildest|weakest',
    MONITOR_ONLY: 'monitor(?:ing)?(?:[\\s_-]*only)?|(?:watch|report)(?:ing)?[\\s-]*only',
    INACTIVE: 'inactive|paused',
    ACTIVE: 'active|no\\s+level',
  },
  calls: {},
};

/** The block list and the allow list as modes: "change it to an allow list". */
export const LIST_MODES: Readonly<Record<'allowed' | 'blocked', string>> = {
  allowed: 'white\\s*-?\\s*list|allow(?:ed)?\\s*-?\\s*list',
  blocked: 'black\\s*-?\\s*list|block(?:ed)?\\s*-?\\s*list',
};

/** What each rule blocks. */
export const RULE_WORDS: Readonly<Record<Traffic['name'], Readonly<Record<string, string>>>> = {
  messages: {
    BlockUnknownNumbers: UNKNOWN,
    BlockLinks: 'links?|urls?|web\\s+addresses',
    BlockMedia: 'pictures?|pics?|photos?|images?|videos?|media|mms|attachments?',
  },
  calls: {
    BlockUnknownNumbers: UNKNOWN,
    BlockInternational:
      '(?:international|foreign|overseas)\\s+(?:calls?|callers?|numbers?|ones)|(?:calls?|callers?|numbers?)\\s+from\\s+(?:abroad|overseas|(?:other|foreign)\\s+countries)',
  },
};

/** The words of all rules, by their flag. */
export const FILTER_RULES: Readonly<Record<string, string>> = { ...RULE_WORDS.calls, ...RULE_WORDS.messages };

/** Levels that mean nothing else, so that a customer beside one is enough: "make Ben an adolescent". */
export const SURE_LEVELS =
  'adolescents?|teen(?:s|ager|agers|age)?|strictest|(?:lightest|mildest|loosest)\\s+(?:level|filter)';

/** A level of which only the direction is said: the strictest level is the first one. */
export const LEVEL_STEPS: Readonly<Record<'stricter' | 'softer', string>> = {
  stricter: 'stricter|tighter|stronger|harder|more\\s+strict|less\\s+(?:lenient|relaxed)',
  softer:
    'softer|milder|looser|lighter|gentler|weaker|laxer|more\\s+(?:lenient|relaxed)|less\\s+(?:strict|tight|harsh)',
};

/** The directions of a filter. */
export const DIRECTION_WORDS: Readonly<Record<'ApplyToInbound' | 'ApplyToOutbound', string>> = {
  ApplyToInbound:
    'incoming|inbound|received|(?:what|that|which|messages|texts|calls|things|stuff)\\s+(?:he|she|they)?\\s*(?:gets?|receives?)|comes?\\s+in|coming\\s+in',
  ApplyToOutbound:
    'outgoing|outbound|sent|(?:what|that|which|messages|texts|calls|things|stuff)\\s+(?:he|she|they)\\s+(?:sends?|writes?|makes?)|goes\\s+out|going\\s+out',
};

/** Words about the numbers that get a notice when a filter stops something. */
export const NOTICES = 'alerts?|notices?|notifications?|warnings?';

/** People of a customer's family, who have no name of their own in a sentence. */
export const FAMILY =
  'mums?|moms?|mummy|mommy|mothers?|dads?|daddy|fathers?|parents?|gran(?:ny|dma|dpa|ddad|dmother|dfather|s)?|guardians?|aunt(?:ie|y)?|uncle|step(?:mum|mom|dad|father|mother)|sister|brother|wife|husband';

/** Words for those whom filters are for. */
export const CHILDREN = 'kids?|children|child|sons?|daughters?|boys?|girls?|teens?|teenagers?|twins|siblings';
