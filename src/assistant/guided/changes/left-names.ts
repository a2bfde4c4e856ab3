import { recordKinds, references } from '../../../../tools/surfaces/records.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { scopesIn } from '../answers/account-scope.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { namesLeft } from '../answers/untaken.ts';
import { RECORDS } from '../facts/names.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * A name that a reading leaves over is that of the record which its operation is about: "what's inside Starter" is read as
 * the products of a package, and lacks only the package.
 */

/** Records that people call by another noun than the one of their kind. */
const ROUTES = /\broute$/;
const GROUP = 'workgroup';
const SEVERAL = /\b(?:routes|trunks|workgroups|groups|which|list|all)\b/iu;

/**
 * The answer with the only name that it left over, in the only required field that takes the name of a record. A list of
 * records is narrowed to the name.
 */
export function withLeftName(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined): GuidedAnswer {
  if (!tool || guided.isRefused || guided.each || guided.find || (guided.kind !== 'form' && guided.kind !== 'lookup'))
    return guided;
  const open = fieldsOf(tool).filter(
    (field) => field.required && guided.input[field.name] === undefined && isNamed(kindOf(field)?.noun),
  );
  const [field, ...others] = open;
  const record = ofOneRecord(guided, asked, tool);
  if (record) return record;
  const [found, ...further] = namesLeft(guided, asked).filter(({ name }) => mayName(name, asked.said, tool));
  // "Remove all of it from ava"
  const scopes = found === undefined && field && kindOf(field)?.noun === 'subscriber' ? scopesIn(asked.said) : [];
  const left = found ?? (scopes.length === 1 ? scopes[0] : undefined);
  if (left === undefined || further.length > 0) return guided;
  const { name } = left;
  const noun = 'noun' in left ? (left.noun ?? '') : '';
  const list = recordKinds.find(({ list: { operation, page } }) => operation === tool.id && page === undefined);
  if (guided.kind === 'lookup' && !guided.narrow && list?.noun.endsWith(noun))
    return {
      ...guided,
      narrow: { name, kinds: [], said: `“${name}”` },
      understood: `${guided.understood.replace(/\.$/, '')}; only “${name}”.`,
    };
  if (!field || others.length > 0 || kindOf(field)?.noun.endsWith(noun) === false) return guided;
  const input = { ...guided.input, [field.name]: name };
  const isFilled = fieldsOf(tool).every((one) => !one.required || one.name in input);
  const kind = tool.risk === 'read' && isFilled ? 'lookup' : guided.kind;
  return { ...guided, ...answer(kind, { tool, input, understood: understood(tool, input) }) };
}

/** Asks whether a route works. */
const WORKS =
  /\b(?:works?|working|up|down|through|reach\w*|ok|okay|fine|alive|dead|running|healthy|broken|live|ringing|status|state|problems?|trouble)\b/iu;
const PARTS = /[,;:.!?]+(?:\s|$)|\s[–—-]+\s/u;
const NOUN = /\b(?:routes?|trunks?|packages?|plans?|products?|bundles?|workgroups?|features?)\b/iu;
const REPORTS = /^\s*(?:because\s+|since\s+|as\s+)?(?:it|they|we|i|he|she|someone|somebody)\b/iu;

/**
 * True for a word that may name a record: it stands in no report behind the order ("…, it leaked"), apart from the
 * record's noun, and is no technical value of the operation ("udp").
 */
function mayName(name: string, said: string, tool: Tool): boolean {
  const values = fieldsOf(tool).flatMap(({ choices, known }) => choices ?? known ?? []);
  if (values.some((value) => value.toLowerCase() === name.toLowerCase())) return false;
  const parts = said.split(PARTS);
  const own = parts.find((part) => part.includes(name));
  const isApart = own !== undefined && !NOUN.test(own) && parts.some((part) => NOUN.test(part));
  return !(isApart && REPORTS.test(own));
}

/** The route or workgroup that a question names, in place of the list of all: "is trunk 1 enabled on the main SIP trunk". */
function ofOneRecord(guided: GuidedAnswer, asked: Asked, tool: Tool): GuidedAnswer | undefined {
  const kind = recordKinds.find(
    ({ noun, list }) => (ROUTES.test(noun) || noun === GROUP) && list.operation === tool.id,
  );
  const read = references.find(({ noun }) => noun === kind?.noun)?.read;
  if (!kind || !read || guided.kind !== 'lookup' || SEVERAL.test(asked.said)) return undefined;
  const [left, ...others] = namesLeft(guided, asked).filter(({ name }) => mayName(name, asked.said, tool));
  const { routes, records } = asked.facts.details;
  const named = kind.noun === GROUP ? records.find(({ noun }) => noun === GROUP) : routes[0];
  const name = named?.name ?? (others.length === 0 ? left?.name : undefined);
  if (name === undefined) return undefined;
  const part = /\btrunk\s*[12]\b/iu.exec(asked.said)?.[0];
  const told = part === undefined ? '' : `, with the state of ${part}`;
  const works = WORKS.test(asked.said) ? '. Whether calls and texts get through is not measured here' : '';
  const understood = `The ${kind.noun} “${name}”${told}${works}.`;
  return { ...guided, operation: read.operation, input: read.input(name), understood };
}

/** A webhook has an address, and no name. */
function isNamed(noun = ''): boolean {
  return noun !== 'webhook' && (RECORDS.has(noun) || noun === 'subscriber' || ROUTES.test(noun));
}
