import { expect, it } from 'vitest';
import { withReadBack } from '../../src/gate/change.ts';
import { tools } from '../../tools/index.ts';

/*
 * The schemas of all operations take longer to make than one operation takes to run, so a process makes only those that
 * it reads.
 */

it('the schemas of a definition are not made by the rule that reads an outcome', () => {
  const made = tools.map(withReadBack).filter((tool) => !Object.getOwnPropertyDescriptor(tool, 'input')?.get);
  expect(made).toEqual([]);
  // Each is made once.
  for (const tool of tools.slice(0, 3)) expect(tool.input).toBe(tool.input);
});
