import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { kindOf } from '../../../language/typed-values.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { isOfCallback } from '../answers/fill.ts';
import { letsInNoMore, rowChange, rowsTold } from '../answers/present-rows.ts';
import { saidIn } from '../facts/choices.ts';
import { namesCount, withParts } from '../facts/numbered-parts.ts';
import { type Asked, isForbidden, isPolite, isQuestion } from '../facts/stance.ts';
import { hasNamedSwitch } from './named-switches.ts';

/*
 * Orders that name a record which exists: "the trunk IP on the Acme voice route needs to be …", "add failover on the main
 * SIP trunk". Only a sentence that asks for a new record makes one.
 */

const NOUNS: Readonly<Record<string, string>> = {
  'voice route': '(?:route|trunk)',
  'message route': '(?:route|trunk)',
  package: '(?:package|plan|bundle|tariff)',
  product: 'product',
  webhook: 'webhook',
};
const WORDS = String.raw`(?:[\p{L}\d'’-]+\s+){0,4}?`;
const PART =
  /\b(?:(?:an?|another|new|one|the)\s+)*(?:\p{L}+\s+)?trunk(?=\s+(?:[\d.:]+\s+)?(?:on|for|to|of|at)\s+(?:[^,;.!?]*\b(?:route|trunk)\b|(?:it|that|this)\b))/iu;
const MAKES = /\b(?:create|set\s?up|build|register|make\s+(?:me\s+|us\s+)?(?:an?|another|new)|another)\b/iu;

/** A numbered part of a route, in the words of people. */
const OTHER_PART =
  /\b(?:second|2nd|secondary|backup|back-up|spare|failover|fallback|another|extra|additional|further)\s+(?:sip\s+)?trunk\b/iu;
const NEW_ROUTE = /\broute\s+(?:called|named)\b|\b(?:new|another|an?)\s+(?:(?:voice|call|sip)\s+)*route\b/iu;

/** True if a sentence adds a trunk to the route that it names: "add a second trunk 192.0.2.20 to main sip trunk". */
function isPartOfNamed(asked: Asked): boolean {
  const name = namedIn(asked, 'voice route');
  return name !== undefined && !OTHER_PART.test(name) && OTHER_PART.test(asked.said) && !NEW_ROUTE.test(asked.said);
}

/** True if a sentence speaks of a record that exists, and asks for no new one. */
function isExisting(asked: Asked, noun: string): boolean {
  const { said } = asked;
  const word = NOUNS[noun];
  if (noun === 'voice route' && isPartOfNamed(asked)) return true;
  // An order to add to a package is about a product.
  if (word === undefined || MAKES.test(said) || (noun === 'package' && /\badd\b/iu.test(said))) return false;
  // "A second trunk on the voice route" is a part of the route.
  const whole = noun === 'voice route' ? said.replace(PART, ' ') : said;
  const isNew = new RegExp(String.raw`\b(?:new|additional|further|extra|an?)\s+${WORDS}${word}s?\b`, 'iu').test(whole);
  const isNamed = new RegExp(
    String.raw`(?:\b(?:the|our|this|that|its|on|of|to|at)|\p{L}['’]s)\s+${WORDS}${word}\b`,
    'iu',
  ).test(said);
  // "Main trunk needs TLS"
  const isSubject = new RegExp(
    String.raw`^\W*(?!(?:an?|new|another)\b)(?:\p{L}+\s+){1,3}${word}\s+(?:needs?|should|must|has\s+to)\b`,
    'iu',
  );
  const isMeant = (noun === 'voice route' && whole !== said) || isSubject.test(said);
  return (isNamed || isMeant) && !isNew;
}

/** The answer without a record whose name is another value of the order: "udp". */
export function withoutValueNames(guided: GuidedAnswer, tool: Tool | undefined): GuidedAnswer {
  if (!tool) return guided;
  const plain = (value: unknown) => String(value).toLowerCase();
  const ids = fieldsOf(tool).filter(({ kind }) => kind === 'id');
  // The name on the bill at another carrier may be that of the customer.
  const texts = fieldsOf(tool).filter(
    ({ name, kind }) => (kind === 'text' || kind === 'choice') && name !== 'SubscriberName',
  );
  const others = new Set(texts.flatMap(({ name }) => (name in guided.input ? plain(guided.input[name]) : [])));
  const wrong = ids.filter(
    ({ name }) => typeof guided.input[name] === 'string' && others.has(plain(guided.input[name])),
  );
  if (wrong.length === 0) return guided;
  const input = Object.fromEntries(
    Object.entries(guided.input).filter(([name]) => !wrong.some((one) => one.name === name)),
  );
  return { ...guided, kind: 'form', input };
}

