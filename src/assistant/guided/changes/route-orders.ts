import type { Tool } from '../../../catalogue/operation.ts';
import { placeName } from '../../../language/places.ts';
import { answer, type GuidedAnswer, help, understood } from '../answers/answer.ts';
import type { Meant } from '../answers/topics.ts';
import type { Asked } from '../facts/stance.ts';
import { namedIn } from './existing-records.ts';

/*
 * Orders about routes in the words of people who run them: the order of the trunks, "the voice route" of an account that
 * has one, and "turn the route off", which may be the route of texts or of calls.
 */

const TRUNK = /\btrunk\s*(?:#|no\.?\s*)?[12]\b/giu;
const FIRST =
  /\b(?:prefer\w*|favou?r\w*|priorit\w+|primary|first|before|in\s+front|ahead|fail(?:s|ed|ing)?[\s-]*over|over\s+to|last|instead\s+of|rather\s+than|everything\s+(?:over|through|via)|the\s+(?:backup|back-up|secondary|spare|main)(?!\s+(?:sip|voice|route|trunk)))\b/iu;
const ASKS =
  /\?\s*$|^\W*(?:(?:and|so|ok|hey)[\s,]+)*(?:is|are|was|does|do|did|has|have|who|what|which|where|why|when|how)\b|\b(?:not|never)\b|n['’]t\b/iu;
const ORDERED =
  '; which of trunk 1 and trunk 2 is tried first is said by their priorities and weights: enter them in the form';

/** "Trunk 1 is down, prefer trunk 2": the form of the route. That a trunk is down is its reason, and switches none. */
function ofTrunkOrder(asked: Asked, byId: ReadonlyMap<string, Tool>): GuidedAnswer | undefined {
  const said = asked.plain ?? asked.said;
  const tool = byId.get('voice_routes_update');
  if (!tool || !asked.mayUse(tool.id) || said.match(TRUNK) === null || !FIRST.test(said) || ASKS.test(said))
    return undefined;
  if (/\d/.test(said.replace(TRUNK, ' '))) return undefined;
  const name = namedIn(asked, 'voice route');
  const input = { CallRouteId: name === undefined || /\d/.test(name) ? placeName() : name };
  const text = `${understood(tool, input)}${ORDERED}`;
  return { ...answer('form', { tool, input, understood: text }), remarks: ORDERED };
}

const SWITCHES =
  /^\W*(?:(?:please|pls|can|could|you|u|we|ok|so|and|just|now)[\s,]+)*(?:(?:turn|switch|shut|put)\s+(?:the\s+|our\s+)?route\s+(?<way>on|off)|(?:turn|switch|shut)\s+(?<first>on|off)\s+(?:the\s+|our\s+)?route|(?<verb>enable|disable|activate|deactivate)\s+(?:the\s+|our\s+)?route)\b(?:\s+(?:please|pls|now|again|for\s+now))*[\s.!]*$/iu;
const KINDS = ['message', 'voice'] as const;

/** "Turn the route off": the choice between the route of texts and that of calls. */
function ofEitherRoute(asked: Asked, byId: ReadonlyMap<string, Tool>): GuidedAnswer | undefined {
  const { way, first, verb } = SWITCHES.exec(asked.plain ?? asked.said)?.groups ?? {};
  const said = way ?? first ?? verb;
  if (said === undefined) return undefined;
  const RouteEnabled = /^(?:on|enable|activate)$/iu.test(said);
  const nearest = KINDS.flatMap((kind) => {
    const operation = `${kind}_routes_update`;
    const field = kind === 'message' ? 'MessageRouteId' : 'CallRouteId';
    const tool = byId.get(operation);
    return tool && asked.mayUse(operation)
      ? [
          {
            operation,
            input: { [field]: placeName(), RouteEnabled },
            label: `${kind === 'message' ? 'Message' : 'Voice'} route ${RouteEnabled ? 'on' : 'off'}`,
          },
        ]
      : [];
  });
  return { ...help('Texts and calls have routes of their own: which one is meant? Nothing was done'), nearest };
}

/** The answer to such an order. Undefined for any other sentence. */
export function ofRouteWords(asked: Asked, byId: ReadonlyMap<string, Tool>): GuidedAnswer | undefined {
  if (asked.facts.message !== undefined || asked.isBack) return undefined;
  return ofTrunkOrder(asked, byId) ?? ofEitherRoute(asked, byId);
}

const KIND =
  /^\W*(?:(?:the|that|it['’]?s|i\s+mean|for|of|rather)\s+)*(?<kind>voice|calls?|sip|texts?|sms|messages?)(?:\s+(?:one|route|trunk))?(?:\s+(?:please|pls))?[\s.!]*$/iu;

/** "The voice one" after "turn the route off". Undefined for other messages. */
export function ofWhichRoute(text: string, last: string): Meant | undefined {
  const kind = KIND.exec(text)?.groups?.kind;
  if (kind === undefined || !SWITCHES.test(last)) return undefined;
  const full = last.replace(/\broute\b/iu, `${/^(?:v|c|sip)/iu.test(kind) ? 'voice' : 'message'} route`);
  return { text: full, kind: 'read' };
}

const THE_ROUTE =
  /\b(?:[Tt]he|[Oo]ur)\s+(?:(?:[Vv]oice|[Cc]alls?|[Ss][Ii][Pp]|[Ss][Mm][Ss]|[Tt]exts?|[Mm]essages?|[Mm]essaging|[Ii]nbound|[Ii]ncoming)\s+)*(?:route|trunk)\b(?:['’]s)?(?!\s+["“\p{Lu}])/u;
const IDS: Readonly<Record<string, string>> = {
  voice_routes_update: 'CallRouteId',
  message_routes_update: 'MessageRouteId',
};

/** The change of "the voice route": it is the only one, or surfaces let a person choose. */
export function withOnlyRoute(guided: GuidedAnswer, asked: Asked): GuidedAnswer {
  const field = guided.kind === 'form' ? IDS[guided.operation ?? ''] : undefined;
  if (field === undefined || guided.input[field] !== undefined || !THE_ROUTE.test(asked.said)) return guided;
  if (asked.facts.mentions.length > 0 || asked.facts.details.routes.length > 0) return guided;
  const understood = guided.understood.replace(/; still needed: (?:Message|Voice) route(?=[.;])/u, '');
  return { ...guided, input: { [field]: placeName(), ...guided.input }, understood };
}
