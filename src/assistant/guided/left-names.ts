import { recordKinds } from '../../../tools/surfaces/records.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { kindOf } from '../../language/typed-values.ts';
import { answer, type GuidedAnswer, understood } from './answer.ts';
import { RECORDS } from './names.ts';
import type { Asked } from './stance.ts';
import { namesLeft } from './untaken.ts';

/*
 * A name that a reading leaves over is that of the record which its operation is about: "what's inside Starter" is read as
 * the products of a package, and lacks only the package.
 */

/** Records that people call by another noun than the one of their kind. */
const ROUTES = /\broute$/;

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
  const [left, ...further] = namesLeft(guided, asked);
  if (left === undefined || further.length > 0) return guided;
  const { name, noun = '' } = left;
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

/** A webhook has an address, and no name. */
function isNamed(noun = ''): boolean {
  return noun !== 'webhook' && (RECORDS.has(noun) || ROUTES.test(noun));
}
