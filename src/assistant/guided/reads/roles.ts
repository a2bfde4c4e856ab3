import { FAMILY } from '../../../../tools/surfaces/filter-words.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Narrow } from '../../../language/narrow.ts';
import { scopesIn } from '../answers/account-scope.ts';
import { answer, type GuidedAnswer, help } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * Questions of who has a role in an account: "who has admin rights at Acme", "which subscribers are managers". The list of
 * all subscribers has the role and the account of each, and a surface leaves the others out.
 */

const ASKS = String.raw`^\W*(?:(?:hi|hey|so|and|ok|please|pls|quick|question|can|could|you|u|tell|show|give|list|get|see|find|me|us|all|the|our|a|i|we|need|want|to|know)[\s,:]+)*`;
const WHO = String.raw`(?:who(?:['’]?s|\s+all)?|whos|which|what|any|is\s+there|are\s+there|do\s+we\s+have|how\s+many|list|names?\s+of|(?=(?:account\s+)?(?:admin\w*|managers?)\b))`;
const HAS_ROLE = new RegExp(
  String.raw`${ASKS}${WHO}\b[^.;!?]*?\b(?<role>(?:account\s+|acct\s+)?(?:admin(?:istrator)?s?|administers?|administrates?|managers?)|(?:admin|manager|management)\s+(?:rights?|access|role|permissions?|privileges?))\b`,
  'iu',
);
const OWNS =
  /\b(?:who|which\s+\p{L}+)\b[^.;!?]*\b(?:owns?|owner|runs|manages?)\b[^.;!?]*\baccount\b|\baccount\s+owner\b/iu;
/** Questions of what somebody may do, and orders. */
const OTHERS =
  /\b(?:can|may|should|make|makes|made|set|change|changed|create|created|add|added|new|give|gave|became|promote\w*|bot|app|switchboard|slack|workgroups?|approv\w*|e-?mail)\b/iu;
const ROLES: readonly (readonly [pattern: RegExp, role: string])[] = [
  [/admin/iu, 'Account Admin'],
  [/manage/iu, 'Manager'],
];
/** "Account manager" may be either of the two roles. */
const EITHER = /\bacc(?:oun)?t\s+manager/iu;

const PARENTS = new RegExp(String.raw`\b(?:${FAMILY})\b`, 'iu');

/** "Who's Ava Stone's account admin": the account of a customer is on the card of their line. */
function ofCustomersAccount(asked: Asked, find: Tool | undefined): GuidedAnswer | undefined {
  const { said, facts, clauses, mayUse } = asked;
  const who = nameIn(facts, clauses);
  if (!find || who === undefined || !mayUse(find.id) || !/^\W*who/iu.test(said)) return undefined;
  const isOf = new RegExp(String.raw`\b${who}['’]?s?\s+account\s+(?:admin\w*|owner|manager)\b`, 'iu').test(said);
  if (!isOf) return undefined;
  const parents = PARENTS.test(said) ? `. Who is a parent of “${who}” is not kept here` : '';
  const how = `Find numbers by "${who}": each line names its account, and “account NAME” shows the admin of it${parents}`;
  return answer('lookup', { tool: find, input: { Query: who }, understood: how });
}

/** "What can a manager do", "what's different between a manager and an account admin". */
const MEANING =
  /\b(?:what|which\s+(?:rights|permissions))\b[^.;!?]*\b(?:can|may|could|does|do|is|are|allowed)\s+(?:an?\s+|the\s+|our\s+)?(?:account\s+)?(?:managers?|admin\w*)(?:\s+roles?)?\s+(?:do|see|change|have|for|mean|allow\w*|able)\b|\b(?:difference|different|differs?|differ|compared?|versus|vs)\b[^.;!?]*\b(?:managers?|admin\w*)\b|\bwhat\s+(?:is|does)\s+(?:an?|the)\s+(?:account\s+)?(?:manager|admin\w*)\s+role\b/iu;
