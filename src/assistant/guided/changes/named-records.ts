import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { respelled } from '../../../language/spelling.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { capital, WORD } from '../facts/workgroup-names.ts';
import { namesSwitch, switchIn } from './named-switches.ts';

/*
 * A sentence may name a record without its noun: "stop recording at front desk", "turn off SIP refer on night shift". Its
 * kind follows from the switch that only this kind has. The name is looked up by a surface, unless its
 * words are common ones, which name no person and no account.
 */

/** Kinds of named records, and the operations about them. */
const KINDS: readonly (readonly [noun: string, said: RegExp, operations: readonly string[]])[] = [
  ['workgroup', /\b(?:work\s?)?groups?\b/iu, ['workgroups_update', 'workgroups_activity_update', 'workgroups_get']],
  ['voice route', /\b(?:routes?|trunks?)\b/iu, ['voice_routes_update']],
  ['message route', /\b(?:routes?|trunks?)\b/iu, ['message_routes_update']],
];
/** "Who is in front desk", "who answers at reception": the members of a workgroup. */
const MEMBERS =
  /^\W*(?:(?:and|so|hi|hey|ok|show|list|see)[\s,]+)*(?:who(?:['’]?s|\s+is|\s+are|\s+else\s+is)?(?:\s+(?:all|currently|answers|answering|picks\s+up|rings|sits))?|(?:the\s+)?members|which\s+(?:numbers|phones)\s+ring)\s+(?:in|on|at|for|of)\s/iu;
const ASKS = /^\W*(?:(?:and|so|hi|hey|ok)[\s,]+)*(?:is|are|does|do|did|has|have)\b/iu;
const NOT_NAMED =
  /^(?:me|us|him|her|them|it|my|our|calls?|texts?|lines?|numbers?|everyone|everybody|(?:e-?)?mails?|sms|digits?|data|new|customers?|subscribers?|flagged|filters?|accounts?|off|on|record\p{L}*|notif\p{L}*|inbound|outbound|workgroups?|routes?|trunks?)$/iu;
/** Last words of what is another kind of record, a time or a reason: "for the whole account", "for one week". */
export const OTHER_NOUN =
  /^(?:accounts?|lines?|filters?|numbers?|calls?|packages?|plans?|products?|webhooks?|customers?|subscribers?|phones?|people|bot|app|minutes?|hours?|days?|weeks?|months?|weekend|night|while|moment|morning|evening|reasons?|purposes?|training|quality|compliance|testing)$/iu;
const NAMED = new RegExp(
  String.raw`\b(?:for|of|at|on|in|to|from)\s+(?:the\s+|our\s+)?(?<name>(?!(?:the|our)\b)${WORD}(?:\s+(?!(?:let|put|make|ring|turn|have|use|digit|press\p{L}*)\b)${WORD}){0,2}?)(?=\s*(?:$|[.,;:!?])|\s+(?:please|pls|now|today|again|let|put|make|ring|turn|have|use|digit|press\p{L}*|activit(?:y|ies)|members?)\b)`,
  'giu',
);
/** "Does the front desk record calls", "front desk calls shouldn't be recorded": the name is the subject. */
const SUBJECT = new RegExp(
  String.raw`^\W*(?:(?:and|so|hi|hey|ok|please|pls)[\s,]+)*(?<asks>(?:does|do|is|are)\s+)?(?:the\s+|our\s+)?(?<name>(?!(?:the|our|does|do|is|are|all|any|my)\b)${WORD}\s+${WORD})(?<what>\s+(?:calls|recordings))?(?=\s+(?:records?|transcribes?|rings?|still\s+records?|shouldn['’]?t|should|must)\b)`,
  'iu',
);

/** A name in the place of a record, with the kind of record that has what the sentence changes. */
function candidateIn(
  said: string,
  toolOf: (id: string) => Tool | undefined,
): { noun: string; name: string; text: string } | undefined {
  // The noun of one of these kinds says which record is meant.
  if (KINDS.some(([, noun]) => noun.test(said))) return undefined;
  const names = [...said.matchAll(NAMED)].filter(({ groups }) => {
    const words = groups?.name?.split(/\s+/) ?? [];
    return !NOT_NAMED.test(words[0] ?? '') && !OTHER_NOUN.test(words.at(-1) ?? '');
  });
  const [found, ...others] = names.length > 0 ? names : subjectIn(said);
  const name = found?.groups?.name;
  if (found === undefined || name === undefined || others.length > 0) return undefined;
  const rest = said.replace(name, ' ');
  const kind = KINDS.find(
    ([noun, , operations]) =>
      (noun === 'workgroup' && MEMBERS.test(said)) ||
      operations.some((id) => {
        const tool = toolOf(id);
        return tool && (switchIn(rest, tool) !== undefined || (ASKS.test(said) && namesSwitch(rest, tool)));
      }),
  );
  if (!kind) return undefined;
  const [noun] = kind;
  const at = (found.index ?? 0) + found[0].lastIndexOf(name);
  const full = noun === 'workgroup' ? `workgroup ${capital(name)}` : `${capital(name)} ${noun}`;
  const before = said.slice(0, at).replace(/\b(?:the|our)\s+$/iu, '');
  const what = found.groups?.what;
  if (what !== undefined) {
    const rest = said.slice(at + name.length + what.length);
    return { noun, name, text: `${before}the${what} of the ${full}${rest}` };
  }
  return { noun, name, text: `${before}the ${full}${said.slice(at + name.length)}` };
}

/** The subject of a sentence, if its words are common ones and none of a deed. */
function subjectIn(said: string): RegExpMatchArray[] {
  const found = SUBJECT.exec(said);
  const isName = wordsOf(found?.groups?.name ?? '').every(({ acts, isUnknown }) => acts.length === 0 && !isUnknown);
  return found && isName ? [found] : [];
}

/** The answer about a record that the sentence names without its noun; that of `one` for any other sentence. */
export function withNamedRecord(
  said: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const own = one(said);
  const named = own.isRefused || own.orAccount ? undefined : candidateIn(respelled(said).text, toolOf);
  const isCommon = named && wordsOf(named.name).every(({ isUnknown }) => !isUnknown);
  const isOpen = own.kind === 'help' || /\. Not taken: |not understood/u.test(own.understood);
  if (!named || (isCommon && !isOpen)) return own;
  const meant = one(named.text);
  const { kind, operation, input, understood, remarks } = meant;
  const isOfKind = KINDS.some(
    ([noun, , operations]) => noun === named.noun && operations.some((id) => id === operation),
  );
  if (operation === undefined || !isOfKind) return own;
  if (isCommon || own.operation === operation) return meant;
  const { name, noun } = named;
  return {
    ...own,
    orAccount: { name, noun, kind, operation, input, understood, ...(remarks !== undefined && { remarks }) },
  };
}
