import { isChange, type Tool } from '../../../catalogue/operation.ts';
import type { Role } from '../../../lib/actor.ts';
import { answer, type GuidedAnswer, help } from '../answers/answer.ts';
import type { Reader } from '../answers/readings.ts';
import { peopleIn } from '../facts/names.ts';
import type { Asked } from '../facts/stance.ts';

/* Answers to questions about Switchboard itself and the platform as a whole, such as who may decide and whether it is up. */

/** Settings of the owner that answers name. Undefined where they are not known. */
export interface ProductSettings {
  /** True if an approver never confirms an own request (CONFIRM_TWO_PERSON). */
  isTwoPerson?: boolean;
  /** The people, groups and tokens of each role. */
  holders?: Readonly<Record<Role, readonly string[]>>;
}

const DECIDES = String.raw`(?:approv\w*|confirm\w*|decid\w*|sign(?:ing)?\s+off|okay|ok)`;
const OWN_APPROVAL = new RegExp(
  [
    String.raw`\b${DECIDES}\b[^.;!?]*\b(?:my|our|your|their|his|her|one['’]?s)\s+own\b`,
    String.raw`\b(?:my|our|your|their|his|her|one['’]?s)\s+own\b[^.;!?]*\b${DECIDES}\b`,
    String.raw`\b(?:needs?|do\s+we\s+need|takes?|requires?)\b[^.;!?]*\b(?:second|another|2nd|other)\s+(?:person|approver|pair\s+of\s+eyes|supervisor)\b`,
    String.raw`\b(?:two|2)[\s-]person\b|\b(?:four|4)[\s-]eyes\b`,
    String.raw`\b${DECIDES}\b[^.;!?]*\b(?:second|another|2nd|other)\s+(?:one|person|approver|pair\s+of\s+eyes|yes|ok|supervisor|lead)\b`,
    String.raw`\b(?:second|another|2nd|other)\s+(?:person|approver|pair\s+of\s+eyes|yes|ok|supervisor|lead)\b[^.;!?]*\b${DECIDES}\b`,
  ].join('|'),
  'iu',
);
const ASKS =
  /\?|^\W*(?:(?:so|and|hi|hey|ok|please|quick|question)\W+)*(?:can|could|may|do|does|is|are|am|should|must|who|what|how|will|would)\b/iu;

const ROLES = String.raw`(?:read[\s-]?only|viewers?|operators?|approvers?)`;
const ACCESS = new RegExp(
  [
    String.raw`\b(?:access|permissions?|rights?|roles?)\b[^.;!?]*\b(?:bot|app|switchboard|slack|tool|here)\b`,
    String.raw`\b(?:bot|app|switchboard|slack|tool)\b[^.;!?]*\b(?:access|permissions?|rights?|roles?)\b`,
    String.raw`\b${ROLES}\s+(?:access|rights?|permissions?|role)\b`,
    String.raw`\b(?:make|add|remove|set)\b[^.;!?]*\b(?:an?|as|as\s+an?|the)\s+(?:viewer|operator|approver)\b`,
  ].join('|'),
  'iu',
);

/** Asks who has a role, or what a role may do: "who are the approvers", "what can ana do that a viewer can't". */
const OF_ROLES = new RegExp(
  [
    String.raw`^\W*(?:(?:and|so|ok|hey|hi)[\s,]+)*(?:who(?:['’]?s|\s+is|\s+are|\s+all)?|which|(?:list|show|name|tell|give)(?:\s+(?:me|us))?|names\s+of|what\s+are|how\s+many)\s+(?:(?:people|colleagues|is|are|all|the|our|my|an?)\s+)*${ROLES}(?:\s+(?:here|now|today|are\s+there|do\s+we\s+have|have\s+we\s+got|on\s+(?:this|our)\s+team))*[\s?.!]*$`,
    String.raw`\bwhat\b[^.;!?]*\b(?:can|could|may|does|is|are|allowed)\b[^.;!?]*\b${ROLES}\b[^.;!?]*\b(?:do|can|may|see|cant|can['’]t|not|allowed|for)\b`,
    String.raw`\b(?:can|may|is|are|does)\s+(?:an?|the)\s+${ROLES}\s+(?:allowed|able|also|ever|[a-z]+)\b[^.;!?\d]*\?*$`,
    String.raw`^\W*(?:is|am|are|was)\s+(?:i|we|\p{L}+)\s+(?:an?|the|one\s+of\s+the)\s+${ROLES}\s*\?*$`,
    String.raw`\bdifference\s+between\b[^.;!?]*\b${ROLES}\b`,
  ].join('|'),
  'iu',
);
const OF_REQUESTS = /\b(?:wait\w*|pending|open|undecided|asked|requests?|queue|needs?)\b/iu;

