import { references } from '../../../../tools/surfaces/records.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { AskedValue } from '../../../language/asked-values.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import { switchesIn } from './named-switches.ts';

/*
 * Questions with yes or no about a route that is named: "is the main sip trunk active", "is call streaming on for the main
 * sip trunk". The record of the route answers them, and no search by a word of its name.
 */

/** Kinds of routes by the words at the end of their name, with the change whose switches they have. */
const KINDS: readonly (readonly [noun: string, ends: string, update: string])[] = [
  ['voice route', String.raw`trunk|(?:voice|calls?|sip)\s+route`, 'voice_routes_update'],
  ['message route', String.raw`(?:sms|mms|texts?|messages?|messaging)\s+route`, 'message_routes_update'],
];
const LEAD = String.raw`^\W*(?:(?:hi|hey|ok|so|and|but|check|see|tell|me|know|if|whether|quick|question|can|could|you|u|please|pls)[\s,:]+)*(?:is|are|does|do|has|have)\s+`;
const WORD = String.raw`(?!(?:any\w*|lines?|numbers?|there|all|which|what|who|it|this|that|of|on|in|to|for|with|using|used|at|from|a|an)\b)[\p{L}\d'’-]+`;
const STATE = String.raw`(?:(?:still|currently|now|even|really|actually|already|right\s+now|at\s+all|switched|turned|set\s+to)\s+)*(?:active|inactive|enabled|disabled|on|off|up|down|live|running|working|in\s+service|out\s+of\s+service|deleted|gone)`;
const END = String.raw`(?:\s+(?:now|right\s+now|again|at\s+the\s+moment|or\s+(?:off|on|not|disabled|inactive|down)|yet|please|pls))*[\s?.!]*$`;
/** A line, and what routes are asked about besides themselves. */
const OTHERS =
  /\d{4}|["“„]|https?:|\b(?:lines?|numbers?|customers?|cost|mean|change[ds]?|today|yesterday|since|week)\b/iu;

/** The record of the route that the question is about. Undefined for other sentences. */
export function ofRecordState(
  said: string,
  one: (said: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (OTHERS.test(said)) return undefined;
  for (const [noun, ends, id] of KINDS) {
    const update = toolOf(id);
    const read = references.find((one) => one.noun === noun)?.read;
    const tool = read && toolOf(read.operation);
    if (!update || !read || !tool) continue;
    const record = String.raw`(?:the\s+|our\s+)?(?<name>(?!(?:the|our)\b)(?:${WORD}\s+){1,3}?(?:${ends}))`;
    const whole = new RegExp(String.raw`${LEAD}${record}(?:\s+route)?\s+${STATE}${END}`, 'iu').exec(said);
    const part = new RegExp(
      String.raw`${LEAD}(?<what>[^.;!?]+?)\s+(?:(?:still\s+)?(?:on|off|enabled|disabled|active|set|there)\s+)?(?:for|on|of|at|by)\s+${record}(?:\s+route)?${END}`,
      'iu',
    ).exec(said);
    const has = new RegExp(
      String.raw`${LEAD}${record}(?:\s+route)?\s+(?:(?:still|already|also|even)\s+)*(?:have|has|use|using|do|doing|support|got)?\s*(?<what>[^.;!?]+)`,
      'iu',
    ).exec(said);
    const of = [part, has].find((match) => match && switchesIn(match.groups?.what ?? '', update).length > 0);
    const name = (whole ?? of)?.groups?.name;
    const asked = of ? switchesIn(of.groups?.what ?? '', update) : switchOf(update);
    if (name === undefined) continue;
    const own = one(said);
    // A number of a trunk and the name of an account are read with the sentence.
    if (own.operation === tool.id) return { values: asked.map(askedValue), ...own };
    const shown = answer('lookup', { tool, input: read.input(name), understood: `The ${noun} “${name}”` });
    return { ...shown, values: asked.map(askedValue), ...(own.orAccount && { orAccount: own.orAccount }) };
  }
  return undefined;
}

/** The switch of the whole route. */
function switchOf(update: Tool): Field[] {
  return fieldsOf(update).filter(
    ({ kind, name }) => kind === 'boolean' && /^(?:Message|Call|Voice)?RouteEnabled$/.test(name),
  );
}

function askedValue({ name, label }: Field): AskedValue {
  return { name, label };
}
