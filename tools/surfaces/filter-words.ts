import type { Traffic } from './guard.ts';

/*
 * The words by which people name the modes and rules of filters, as alternatives of a regular expression. The modes and
 * rules themselves are those of `guard.ts`.
 */

const UNKNOWN =
  "unknown\\s+(?:numbers?|callers?|senders?|contacts?|people|calls?|texts?|messages?|ones)|strangers?|(?:numbers?|people|callers?|anyone|anybody|someone)\\s+(?:he|she|they)\\s+(?:do(?:es)?\\s+not|do(?:es)?n['’]?t)\\s+know";

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
