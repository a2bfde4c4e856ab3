import { expect } from 'vitest';
import { secretNames } from '../../src/catalogue/fields.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { tools } from '../../tools/index.ts';
import type { Json } from '../support/world.ts';

type Input = Record<string, unknown>;

const { isSecret } = createRedactor(secretNames(tools));

/** The first example of a tool. */
export function example(id: string): Input {
  const found = tools.find((tool) => tool.id === id)?.examples[0];
  if (found === undefined) throw new Error(`there is no tool ${id}`);
  return found;
}

/** Expects that the answer contains no secret of the input. */
export function expectNoSecrets(input: Input, result: Json): void {
  const text = JSON.stringify(result);
  for (const [name, value] of Object.entries(input))
    if (isSecret(name) && typeof value === 'string') expect(text).not.toContain(`"${value}"`);
}
