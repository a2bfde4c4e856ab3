import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * The user name beside a kind of authentication: "basic auth user acme". Its password is a secret, which is typed into the
 * form, so that an offer which lacks it is not asked at once.
 */

const USER =
  /\b(?:user\s?name|user(?:\s+id)?|login)\s*(?:is|=|:|called|named)?\s*["“]?(?<name>[\p{L}\d][\p{L}\d@._+-]*)/iu;
/** Behind the word, but no user name. */
const NO_NAME = /^(?:is|and|with|for|the|a|an|of|to|on|in|has|name|role|manager|admin|please|pls|password)$/iu;

/** The user name that a message gives to an offer, in the field for it, and the rest of the message. */
export function usernameIn(text: string, tool: Tool): { input: Fields; rest: string } {
  const [field, ...others] = fieldsOf(tool).filter(
    ({ name }) => /Username$/.test(name) && name.startsWith('Callback') === /\bcallbacks?\b/iu.test(text),
  );
  const found = USER.exec(text);
  const name = found?.groups?.name;
  if (!field || others.length > 0 || !found || name === undefined || NO_NAME.test(name))
    return { input: {}, rest: text };
  return { input: { [field.name]: name }, rest: text.replace(found[0], ' ').trim() || 'please' };
}

/** The offer without its question, if the rules of its operation still miss a value, which the answer names. */
export function withOpenRules(guided: GuidedAnswer, tool: Tool): GuidedAnswer {
  if (guided.kind !== 'question' || !isChange(tool)) return guided;
  const found = tool.rules?.(guided.input, new Date(0));
  const fields = (Array.isArray(found) ? found : found ? [found] : []).map(({ field }) => field);
  const labels = fieldsOf(tool).flatMap(({ name, label }) =>
    fields.includes(name) && guided.input[name] === undefined ? [label] : [],
  );
  if (labels.length === 0) return guided;
  const told = `; still needed: ${labels.join(', ')}, in the form`;
  return {
    ...{ ...guided, kind: 'form', isLater: true },
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}