/** The answer with the change of a record in place of a new one, where the sentence names the record. */
export function withExisting(
  guided: GuidedAnswer,
  asked: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const id = guided.operation?.replace(/_create$/, '_update');
  const tool = id === guided.operation || guided.kind === 'help' ? undefined : toolOf(id ?? '');
  const record = tool && fieldsOf(tool).find((field) => field.required && field.kind === 'id');
  const noun = (record && kindOf(record)?.noun) ?? '';
  if (!tool || !record || !asked.mayUse(tool.id) || !isExisting(asked, noun)) return guided;
  const own = new Set(fieldsOf(tool).map(({ name }) => name));
  const values = Object.entries(guided.input).filter(([name]) => own.has(name) && name !== 'RouteType');
  const name = namedIn(asked, noun);
  const input = { ...(name !== undefined && { [record.name]: name }), ...Object.fromEntries(values) };
  const verb = /\badd\b/iu.exec(asked.said)?.[0];
  const remarks = `${guided.remarks ?? ''}${verb === undefined ? '' : `; “${verb}” is read as a change of it`}`;
  const text = `${understood(tool, input)}${remarks}`;
  return { ...guided, ...answer('form', { tool, input, understood: text }), ...(remarks !== '' && { remarks }) };
}

/** Nouns of records in an order for a new one, each with the beginning of its operations. */
const NEW_RECORDS: readonly (readonly [noun: string, operations: string])[] = [
  ['product', 'products'],
  ['(?:package|plan|bundle|tariff)', 'packages'],
  ['web\\s?hook', 'webhook'],
  ['(?:sms|mms|text|message|messaging)\\s+(?:route|trunk)', 'message_routes'],
  ['(?:voice|call|sip)\\s+(?:route|trunk)', 'voice_routes'],
];
const NEW_FIRST = String.raw`^\W*(?:(?:please|pls|plz|hi|hey|ok|so|and|we|i|you|u|need|want|can|could|us|me|to|an?|the)[\s,:]+)*(?:new|another|fresh|create|register|set\s?up)\s+(?:(?:an?|new|another|the)\s+)*`;