const NO_MEANING =
  'Roles such as manager and account admin are those of subscribers on the platform. What each of them may do there is not documented here, and none of them is a right in Switchboard, where viewers, operators and approvers are set by the owner. “Who are our managers” lists those with a role, and “make NAME a manager” changes one';

const ADMINISTERS =
  /\badministe(?:rs?|rates?)\s+(?:the\s+)?(?<name>\p{L}[\p{L}&-]+(?:\s+(?!account\b)\p{L}[\p{L}&-]+)?)/iu;
/** "What's the admin email of Acme", "Acme's admin email" */
const ADMIN_MAIL =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|show|tell|give|get|me|us|what(?:['’]?s|\s+is)?|whats|the|account)[\s,]+)*(?:admin(?:istrator)?(?:['’]?s)?\s+(?:contact\s+)?e-?mail(?:\s+address)?\s+(?:of|for|at|on)\s+(?:the\s+)?(?<name>\p{L}[\p{L}&-]+(?:\s+(?!account\b)\p{L}[\p{L}&-]+)?)|e-?mail(?:\s+address)?\s+(?:of|for)\s+(?:the\s+)?(?<whose>\p{L}[\p{L}&-]+(?:\s+\p{L}[\p{L}&-]+)?)['’]s\s+(?:account\s+)?admin(?:istrator)?|(?<owner>\p{L}[\p{L}&-]+(?:\s+\p{L}[\p{L}&-]+)?)['’]s\s+(?:account\s+)?admin(?:istrator)?\s+e-?mail)(?:\s+(?:account|please|pls))*[\s?.!]*$/iu;

/** The record of an account, which has the e-mail of its admin. */
function recordOf(tool: Tool, name: string): GuidedAnswer {
  const understood = `${tool.title} of “${name}”, with the e-mail of its admin`;
  return answer('lookup', { tool, input: { AccountId: name }, understood });
}

/** The subscribers with a role. Undefined for any other sentence. */
export function ofRoles(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { said, facts, mayUse } = asked;
  const own = ofCustomersAccount(asked, byId.get('numbers_find'));
  if (own) return own;
  const account = byId.get('account_get');
  const readable = account && mayUse(account.id) ? account : undefined;
  const mailOf = facts.mentions.length + facts.ids.length > 0 ? undefined : ADMIN_MAIL.exec(said)?.groups;
  const owner = mailOf?.name ?? mailOf?.whose ?? mailOf?.owner;
  if (readable && owner !== undefined) return recordOf(readable, owner);
  if (MEANING.test(said) && facts.mentions.length === 0) return help(NO_MEANING);
  const tool = byId.get('distributor_subscribers_get');
  if (!tool || !mayUse(tool.id) || facts.mentions.length + facts.ids.length > 0 || OTHERS.test(said)) return undefined;
  const role = HAS_ROLE.exec(said)?.groups?.role;
  if (role === undefined && !OWNS.test(said)) return undefined;
  const name = scopesIn(said).at(-1)?.name ?? ADMINISTERS.exec(said)?.groups?.name;
  const roles =
    role === undefined ? [] : ROLES.filter(([one]) => EITHER.test(role) || one.test(role)).map(([, one]) => one);
  const of = [...roles.map((one) => `“${one}”`), ...(name === undefined ? [] : [`“${name}”`])].join(' and ');
  const told = `The record of an account has the e-mail of its admin, which “account ${name ?? 'NAME'}” shows. Each subscriber has a role, such as account admin, and an account`;
  const narrow: Narrow = { kinds: [], said: of, roles, ...(name !== undefined && { account: name }) };
  const text = `${tool.title}; ${of === '' ? '' : `only ${of}. `}${told}`;
  const record = readable && name !== undefined && roles.includes('Account Admin') ? [recordOf(readable, name)] : [];
  const listed = { ...answer('lookup', { tool, input: {}, understood: text }), ...(of !== '' && { narrow }) };
  return record.length > 0 ? { ...listed, also: record } : listed;
}
