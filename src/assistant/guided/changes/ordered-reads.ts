import { recordKinds, references } from '../../../../tools/surfaces/records.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { type Asked, isForbidden, isPolite, isQuestion } from '../facts/stance.ts';
import { namedIn } from './existing-records.ts';

/*
 * An order that was read as a question for a record: "swap trunk priorities on the Acme voice route". A verb of change at the
 * head of a sentence asks for the change of that record, whose fields are then chosen in the form.
 */

const HEAD = String.raw`^\W*${COURTESY}`;
/** Verbs that change what a record has, and ask for no record to be shown. */
const VERB =
  '(?:swap|exchange|flip|reorder|reverse|rearrange|change|update|edit|modify|adjust|alter|correct|fix|set|reset|rotate|renew|replace|point|repoint|redirect|move|shift|switch|turn|raise|lower|bump|increase|decrease|reduce|extend|shorten|rename|relabel|enable|disable|pause|resume|limit|tighten|loosen|put|make|give|rewrite|reword|reprice|discount|record|transcribe|announce)';
const ORDERS = new RegExp(String.raw`${HEAD}(?<verb>${VERB})\b(?!\s*\?)`, 'iu');

const SHOWS = /\b(?:lists?|overview|show|display|table|see|view)\b|\b(?:give|make|put)\s+(?:me|us|together)\b/iu;

/** The change of records that are called so. */
function changeOf(noun: string): string | undefined {
  const read = references.find((one) => one.noun === noun)?.read?.operation;
  return read?.replace(/_get$/, '_update');
}

/** The answer with the change of a record in place of the record, where the sentence orders a change. */
export function withOrderedChange(
  guided: GuidedAnswer,
  asked: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const { operation = '', kind, input, isInstead } = guided;
  if (kind !== 'lookup' || isInstead || guided.lead !== undefined || asked.isBack) return guided;
  const noun =
    references.find(({ read }) => read?.operation === operation)?.noun ??
    recordKinds.find(({ list }) => list.operation === operation && list.page === undefined)?.noun;
  const change = noun === undefined ? undefined : changeOf(noun);
  const said = asked.plain ?? asked.said;
  const verb = ORDERS.exec(said)?.groups?.verb;
  const isOrder = asked.clauses.every(
    ({ text, isAsked }) => !isForbidden(text) && (isPolite(text) || !isQuestion(text, isAsked)),
  );
  const tool = change === undefined ? undefined : toolOf(change);
  if (!tool || !isOrder || verb === undefined || !asked.mayUse(tool.id) || SHOWS.test(said)) return guided;
  const record = fieldsOf(tool).find((field) => field.required && kindOf(field)?.noun === noun);
  const name = references.some(({ read }) => read?.operation === operation)
    ? Object.values(input)[0]
    : guided.narrow?.name;
  if (!record) return guided;
  const known = typeof name === 'string' ? name : namedIn(asked, noun ?? '');
  const own = known === undefined ? {} : { [record.name]: known };
  const remarks = `; what “${verb.toLowerCase()}” changes in it is chosen in the form`;
  const { narrow: _, orAccount: _account, ...rest } = guided;
  return {
    ...rest,
    ...answer('form', { tool, input: own, understood: `${understood(tool, own)}${remarks}` }),
    remarks,
  };
}
