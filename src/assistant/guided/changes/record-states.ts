import { references } from '../../../../tools/surfaces/records.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { AskedValue } from '../../../language/asked-values.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { switchesIn } from './named-switches.ts';

/*
 * Orders that switch a route, in words without their verb or with one that people use for lines: "main sip trunk back on",
 * "pause the main sms route", "guardian on for the main sms route". Questions with yes or no about a route that is named: "is the main sip trunk active", "is call streaming on for the main
 * sip trunk". The record of the route answers them, and no search by a word of its name.
 */

/** Kinds of routes by the words at the end of their name, with the change whose switches they have. */
const KINDS: readonly (readonly [noun: string, ends: string, update: string])[] = [
  ['voice route', String.raw`trunk|(?:voice|calls?|sip)\s+route`, 'voice_routes_update'],
  ['message route', String.raw`(?:sms|mms|texts?|messages?|messaging)\s+route`, 'message_routes_update'],
];
const LEAD = String.raw`^\W*(?:(?:hi|hey|ok|so|and|but|check|see|tell|me|know|if|whether|quick|question|can|could|you|u|please|pls)[\s,:]+)*(?:is|are|does|do|has|have)\s+`;
const WORD = String.raw`(?!(?:any\w*|lines?|numbers?|there|all|which|what|who|it|this|that|of|on|in|to|for|with|using|used|at|from|a|an)\b)[\p{L}\d'’-]+`;
const STATE = String.raw`(?:(?:still|back|currently|now|even|really|actually|already|right\s+now|at\s+all|switched|turned|set\s+to)\s+)*(?:active|inactive|enabled|disabled|on|off|up|down|live|running|working|in\s+service|out\s+of\s+service|deleted|gone)`;
const END = String.raw`(?:\s+(?:now|right\s+now|again|at\s+the\s+moment|or\s+(?:off|on|not|disabled|inactive|down)|yet|please|pls))*[\s?.!]*$`;
/** A line, and what routes are asked about besides themselves. */
const OTHERS =
  /\d{4}|["“„]|https?:|\b(?:lines?|numbers?|customers?|cost|mean|change[ds]?|today|yesterday|since|week)\b/iu;

/** The record of the route that the question is about. Undefined for other sentences. */
export function ofRecordState(
  typed: string,
  one: (said: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (OTHERS.test(typed)) return undefined;
  const said = ROUTE_NOUN.test(typed) ? typed.replace(GUARDIAN, 'intelligent routing') : typed;
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

/** People call the filtering of a route by the name of that of customers. */
const GUARDIAN = /\bguardian(?:\s+filter(?:s|ing)?)?\b/iu;

/** The switch of the whole route. */
function switchOf(update: Tool): Field[] {
  return fieldsOf(update).filter(
    ({ kind, name }) => kind === 'boolean' && /^(?:Message|Call|Voice)?RouteEnabled$/.test(name),
  );
}

function askedValue({ name, label }: Field): AskedValue {
  return { name, label };
}

const POLITE = String.raw`^(?<lead>\W*${COURTESY})`;
const NAMED = String.raw`(?:(?:the|our)\s+)?(?<route>(?!(?:the|our|turn|switch|put|set|bring|get|take|leave|keep|is|was|calls?|texts?|new|another|other|no)\b)(?:(?!(?:on|off|of|for|is|to|the|from|route|trunk)\b)[\p{L}\d'’-]+\s+){1,3}?(?:trunk|route)(?:\s+(?!(?:on|off|back|up|down|again|should|must|needs?|has|can|to|for|please|pls|plz|now|is|was|today|until|till|and)\b)\p{L}[\p{L}\d-]+)?)`;
const AFTER = String.raw`(?<rest>(?:\s+(?:please|pls|plz|now|again|asap|thanks|thx))*(?:\s+(?:for\s+(?:now|an?\s+\p{L}+|today|the\s+\p{L}+)|until\s+[^,.;!?]+|till\s+[^,.;!?]+|temporarily))?(?:\s*[,;.–—]\s*[^?]*|\s+(?:its|it['’]s|because|cuz|since|as|they|we|getting|too)\b[^?]*)?[\s.!]*)$`;
/** "Main SIP trunk back on", "the main sms route should be off" */
const VERBLESS = new RegExp(
  String.raw`${POLITE}${NAMED}\s+(?:(?:should|must|needs?\s+to|has\s+to|can|to)\s+)?(?:(?:be|go|come|get)\s+)?(?:(?:turned|switched|put)\s+)?(?:(?<back>back\s+(?:on|up)|on|live\s+again)|(?<off>off))${AFTER}`,
  'iu',
);
/** Verbs that are none of routes, and those that delete one where it says that it is for a while. */
const PAUSED = new RegExp(
  String.raw`${POLITE}(?:(?<off>pause|suspend|halt|freeze|park|hold|mute|(?:kill|stop|cut)(?=[^?]*\b(?:for\s+(?:now|today|tonight|an?\s+\p{L}+|the\s+(?:moment|time|night|day))|temporarily|until|till)\b))|(?<back>re-?enable|unpause|resume|restore|reopen|unfreeze|unmute))\s+${NAMED}${AFTER}`,
  'iu',
);
const GUARDED = /\bguardian\b|\b(?:spam|robocall|scam)\s+filter(?:s|ing)?\b|^\W*intelligent\s+rout(?:e|ing)\b/iu;
/** "Take the main sip trunk offline" */
const LINE_STATE = new RegExp(
  String.raw`${POLITE}(?:take|bring|put|get)\s+${NAMED}\s+(?:back\s+)?(?:(?<off>off\s?-?line|out\s+of\s+service)|(?<back>on\s?-?line|in(?:to)?\s+service))${AFTER}`,
  'iu',
);
const ROUTE_NOUN = /\b(?:(?:sms|mms|texts?|messages?|messaging|voice|calls?|sip)\s+)?(?:route|trunk)\b/iu;
const WAY_ON =
  /\b(?:on(?!\s+(?:the|our|(?!(?:for|of)\b)\S+\s+(?:sip|sms|voice|text|message|call|route|trunk)))|enable|activate|re-?enable|start|use)\b/iu;
const WAY_OFF = /\b(?:off|disable|deactivate|stop|remove|without|no)\b/iu;
/** A line, and sentences that ask or speak against it. */
const NO_SWITCH =
  /\?\s*$|["“„]|https?:|\d{4}|^\W*(?:is|are|does|do|did|has|have|was|were|who|what|which|where|why|when|how|if)\b|\b(?:not|never|unless|dont)\b|n['’]t\b|\b(?:create|new|add|rename|call(?:ed)?\s+it|points?|move)\b/iu;

/** "Main SMS route: method should be GET", "set the url method to POST on the main sms route" */
const METHOD =
  /^(?!.*\bcallback\b)\W*(?:(?:please|pls|plz|can|could|you|we)\s+)*(?:(?:the\s+|our\s+)?(?<named>(?:(?!(?:set|change|switch|the|our|on|of|for)\b)[\p{L}\d'’-]+\s+){1,3}?route)[\s:,]+(?:(?:http|url|message|the)\s+)*method\s+(?:should\s+be|is|must\s+be|to|needs\s+to\s+be|:)?\s*(?<method>get|post)|(?:set|change|switch)\s+(?:(?:the|http|url|message)\s+)*method\s+(?:(?:of|on|for)\s+(?:the\s+|our\s+)?(?<route>(?:[\p{L}\d'’-]+\s+){1,3}?route)\s+to\s+(?<way>get|post)|to\s+(?<verb>get|post)\s+(?:on|of|for)\s+(?:the\s+|our\s+)?(?<last>(?:[\p{L}\d'’-]+\s+){1,3}?route)))(?:\s+(?:please|pls|now))*[\s.!]*$/iu;

/** The order to switch a route on or off, or its filtering, in words that name the switch. Any other text as it is. */
export function withRouteSwitched(text: string): string {
  if (!ROUTE_NOUN.test(text) || NO_SWITCH.test(text)) return text;
  const { route: of, last = of, named = last, way, verb = way, method = verb } = METHOD.exec(text)?.groups ?? {};
  if (named !== undefined && method !== undefined) return `the ${named} should use ${method.toUpperCase()}`;
  const guarded = GUARDED.test(text) ? guardedIn(text) : undefined;
  if (guarded !== undefined) return guarded;
  const {
    lead = '',
    route,
    off,
    rest = '',
  } = (VERBLESS.exec(text) ?? PAUSED.exec(text) ?? LINE_STATE.exec(text))?.groups ?? {};
  if (route === undefined) return text;
  return `${lead}turn ${off === undefined ? 'on' : 'off'} the ${nounLast(route)}${rest.replace(RUN_ON, ', ')}`;
}

/** Begins a reason without a comma. */
const RUN_ON = /(?<![,;.–—])\s+(?=(?:its|it['’]s|because|cuz|since|as|they|we|getting|too)\b)/iu;
const NOUN_FIRST = /^(?<noun>(?:\p{L}+\s+)?(?:route|trunk))\s+(?<name>\p{L}[\p{L}\d-]*)$/iu;

/** "SMS route main" as "main sms route". */
function nounLast(route: string): string {
  return route.replace(NOUN_FIRST, '$<name> $<noun>');
}

/** "Switch on guardian filtering on the sms route main": the filtering of the route, and of no customer. */
function guardedIn(text: string): string | undefined {
  const isOff = WAY_OFF.test(text);
  const name =
    /\b(?:on|for|of|at|in)\s+(?:the\s+|our\s+)?(?<route>(?:(?!(?:on|for|of|at|in|the|our)\b)[\p{L}\d'’-]+\s+){0,3}?(?:route|trunk)\b(?:\s+(?!(?:please|pls|now|again|for|today|on|off|back)\b)\p{L}[\p{L}\d-]+)?)/iu.exec(
      text,
    )?.groups?.route;
  if (name === undefined || (!isOff && !WAY_ON.test(text))) return undefined;
  return `turn ${isOff ? 'off' : 'on'} intelligent routing of the ${nounLast(name)}`;
}
