import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/* A secret that a message wants changed: "reset ava's password". It is not read from the message, but typed into the form. */

const SECRET = /\b(?:password|passcode|token|secret)\b/iu;

/** The answer with a word about the secret of its form that the message names. */
export function withSecretNote(guided: GuidedAnswer, said: string, tool: Tool | undefined): GuidedAnswer {
  const { kind, input, remarks = '' } = guided;
  if (!tool || kind !== 'form' || !isChange(tool) || SECRET.test(remarks)) return guided;
  const names = fieldsOf(tool).flatMap(({ secret, name, label }) =>
    secret && input[name] === undefined ? (SECRET.exec(label)?.[0].toLowerCase() ?? []) : [],
  );
  const secret = names.find((name) => new RegExp(`\\b${name}s?\\b`, 'iu').test(said));
  if (secret === undefined) return guided;
  const told = `. Type the new ${secret} into the form: secrets are not read from messages`;
  return { ...guided, understood: `${guided.understood.replace(/\.$/, '')}${told}.`, remarks: `${remarks}${told}` };
}
