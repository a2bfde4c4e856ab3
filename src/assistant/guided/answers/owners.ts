import { CHILDREN } from '../../../../tools/surfaces/filter-words.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { isPlanName } from '../facts/plans.ts';

/* "Where do acmes inbound texts go": a possessive without its apostrophe, before the traffic that an account has, or before a person. */

const TRAFFIC = String.raw`(?:(?:inbound|incoming|outbound|outgoing|missed|all|new|main|own)\s+)?(?:texts?|sms|mms|messages?|calls?|traffic|routes?|trunks?|webhooks?|events|workgroups?|packages?|plans?|products?|subscribers|customers|admins?|managers?|users|people|staff|team|(?:billing|mailing)\s+address)`;
/** "Bens daughter is older now, put his filter to teenager" */
const FAMILY = String.raw`(?:(?:little|older|younger|eldest|youngest)\s+)?(?:${CHILDREN}|mum|mom|mother|dad|father|wife|husband|partner|parents?|brother|sister)`;
const OWNED = new RegExp(
  String.raw`(?<![\p{L}\d@/.-])(?<name>\p{L}[\p{L}\d&-]+)s(?=\s+(?:${TRAFFIC}|${FAMILY})\b)`,
  'giu',
);

const GOES_OF =
  /(?<=\bwhere\s+(?:do|does|will|are|is)\s+)(?:(?:the|our|all)\s+)?(?<what>(?:(?:inbound|incoming|outbound|outgoing)\s+)?(?:texts?|sms|messages?|calls?))\s+(?:of|for|to|from|at|on)\s+(?<name>(?!the\b|our\b|all\b)\p{L}[\p{L}&'’-]*(?:\s+(?!(?:go|get|end|land|arrive|come|delivered|sent|routed|forwarded)\b)\p{L}[\p{L}&'’-]*)?)(?=\s+(?:go|get|end|land|arrive|come|delivered|sent|routed|forwarded)\b)/iu;

/** "Cancel ben s line": the apostrophe is lost, and a space is in its place. */
const SPACED =
  /(?<![\p{L}\d@/.'’-])(?<name>\p{L}{2,})\s+['’]?s(?=\s+(?:(?:new|own|old|only|second|current|voice|call|message|text|data)\s+)?(?:line|lines|number|numbers|sim|esim|phone|plan|package|subscription|account|filters?|limit|usage|data|texts|messages|calls|route|role|e-?mail|name|port|caller|webhooks?|bill|address|billing)\b)/giu;

/** "Is 0104 bens" */
const ASKED_OWNER =
  /(?<=\b(?:is|was|isnt|isn['’]t|wasnt)\s+(?:(?:the\s+)?(?:line|number)\s+)?[#…*]*\+?\d[\d ().-]{2,17}\d\s+)(?<name>\p{L}{2,}?)['’]?s(?=(?:\s+(?:then|too|or\s+not))*\s*[?.!]*$)/iu;

/** The question whether a line is a person's, with an apostrophe in the name. Other texts are as they were. */
export function withAskedOwner(text: string): string {
  return text.replace(ASKED_OWNER, (whole, name: string) =>
    [whole.replace(/['’]/g, ''), name].every((one) => wordsOf(one).every(({ isUnknown }) => isUnknown))
      ? `${name}'s`
      : whole,
  );
}

/** True for the question whether a line is a person's: the person is not known to be its holder. */
export function asksOwner(text: string): boolean {
  return ASKED_OWNER.test(text) || BELONGS.test(text);
}

const BELONGS = /\b(?:does|did|doesn['’]?t)\s+[^.;!?]*\d{4}\s+(?:really\s+)?belong\s+to\s+\p{L}/iu;

/** The sentence with an apostrophe in such a name. The words of quotations stay. */
export function withApostrophe(text: string): string {
  if (/["“„]/u.test(text)) return text;
  return text.replace(GOES_OF, '$<name>’s $<what>').replace(OWNED, (whole, name: string) => {
    const isName = [whole, name].every((one) => wordsOf(one).every(({ isUnknown }) => isUnknown));
    // "The Family Plus plan", "the Essentials package"
    const isOfPlan = /^plus$/iu.test(whole) || isPlanName(whole);
    return isName && !isOfPlan && !/s$/iu.test(name) ? `${name}'s` : whole;
  });
}

/** The text with such an apostrophe behind a name. */
export function withoutSpace(text: string): string {
  return text.replace(SPACED, (whole, name: string) =>
    wordsOf(name).every(({ isUnknown }) => isUnknown) ? `${name}'s` : whole,
  );
}
