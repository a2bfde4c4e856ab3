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

/** The answer with the only name that it left over, in the only required field that takes the name of a record. */
export function withLeftName(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined): GuidedAnswer {
  if (!tool || guided.isRefused || guided.each || guided.find || (guided.kind !== 'form' && guided.kind !== 'lookup'))
    return guided;
  const open = fieldsOf(tool).filter(
    (field) => field.required && guided.input[field.name] === undefined && isNamed(kindOf(field)?.noun),
  );
  const [field, ...others] = open;
  const [name, ...further] = namesLeft(guided, asked);
  if (!field || others.length > 0 || name === undefined || further.length > 0) return guided;
  const input = { ...guided.input, [field.name]: name };
  const isFilled = fieldsOf(tool).every((one) => !one.required || one.name in input);
  const kind = tool.risk === 'read' && isFilled ? 'lookup' : guided.kind;
  return { ...guided, ...answer(kind, { tool, input, understood: understood(tool, input) }) };
}

function isNamed(noun: string | undefined): boolean {
  return noun !== undefined && (RECORDS.has(noun) || ROUTES.test(noun));
}
