import { expect } from 'vitest';
import { secretNames } from '../../src/catalogue/fields.ts';
import type { Tool } from '../../src/catalogue/operation.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { tools } from '../../tools/index.ts';
import { type Json, nobody } from '../support/world.ts';

type Input = Record<string, unknown>;

/** A call that reads well and is refused. `sent: false`: no request for it left. */
export interface Refused {
  input: Input;
  code: string;
  field?: string;
  sent: boolean;
}

/** A record id of the examples, by its prefix. */
const RECORD = /^([A-Z]+)-[0-9a-f]{8}-/;
const { isSecret } = createRedactor(secretNames(tools));

/** The first example of a tool. */
export function example(id: string): Input {
  const found = tools.find((tool) => tool.id === id)?.examples[0];
  if (found === undefined) throw new Error(`there is no tool ${id}`);
  return found;
}

/** The example for a record that does not exist; otherwise the example without a required field, or with a wrong one. */
export function refusal(tool: Tool): Refused {
  const input = example(tool.id);
  const record = Object.entries(input).find(([, value]) => typeof value === 'string' && RECORD.test(value));
  if (record !== undefined) {
    const [, prefix = ''] = RECORD.exec(String(record[1])) ?? [];
    return { input: { ...input, [record[0]]: nobody(prefix) }, code: 'not_found', sent: true };
  }
  const required = Object.keys(input).find((name) => !tool.input.shape[name]?.safeParse(undefined).success);
  const field = required ?? Object.keys(tool.input.shape)[0] ?? 'Nonsense';
  const { [field]: _, ...rest } = input;
  return {
    input: required === undefined ? { ...rest, [field]: { wrong: true } } : rest,
    field,
    code: 'invalid_input',
    sent: false,
  };
}

/** Expects that the answer contains no secret of the input. */
export function expectNoSecrets(input: Input, result: Json): void {
  const text = JSON.stringify(result);
  for (const [name, value] of Object.entries(input))
    if (isSecret(name) && typeof value === 'string') expect(text).not.toContain(`"${value}"`);
}
