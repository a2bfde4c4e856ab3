import type { Tool } from '../../../catalogue/operation.ts';
import { placeName } from '../../../language/places.ts';
import { respelled } from '../../../language/spelling.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { LINE } from '../facts/line-pattern.ts';

/*
 * Settings of a route, recognised by their values and not by the verb: "bypass off for incoming on the main sms route", "basic auth
 * for Main SMS route, user acme-in", "main sip trunk transport to udp", "add a second trunk sip2.example.com to it". A host
 * is known by its name; IP addresses are read with the sentence (`numbered-parts.ts`). Also a new route with a host.
 */

const ROUTE =
  /(?:\b(?:for|on|of|at|to|in|from|onto)\s+)?(?:\b(?:the|our)\s+)?(?:(?<named>(?<![\p{L}\d'’-])(?!(?:the|our|second|2nd|first|1st|backup|spare|another|new|a|an|basic|bearer)\b)(?:(?!(?:the|our|for|on|of|at|to|in|from|use|using|set|change|put|turn|switch|make|give|add|route|trunk|is|should|bypass|skip|auth|bearer|guardian|filtering|routes?|incoming|inbound|outgoing|outbound|traffic|priority|weight|lookup|udp|tcp|tls|second|2nd|first|1st|backup|spare|another|and)\b)[\p{L}\d'’-]+\s+){1,3}?(?:route|trunk))\b|\b(?:route|trunk)\b(?!\s*#?\s*\d))(?:['’]s\b)?/giu;
const OF_TEXTS = /\b(?:sms|mms|texts?|messages?|messaging)\b/iu;
const ASKS =
  /\?\s*$|["“”„]|^\W*(?:(?:and|so|ok|hey|hi)[\s,]+)*(?:is|are|was|does|did|has|have|who|what|which|where|why|when|how|if|show|list|see|check|find)\b|\b(?:if|unless|delete|remove\s+the\s+route|rename|instead|not\s+sure)\b/iu;
const URL = /\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]/iu;
const HOST = /(?<![@\w.-])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}(?:\.[a-z]{2,})*(?![@\w-])/iu;
const IP = /(?:\d{1,3}\.){3}\d{1,3}/u;
const PORT = /\bport\s*(?:(?:is|to|of)\s+|[:=]\s*)?(?<value>\d{2,5})\b|(?<=[a-z]):(?<after>\d{2,5})\b/iu;
const TRANSPORT = /\b(?<value>udp|tcp|tls)\b/iu;
const SECOND =
  /\b(?:second|2nd|secondary|back-?up|spare|failover|fallback|another|additional|extra)\s+(?:sip\s+|voice\s+)?trunk\b|\btrunk\s*#?\s*2\b|(?<=\btrunk\s)2(?=\s+(?:to|priority|weight)\b)/iu;
const FIRST = /\b(?:first|1st|primary)\s+(?:sip\s+|voice\s+)?trunk\b|\btrunk\s*#?\s*1\b/iu;
const OFF =
  /\b(?:stop|quit|end|off|no|not|never|dont|without|disable|remove|cease|drop|kill|cancel|deactivate|shouldnt)\b|n['’]t\b/iu;
const NUMBER_BEHIND = /(?<=\b\p{L}+\s+(?:route|trunk))\s*#?(?<at>[12])(?=\s+(?:to|is|should)\s)/iu;
const COUNT =
  /\b(?<what>priority|weight)\b(?:\s+(?:of|for|on))?(?:\s+(?:trunk\s*)?#?(?<at>[12])(?=\s+(?:to|[:=]|is|should)))?\s*(?:(?:to|is|now|should\s+be|must\s+be|of)\s+|[:=]\s*)*(?<value>\d{1,5})\b/iu;
const LEFT =
  /\b(?:please|pls|plz|can|could|you|u|we|i|it|its|want|need|needs?|set|change|put|turn|switch|make|give|add|use|using|uses|with|on|off|to|in|for|of|at|as|the|our|and|by|from|now|should|must|be|is|has|have|enable|disable|activate|start|stop|end|quit|no|not|dont|without|remove|drop|host(?:name)?|address|server|domain|sip|ip|trunks?|route|value|setting|type|get|update|move|point|points|over|via|another|a|an|again|go|goes|going|let|run|runs|new|second|first|2nd|1st|primary|secondary|backup|number|all|traffic|messages?|texts?|guardian|filtering|filter|protocol|thanks|thx|asap|today|called|named|create|build|up|voice|through|instead|onto|do|deactivate|kill|cancel|cease|ensure|sure|enabled|disabled|back|sms|mms|calls?)\b|[\p{P}\p{S}]/giu;

/** The change of a route, or a new one with a host. Undefined for any other sentence. */
export function ofRouteSettings(typed: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  if (typed.length > 200 || ASKS.test(typed) || !/\b(?:route|trunk)\b/iu.test(typed)) return undefined;
  const said = respelled(typed).text.replace(new RegExp(`^\\W*${COURTESY}`, 'iu'), '');
  return ofNewHost(said, toolOf) ?? ofSetting(said, toolOf);
}

/** Reports go to the address for receipts. */
const RECEIPTS = /\b(?:receipts?|reports?|deliver\p{L}*|dlrs?)\b/iu;
/** Says what a route carries, and is no name. */
const GENERIC = /^(?:(?:sms|mms|texts?|messages?|messaging|voice|calls?|sip|one|only)\s+)+(?:route|trunk)$/iu;

/** The values that a sentence sets, and the words that are left of it. */
interface Setting {
  input: Fields;
  rest: string;
  told: string;
}

function ofSetting(said: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  if (
    /\b(?:create|build|register|(?:new|another)\s+(?:\p{L}+\s+){0,2}(?:route|trunk\s+(?:called|named)))\b/iu.test(said)
  )
    return undefined;
  // "The priority of main sip trunk 1 to 20": the number behind the name is that of the trunk.
  const behind = NUMBER_BEHIND.exec(said)?.groups?.at;
  const whole = said.replace(NUMBER_BEHIND, ' ');
  const part = behind === '2' || SECOND.test(whole) ? 2 : 1;
  const plain = whole.replace(SECOND, ' ').replace(FIRST, ' ');
  const named = [...plain.matchAll(ROUTE)];
  const name = named.flatMap(({ groups }) => groups?.named ?? []).find((one) => !GENERIC.test(one));
  const isTrunk = named.length > 0 || part === 2;
  if (!isTrunk) return undefined;
  const isText = OF_TEXTS.test(name ?? '') || (name === undefined && OF_TEXTS.test(said));
  const rest = plain.replace(ROUTE, (all) => (all === '' ? '' : ' … '));
  const found = isText ? settingOfTexts(rest) : settingOfCalls(rest, part, behind !== undefined);
  const tool = toolOf(isText ? 'message_routes_update' : 'voice_routes_update');
  if (!found || !tool || new RegExp(LINE, 'iu').test(found.rest) || IP.test(said)) return undefined;
  const record = { [isText ? 'MessageRouteId' : 'CallRouteId']: name ?? placeName() };
  const left = found.rest.replace(LEFT, ' ').replace(/…/gu, ' ').trim().split(/\s+/u).filter(Boolean);
  // The other words may be another order.
  if (left.length > 2) return undefined;
  const told = `${found.told}${left.length > 0 ? `. Not taken: “${left.join(' ')}”` : ''}`;
  return formOf(tool, { ...record, ...found.input }, told);
}

const AUTH =
  /\b(?<type>basic|bearer|no)\s+auth(?:entication|orization)?\b|\bauth(?:entication|orization)?(?:\s+type)?\s*(?:(?:to|is|should\s+be|must\s+be|with|:|=)\s*)?(?<type2>basic|bearer|none)\b/iu;
const USER =
  /\b(?:user\s?name|user|login)\b\s*(?:(?:is|to|as|should\s+be|:|=)\s*)?(?<user>(?!(?:for|on|of|the|and)\b)[\p{L}\d][\p{L}\d._@-]*)/iu;

function settingOfTexts(rest: string): Setting | undefined {
  const BYPASS = /\b(?:bypass(?:es|ed|ing)?|skip(?:s|ped|ping)?)\b/iu;
  if (BYPASS.test(rest)) {
    const isOn = !OFF.test(rest.replace(/\bno\s+(?:guardian|filter\p{L}*)\b/giu, ' '));
    const both = /\bboth\b/iu.test(rest);
    const isIn = both || /\b(?:in-?bound|incoming|received)\b/iu.test(rest);
    const isOut = both || /\b(?:out-?bound|outgoing|sent)\b/iu.test(rest);
    const input = { ...(isIn && { InboundBypass: isOn }), ...(isOut && { OutboundBypass: isOn }) };
    const told =
      isIn || isOut
        ? `. Guardian filtering is ${isOn ? 'skipped' : 'not skipped'}`
        : '; inbound and outbound have a bypass each: choose in the form';
    return {
      ...{ input, told },
      rest: rest
        .replace(BYPASS, ' ')
        .replace(
          /\b(?:both|directions?|ways?|(?:in|out)-?bound|incoming|outgoing|received|sent|yes|true|false)\b/giu,
          ' ',
        ),
    };
  }
  const auth = AUTH.exec(rest)?.groups;
  const type = auth?.type ?? auth?.type2;
  if (type !== undefined) {
    const before = /\bcall-?back\b/iu.test(rest) ? 'CallbackMessage' : 'Message';
    const value = /^no/iu.test(type) ? 'None' : `${type[0]?.toUpperCase() ?? ''}${type.slice(1).toLowerCase()}`;
    const plain = rest.replace(AUTH, ' ');
    const user = USER.exec(plain)?.groups?.user;
    const input = {
      [`${before}AuthenticationType`]: value,
      ...(user !== undefined && { [`${before}Username`]: user }),
    };
    return { input, rest: plain.replace(USER, ' ').replace(/\bcall-?back\b/iu, ' '), told: '' };
  }
  const url = URL.exec(rest)?.[0];
  if (
    url === undefined ||
    OFF.test(rest) ||
    RECEIPTS.test(rest.replace(url, ' ')) ||
    !/\b(?:(?:sms|mms|text|message|call-?back)\s+)?(?:url|address|endpoint)\b/iu.test(rest)
  )
    return undefined;
  const field = /\bcall-?back\b/iu.test(rest) ? 'CallbackMessageUrl' : 'MessageUrl';
  return {
    input: { [field]: url },
    rest: rest.replace(url, ' ').replace(/\b(?:url|endpoint|call-?back)\b/giu, ' '),
    told: '',
  };
}

const CNAM = /\b(?:cnam|caller\s+name)\s+(?:look-?\s?ups?|dips?)\b/iu;

function settingOfCalls(rest: string, at: 1 | 2, isBehind: boolean): Setting | undefined {
  if (CNAM.test(rest))
    return {
      input: { CnamLookup: !OFF.test(rest) },
      rest: rest.replace(CNAM, ' '),
      told: `. CNAM lookup: ${OFF.test(rest) ? 'off' : 'on'}`,
    };
  if (OFF.test(rest) || URL.test(rest)) return undefined;
  const host = HOST.exec(rest)?.[0];
  const transport = TRANSPORT.exec(rest)?.groups?.value;
  const port = portIn(rest);
  // Other counts are read with the sentence (`numbered-parts.ts`).
  const count = isBehind ? COUNT.exec(rest.replace(/…\s*/gu, ' '))?.groups : undefined;
  if (host === undefined && transport === undefined && count === undefined) return undefined;
  const own = count?.at ?? String(at);
  const input: Fields = {
    ...(host !== undefined && { [`TrunkIp${own}`]: host }),
    ...(port !== undefined && { [`TrunkPort${own}`]: port }),
    ...(transport !== undefined && { [`TrunkTransport${own}`]: transport.toUpperCase() }),
    ...(count?.what !== undefined && {
      [`Trunk${own}${/^p/iu.test(count.what) ? 'Priortiy' : 'Weight'}`]: Number(count.value),
    }),
  };
  const left = [host ?? '', PORT, TRANSPORT, /\b(?:priority|weight)\b/iu, /\btransport\b/iu].reduce<string>(
    (text, one) => text.replace(one, ' '),
    count === undefined ? rest : rest.replace(/\b\d{1,5}\b/gu, ' '),
  );
  return { input, rest: left, told: own === '1' ? '' : `; trunk ${own}` };
}

function portIn(text: string): number | undefined {
  const { value, after = value } = PORT.exec(text)?.groups ?? {};
  return after === undefined ? undefined : Number(after);
}

const NEW =
  /^\W*(?:(?:please|pls|we|i|need|want|to|us|me|get|add|create|make|build|set\s+up|register)[\s,:]+)*(?:(?:an?|another|new)\s+)*(?<!\b(?:the|our)\s)(?:(?:voice|call|sip)\s+(?:route|trunk)|route)\b/iu;
const CALLED =
  /\b(?:called|named|name\s+it|call\s+it)\s+(?<name>(?!(?:with|at|on)\b)[\p{L}\d][\p{L}\d&'’-]*(?:\s+(?!(?:at|with|on|for|to|port|host|via|using|and|over|in)\b)[\p{L}\d][\p{L}\d&'’-]*){0,3}?)(?=\s*(?:$|[,.;]|\b(?:at|with|on|for|to|port|host|via|using|and|over|in)\b))/iu;
const AFTER_NOUN = /\b(?:route|trunk)\s*[:,]?\s+(?<name>\p{Lu}[\p{L}\d&'’-]*(?:\s+\p{Lu}[\p{L}\d&'’-]*){0,3})/u;

/** "New voice route called Backup with host sip.example.com port 5060" */
function ofNewHost(said: string, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const host = URL.test(said) || OF_TEXTS.test(said) ? undefined : HOST.exec(said)?.[0];
  const tool = toolOf('voice_routes_create');
  const isNew = /\b(?:new|create|another|an?|build|register|set\s+up)\b/iu.exec(NEW.exec(said)?.[0] ?? '') !== null;
  if (host === undefined || !tool || !isNew || IP.test(said)) return undefined;
  if (
    /\b(?:second|2nd|backup|spare|another|a)\s+(?:\p{L}+\s+)?trunk\b[^,;]*\b(?:to|on|for)\s+(?:the\s+|our\s+)?(?:\p{L}+\s+){1,3}(?:trunk|route)\b/iu.test(
      said,
    )
  )
    return undefined;
  const name = CALLED.exec(said)?.groups?.name ?? AFTER_NOUN.exec(said)?.groups?.name;
  const owner = /\bfor\s+(?<who>(?!(?:the|our|us|me)\b)\p{L}[\p{L}\d-]*)/iu.exec(said)?.groups?.who;
  const transport = TRANSPORT.exec(said)?.groups?.value;
  const port = portIn(said);
  return formOf(tool, {
    ...(name !== undefined && { RouteName: name }),
    RouteType: 'Trunk',
    TrunkIp1: host,
    ...(port !== undefined && { TrunkPort1: port }),
    ...(transport !== undefined && { TrunkTransport1: transport.toUpperCase() }),
    ...(owner !== undefined && { AccountId: owner }),
  });
}

function formOf(tool: Tool, input: Fields, remarks = ''): GuidedAnswer {
  const text = `${understood(tool, input)}${remarks}`;
  return { ...answer('form', { tool, input, understood: text }), ...(remarks !== '' && { remarks }) };
}