/** The answer with a new record in place of a change, where a sentence begins with "new" and the noun of the record. */
export function withNewRecord(
  guided: GuidedAnswer,
  asked: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const id = guided.operation?.replace(/_update$/, '_create');
  const noun = NEW_RECORDS.find(([, operations]) => id === `${operations}_create`)?.[0];
  const tool = id === guided.operation || noun === undefined ? undefined : toolOf(id ?? '');
  const said = asked.plain ?? asked.said;
  if (!tool || guided.kind !== 'form' || !asked.mayUse(tool.id)) return guided;
  if (!new RegExp(String.raw`${NEW_FIRST}${noun}\b`, 'iu').test(said)) return guided;
  const own = new Set(fieldsOf(tool).map(({ name }) => name));
  const input = Object.fromEntries(Object.entries(guided.input).filter(([name]) => own.has(name)));
  const { remarks } = guided;
  return {
    ...guided,
    ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks ?? ''}` }),
    ...(remarks !== undefined && { remarks }),
  };
}

/** The name of a record of this kind in a sentence. */
export function namedIn({ facts: { details } }: Asked, noun: string): string | undefined {
  const carries = noun === 'voice route' ? 'call' : 'text';
  return NOUNS[noun] === NOUNS['voice route']
    ? // "The backup trunk of main sip trunk" is a part of the route.
      (details.routes.find((route) => route.carries === carries && !OTHER_PART.test(route.name))?.name ??
        details.routes.find((route) => route.carries === carries)?.name)
    : details.records.find((one) => one.noun === noun)?.name;
}

const ROUTE = /\b(?:routes?|trunks?)\b/iu;
const OF_TEXTS = /\b(?:sms|mms|texts?|messages?|messaging)\b/iu;
const ADDRESS = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?(?![\d.])/gu;
/** Words for a list of addresses that may get in. */
const LISTS =
  /\b(?:white|allow)[\s-]?list\w*\b|\b(?:allow(?:ing)?|permit(?:ting)?|accept(?:ing)?|let\s+(?:\S+\s+){0,3}?in(?=\s|$)|trust(?:ing)?)\b/iu;
const OTHERS = /\b(?:others?|rest|existing|present|current|ones?)\b/iu;
const MOVES = /\b(?:point|aim|direct|redirect|repoint|deliver|move|shift|send)\b[^.;!?]*\b(?:routes?|trunks?)\b/iu;
/** A secret is typed into the form. */
const SECRET =
  /\b(?:rotat\p{L}*|renew|refresh|roll|regenerat\p{L}*|cycl\p{L}*|replac\p{L}*|reset|new|fresh|another)\s+(?:the\s+|its\s+|our\s+)?(?:\p{L}+\s+){0,3}?(?:passwords?|tokens?|credentials?|secrets?|api\s+keys?)\b/iu;
const SWITCHES =
  /\b(?:turn|switch|set|enable|disable|activate|deactivate|put|kill|shut|stop|quit|cease|end|start|begin|resume)\b/iu;
/** "Main trunk should use TLS" */
const WISHES = /\b(?:routes?|trunks?)\s+(?:needs?|should|must|has\s+to|uses?)\b/iu;
const NEW_NAMED =
  /\b(?:new|another|an?)\s+(?:(?:voice|call|sip|sms|text|message)\s+){0,2}(?:route|trunk)\s+(?:called|named)\s/iu;

const LATER = '. The line gets the route in a second step: “assign NAME to NUMBER”';

/** An order about a route that its values tell: an address for the whitelist, a switch of the route, a new name. */
export function ofRouteOrder(asked: Asked, byId: ReadonlyMap<string, Tool>): GuidedAnswer | undefined {
  const said = asked.plain ?? asked.said;
  // "…, dont drop the others" only limits the order.
  const limits = asked.clauses.slice(1).filter(({ text }) => isForbidden(text) && OTHERS.test(text));
  const isOrder = asked.clauses.every(
    (clause) =>
      limits.includes(clause) ||
      letsInNoMore(clause.text) ||
      (!isForbidden(clause.text) && (isPolite(clause.text) || !isQuestion(clause.text, clause.isAsked))),
  );
  if (!ROUTE.test(said) || asked.facts.message !== undefined || asked.isBack || !isOrder) return undefined;
  const kind = OF_TEXTS.test(said) ? 'message' : 'voice';
  const form = (act: string, input: Fields, remark = '') => {
    const tool = byId.get(`${kind}_routes_${act}`);
    if (!tool || !asked.mayUse(tool.id)) return undefined;
    const own = { ...nameOf(asked, tool), ...input };
    return {
      ...answer('form', { tool, input: own, understood: `${understood(tool, own)}${remark}` }),
      ...(remark !== '' && { remarks: remark }),
    };
  };
  const create = byId.get(`${kind}_routes_create`);
  const name = create && NEW_NAMED.test(said) ? asked.facts.details.name : undefined;
  // The line that gets the route has none of its values.
  const [line, ...others] = asked.facts.mentions;
  if (create && name !== undefined && line && others.length === 0 && line.before !== 'to')
    return form('create', { ...saidIn(create, asked).input, RouteName: name }, LATER);
  const rows = LISTS.test(said) ? [...said.matchAll(ADDRESS)].map(([IpAddress]) => ({ IpAddress })) : [];
  if (rows.length > 0 && kind === 'voice') return withRows(form, said, rows);
  const update = byId.get(`${kind}_routes_update`);
  const { url } = asked.facts;
  const isMeant =
    MOVES.test(said) || (namedIn(asked, `${kind} route`) !== undefined && isExisting(asked, `${kind} route`));
  if (url !== undefined && isMeant && !/\b(?:new|another|web\s?hooks?)\b/iu.test(said)) {
    const own = kind === 'message' ? 'MessageUrl' : 'VoiceUrl';
    return form('update', { [isOfCallback(said.replace(url, ' ')) ? `Callback${own}` : own]: url });
  }
  const secret = SECRET.exec(said)?.[0];
  if (secret !== undefined) return form('update', {}, `; to “${secret}”, type the new one into the form`);
  if (update && SWITCHES.test(said) && hasNamedSwitch(said, update)) return form('update', {});
  const isNew = MAKES.test(said) || /\badd\b|\b(?:new|an?)\s+(?:\p{L}+\s+){0,3}(?:routes?|trunks?)\b/iu.test(said);
  if (update && !isNew && namesCount(update, said)) {
    const names = Object.values(nameOf(asked, update)).map(String);
    const counts = withParts(update, saidIn(update, asked).input, { said, names });
    return form('update', counts.input, counts.remark);
  }
  const own = update && WISHES.test(said) && !isNew && !line ? saidIn(update, asked).input : {};
  if (update && Object.keys(own).length > 0 && namedIn(asked, `${kind} route`) !== undefined)
    return form(
      'update',
      withParts(update, own, { said, names: Object.values(nameOf(asked, update)).map(String) }).input,
    );
  return undefined;
}

/** The whitelist as a whole, or the entries that come to the present ones or go. */
function withRows(
  form: (act: string, input: Fields, remark?: string) => GuidedAnswer | undefined,
  said: string,
  rows: readonly Fields[],
): GuidedAnswer | undefined {
  const change = rowChange(said, 'IpWhitelist', rows);
  if (!change)
    return form(
      'update',
      { IpWhitelist: rows },
      '. To allow others too, add them: the whitelist is replaced as a whole',
    );
  const guided = form('update', change.adds.length === 0 ? {} : { IpWhitelist: change.adds }, rowsTold(change));
  return guided && { ...guided, rows: change };
}

function nameOf(asked: Asked, tool: Tool): Fields {
  const record = fieldsOf(tool).find((field) => field.required && field.kind === 'id');
  const name = record && namedIn(asked, kindOf(record)?.noun ?? '');
  return record && name !== undefined ? { [record.name]: name } : {};
}