const PLATFORM_UP =
  /\b(?:is|are|was|has|does|did|any)\b[^.;!?]*\b(?:platform|api|carrier|system|provider|backend|network)\b[^.;!?]*\b(?:up|down|ok|okay|fine|alive|slow|working|reachable|online|offline|outages?|problems?|issues?|healthy|broken|answer\w*|respond\w*)\b|\b(?:outages?|maintenance|incidents?)\b[^.;!?]*\b(?:platform|api|carrier|system|provider)\b/iu;

/** "Is something broken? customers say …", of no line and no customer. */
const SOMETHING_DOWN =
  /(?:^|[.!,;]\s*)\W*(?:(?:hi|hey|hello|so|and|ok|guys|all|team|quick|question|do\s+you\s+know|does\s+anyone\s+know|if|whether)[\s,:]+)*(?:(?:is|was|has|are|do\s+we\s+have|is\s+there|are\s+there|have\s+we\s+got)\s+)?(?:something|anything|everything|it\s+all|things|(?:any|an|a|some)\s+(?:known\s+|current\s+|open\s+|ongoing\s+)?(?:outages?|incidents?|disruptions?|maintenance|known\s+issues?))(?:\s+(?:is|are|gone|been|going|currently|actually|ok|okay))*\s*(?:broken|down|wrong|off|up|ok|okay|fine|working|failing|running)?(?:\s+(?:right\s+now|rn|atm|at\s+the\s+moment|currently|today|tonight|now|with\s+us|with\s+you|on\s+our\s+(?:side|end)|here|again))*\s*(?:[?.!,;–-]|$)/iu;
const DOWN =
  /\b(?:broken|down|wrong|outages?|incidents?|disruptions?|failing|off|ok|okay|fine|working|running|maintenance|issues?)\b/iu;
