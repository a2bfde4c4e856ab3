import { type Fields, isRecord, type Part, partsOf, pathOf } from '../../lib/json.ts';
import { plainLine } from '../../lib/text.ts';
import { type Words, words } from '../../lib/words.ts';
import { quoted } from './plain-values.ts';
import type { AnswerShape } from './readings.ts';
import { errorStatus, isFailedState, isFailureText, isPrevious, isStatus, MAX_REASON, readFlag } from './readings.ts';

/*
 * Finds the members of an answer to a change that say that the work was not done, under any name. The members that the
 * caller sent are data, so their texts do not count.
 */

/** A member whose name says that it describes a failure: `ErrorMessage`, `RejectedNumbers`, `FailedCount`. */
const FAILURE_NAME =
  /fail(?!over)|error|reject|refus|declin|denied|invalid|unsuccess|exception|problem|^(not|un)(changed|updated|done|processed|applied|found|sent)|^skipped/i;
/** A flag that says whether the work was done, beside those that every body has (`Successful`). */
const DONE_FLAG = /^(is|was)?(ok|okay|done|completed?|processed|accepted|executed|applied|performed|valid|succeeded)$/i;
/** The flags of every body, in a row of it. */
const ROW_FLAG = /^(is|was)?success(ful|ful?ly)?$/i;
/** A count of what was done. */
const DONE_COUNT = /^(updated|changed|affected|processed|created|applied|sent)(count|rows|records|numbers)?$/i;
/** A code in place of `StatusCode`. */
const CODE = /^(result|response|http|status)?_?code$/i;
/** A member whose value names the result, like a status. */
const RESULT = /(state|result|outcome)$/i;
/** The text of names, addresses and statements is data. `Warning` and `Resolved` are written by the gate. */
const DATA = /(name|e-?mail|url|uri|street\d?|city|body|statement)$|^(warning|resolved|transactionlogid)$/i;
/** Addresses and codes without a space. */
const ADDRESS = /^\S*[/@$]\S*$/;
/** Values of a member with such a name that report no failure. */
const NOTHING = /^\s*(none|null|nil|n\/?a|no|false|0+|0x0|-|ok|success\w*|no[\s_-]?(errors?|failures?))?\s*[.!]?\s*$/i;
const MAX_DEPTH = 8;
/** Maximum number of members that are named in a message. */
const MAX_NAMED = 5;

interface ReadFor {
  shape: AnswerShape;
  /** The fields that the operation takes. */
  fields: readonly string[];
  /** The lists of numbers, which are counted elsewhere. */
  counted: readonly string[];
}

/** The members of an answer that report a failure, each as `Result: “Failed”`. */
export function objectionsIn(answer: Fields, options: ReadFor): Words[] {
  const { shape } = options;
  const [counted, fields] = [options.counted, options.fields].map((names) => new Set(names.map(lower)));
  const found: Part[] = [];
  const isFailureName = (part: Part) => FAILURE_NAME.test(part.name) && !isWithin(part, fields);
  const into = (part: Part) =>
    part.depth <= MAX_DEPTH && !isFailureName(part) && !(part.depth === 1 && counted?.has(lower(part.name)));
  for (const part of partsOf(answer, into)) {
    const { value, name, depth } = part;
    if (depth === 0 || value === null || value === undefined || (depth === 1 && counted?.has(lower(name)))) continue;
    const isNo = (flag: RegExp) => flag.test(name) && readFlag(value) === false;
    const objects = isFailureName(part)
      ? isFilled(value)
      : isNo(DONE_FLAG) ||
        (depth > 1 && isNo(ROW_FLAG)) ||
        (saysNothingDone(name, value) && !isWithin(part, fields)) ||
        (typeof value === 'string' && saysFailure(name, value, { isData: isWithin(part, fields), shape }));
    if (objects) found.push(part);
  }
  const objections = found.map((part) => member(pathOf(part, true), part.value));
  const status = errorStatus(answer);
  if (status !== undefined) objections.push(member('StatusCode', status));
  return objections.slice(0, MAX_NAMED);
}

/** True for a part of what the caller sent. */
function isWithin(part: Part, fields: ReadonlySet<string> | undefined): boolean {
  for (let at: Part | undefined = part; at?.around !== undefined; at = at.around)
    if (typeof at.key === 'string' && fields?.has(lower(at.key))) return true;
  return false;
}

function saysFailure(name: string, text: string, { isData, shape }: { isData: boolean; shape: AnswerShape }): boolean {
  if (isStatus(name)) return isFailureText(text);
  if (isData || DATA.test(name) || isPrevious(name) || ADDRESS.test(text)) return false;
  return isFailureText(text) || (RESULT.test(name) && isFailedState(text.trim(), shape));
}

/** A count of nothing, or the code of an error. */
function saysNothingDone(name: string, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  return (DONE_COUNT.test(name) && value === 0) || (CODE.test(name) && value >= 400 && value <= 599);
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return !NOTHING.test(value);
  if (typeof value === 'number') return value !== 0;
  if (Array.isArray(value)) return value.some((one) => one !== null && isFilled(one));
  // Also an error by field whose text is empty.
  return isRecord(value) ? Object.keys(value).length > 0 : value === true;
}

/** A member as a message shows it: `Result: “Failed”`. */
export function member(path: string, value: unknown): Words {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return words`${NAME.test(path) ? path : 'a member'}: ${quoted(plainLine(text, MAX_REASON))}`;
}

/** A member's name as the platform writes it. Any other name may be a sentence. */
const NAME = /^[A-Za-z][\w.]{0,80}$/;

const lower = (name: string) => name.toLowerCase();