const PEOPLE = String.raw`(?:customers|people|ppl|subscribers|clients|users|folks|tickets|callers|parents|of\s+them)`;
const SERVICE = `(?:texts?|texting|sms|messages?|calls?|calling|data|internet|service|signal|network|lines)`;
const FAILING = String.raw`(?:down|broken|dead|out|off|fail\w*|stuck|not\s+work\w*|(?:do\s*n['’]?o?t|does\s*n['’]?t|is\s*n['’]?t|are\s*n['’]?t|wo\s*n['’]?t|cannot|can['’]?t)\s+(?:work\w*|arriv\w*|send|text|call|go\w*|com\w*|get|use|receive)|no\s+(?:texts?|sms|calls?|data|internet|service|signal)|troubles?|problems?|issues?)`;
/** Reports of many customers at once, and the question whose fault a trouble is. */
const WIDELY: readonly RegExp[] = [
  String.raw`\b(?:many|several|lots\s+of|a\s+lot\s+of|multiple|loads\s+of|tons\s+of|a\s+(?:few|bunch\s+of)|all|most|half|more\s+and\s+more|\d{1,3}|two|three|four|five)\s+(?:of\s+)?(?:our\s+|the\s+|other\s+|angry\s+)*${PEOPLE}\b[^.;!?]*\b(?:complain\w*|${FAILING})\b`,
  String.raw`\b(?:everyone|everybody|people|ppl|customers)\b[^.;!?]*\bcomplain\w*\b[^.;!?]*\b${SERVICE}\b`,
  String.raw`\b(?:is|was|are)\s+(?:it|that|this)\s+(?:us|our\s+(?:side|end|fault|system)|on\s+our\s+(?:side|end)|you\s+guys)\b[^.;!]*\b(?:or|carriers?|complain\w*)\b`,
  String.raw`\b(?:is|was)\s+(?:it|that|this)\s+(?:something\s+)?on\s+our\s+(?:side|end)\b`,
  String.raw`\b${SERVICE}\b[^.;!?]*\b${FAILING}\s+for\s+(?:everyone|everybody|all|many|others|lots|the\s+whole)\b`,
].map((pattern) => new RegExp(pattern, 'iu'));
/** An order, or a list of customers. */
const NO_REPORT =
  /["“„]|^\W*(?:(?:please|pls|can\s+you|could\s+you)\s+)*(?:which|who|list|show|find|how\s+many|text|tell|send|notify|block|cancel|park|set)\b|\bspam\w*|\bblock\w*|\bhow\s+(?:do|can|to)\b/iu;

const MOST_REPORT = 400;

function isWidespread({ said, facts }: Asked): boolean {
  const isNamed = facts.mentions.length > 0 || facts.message !== undefined || facts.ids.length > 0;
  return (
    !isNamed && said.length <= MOST_REPORT && !NO_REPORT.test(said) && WIDELY.some((pattern) => pattern.test(said))
  );
}

const ROUTES_OF: readonly (readonly [pattern: RegExp, list: string, what: string])[] = [
  [/\b(?:texts?|sms|messages?)\b/iu, 'account_message_routes_get', 'texts'],
  [/\b(?:calls?|voice|ring\w*)\b/iu, 'account_voice_routes_get', 'calls'],
];

/** The read that shows whether the platform answers, and the routes of what does not arrive. */
function ofTrouble(asked: Asked, byId: Reader['byId']): GuidedAnswer | undefined {
  const { said } = asked;
  const found = SOMETHING_DOWN.exec(said)?.[0] ?? '';
  if (!(DOWN.test(found) || isWidespread(asked)) || peopleIn(...asked.clauses.map(({ words }) => words)).length > 0)
    return undefined;
  const health = platformHealth(asked, byId.get('distributor_accounts_get'));
  const lists = ROUTES_OF.filter(([pattern, list]) => pattern.test(said) && asked.mayUse(list) && byId.has(list));
  if (!health || lists.length === 0) return health;
  const told = lists.map(([, , what]) => what).join(' and ');
  return {
    ...health,
    understood: `${health.understood.replace(/\.$/, '')}. Where ${told} go is in their routes`,
    nearest: lists.map(([, operation]) => ({ operation, input: {} })),
  };
}

const SETTINGS = 'SLACK_VIEWERS, SLACK_OPERATORS and SLACK_APPROVERS';

function ownApproval(isTwoPerson: boolean | undefined): string {
  const button = 'A request is decided with the buttons of its card';
  if (isTwoPerson === true)
    return `No: two-person approval is on here, so what needs an approver is confirmed by another person than the one who asked. ${button}, and you can always withdraw your own`;
  if (isTwoPerson === false)
    return `Yes: two-person approval is off here, so an approver may confirm an own request. ${button}`;
  return `An approver may confirm an own request, unless the owner has set two-person approval (CONFIRM_TWO_PERSON). ${button}`;
}

/** The answer about approvals. A named person gets no "yes", because the approvers are not known here. */
function ownApprovalOf({ clauses }: Asked, { isTwoPerson }: ProductSettings): string {
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const general = ownApproval(isTwoPerson);
  if (person === undefined) return general;
  const plain = general.replace(/^(?:Yes|No): /u, '').replace(/^\p{Ll}/u, (first) => first.toUpperCase());
  return `“${person}” may do it only as an approver. ${plain}`;
}

const ACCESS_SET = `Who may read, ask and approve is set by the owner of Switchboard in its settings (${SETTINGS}), and no message changes it. The role of a subscriber on the platform is another thing: “make NAME a manager”. Nothing was done`;

const ROLES_TEXT = `A viewer only reads. An operator asks for changes, and confirms those that cost nothing, take nothing away and reach no person. An approver also confirms the others. Who has which role is set by the owner (${SETTINGS})`;

const NAMED: readonly (readonly [role: Role, pattern: RegExp])[] = [
  ['viewer', /\b(?:viewers?|read[\s-]?only)\b/iu],
  ['operator', /\boperators?\b/iu],
  ['approver', /\bapprovers?\b/iu],
];

/** The roles that a question names; all of them for a question of no certain one. */
function rolesIn(said: string): Role[] {
  const named = NAMED.flatMap(([role, pattern]) => (pattern.test(said) ? [role] : []));
  return named.length > 0 ? named : NAMED.map(([role]) => role);
}

/** Who may approve, as far as the settings say. */
export function whoMay({ isTwoPerson }: ProductSettings): GuidedAnswer {
  const text = `What costs or takes something away needs an approver; any other change is confirmed by the person who asks. An approver’s own request: ${ownApproval(isTwoPerson)}. ${ACCESS_SET}`;
  return { ...help(text), holders: ['approver'] };
}

/** A read made now, which shows whether the platform answers. */
export function platformHealth({ mayUse }: Asked, accounts: Tool | undefined): GuidedAnswer | undefined {
  if (!accounts || !mayUse(accounts.id)) return undefined;
  const lead =
    'The platform answers: the accounts below were read from it just now, and nothing else about it is measured here, such as an outage of the network. Why a line has no service is asked with “why can’t NUMBER call”';
  return {
    ...answer('lookup', { tool: accounts, input: {}, understood: lead }),
    ...{ lead: `${lead}.`, isInstead: true as const },
  };
}

const AGAIN =
  /\b(?:ask(?:s|ed)?|request(?:s|ed)?|submit(?:ted)?)\s+(?:(?:for\s+)?(?:it|that|this|the\s+same|one|them|those)\s+)?(?:again|once\s+more|a\s+second\s+time)\b|\bask(?:s|ed)?\s+again\s+for\b|\bre-?(?:ask|request|submit)\w*\b/iu;
const ASK_AGAIN =
  'What was declined, failed or expired may be asked for again: with “Ask again” on its card, by the person who asked for it, or by writing the order once more. “What was declined this week” lists such requests. Nothing was done';
const WITHOUT_ME =
  /\b(?:you|u|bot|app|switchboard|it)\b[^.;!?]*\b(?:without\s+(?:me|my|us|our|anyone|anybody|a|an|any)\b[^.;!?]*\b(?:click\w*|press\w*|button|ok|okay|yes|approv\w*|confirm\w*|asking|permission|knowing)|(?:on|by)\s+(?:your|its)\s*(?:own|self)|yourself|itself|by\s+yourself)\b/iu;
/** "Is Ana allowed to cancel lines on her own", "can an operator cancel a line without me". */
const ALONE =
  /^\W*(?:(?:so|and|ok|hi|hey|quick|question)[\s,:]+)*(?:can|could|may|is|are|does|do|will)\b[^.;!?]*\b(?:(?:on|by)\s+(?:his|her|their|my|our)\s+own|by\s+(?:him|her|them|my|our)sel(?:f|ves)|alone|without\s+(?:me|us|my|our|you|asking|an?\s+(?:approver|approval|yes|ok|second|other|supervisor)|approval|anyone|anybody|(?:a\s+)?sign-?off|permission)|needs?\s+(?:me|us|my|our|you|an?\s+approver|approval)\s+(?:\p{L}+\s+)?(?:to|for|when|if)|able\s+to\b[^.;!?]*\b(?:things|stuff|changes|anything)\b[^.;!?]*\b(?:own|\p{L}+self))\b/iu;
const ANYTHING = /\b(?:things|stuff|changes|anything|something)\b/iu;
const BY_ITSELF =
  'Look-ups, lists and reports are shown at once. Nothing is changed, sent or bought without a button: an order is offered, it is asked for with its button, and its card says who confirms it. No answer to a question changes anything';
/** "Csv pls", "can I have this as an Excel file" */
const FILE =
  /^\W*(?:(?:and|ok|so|please|pls|can|could|may|i|we|you|u|have|get|give|send|export|download|me|us|it|this|that|them|the|list|all|as|in|to|an?|into|want|need)[\s,]+)*(?:csv|excel|xlsx?|spreadsheet|google\s+sheet)(?:\s+(?:file|list|export|format|please|pls))*[\s?.!]*$/iu;
const NO_FILE =
  'No such file is made here: “JSON” below an answer has its values, and so has the terminal with --json. A file of rows is taken the other way, as the list of a batch';

/** The answer to such a question. Undefined for any other sentence. */
export function ofProduct(asked: Asked, { byId }: Reader, settings: ProductSettings): GuidedAnswer | undefined {
  const { said, facts } = asked;
  if (facts.message !== undefined || facts.mentions.length > 0 || facts.ids.length > 0) return undefined;
  if (AGAIN.test(said) && (ASKS.test(said) || /\b(?:can|may|could|how)\b/iu.test(said))) return help(ASK_AGAIN);
  if (WITHOUT_ME.test(said) && ASKS.test(said)) return help(BY_ITSELF);
  const isDeed = asked.clauses.some(({ fits }) => fits.some(({ tool }) => isChange(tool)));
  if (ALONE.test(said) && (isDeed || ANYTHING.test(said))) return whoMay(settings);
  if (FILE.test(said)) return help(NO_FILE);
  if (OWN_APPROVAL.test(said) && ASKS.test(said))
    return { ...help(ownApprovalOf(asked, settings)), holders: ['approver'] };
  if (OF_ROLES.test(said) && !OF_REQUESTS.test(said)) return { ...help(ROLES_TEXT), holders: rolesIn(said) };
  if (ACCESS.test(said)) return help(ACCESS_SET);
  const trouble = ofTrouble(asked, byId);
  if (trouble) return trouble;
  if (PLATFORM_UP.test(said) && ASKS.test(said)) return platformHealth(asked, byId.get('distributor_accounts_get'));
  return undefined;
}
