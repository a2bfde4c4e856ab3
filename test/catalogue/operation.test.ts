import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineWorkflow } from '../../src/catalogue/operation.ts';
import { withReadBack } from '../../src/catalogue/read-back.ts';
import { tools } from '../../tools/index.ts';

/*
 * The schemas of all operations take longer to make than one operation takes to run, so a process makes only those that
 * it reads.
 */

describe('the schemas of a definition', () => {
  it('are made when they are first read, once', () => {
    const made: string[] = [];
    const tool = defineWorkflow({
      id: 'numbers_test',
      group: 'numbers',
      title: 'Test',
      description: 'Test',
      risk: 'write',
      input: () => {
        made.push('input');
        return { PhoneNumber: z.string() };
      },
      output: () => {
        made.push('output');
        return { Status: z.string() };
      },
      ordinary: {},
      raised: { 'a number': ['PhoneNumber'] },
      consent: () => ({ title: 'Test', consequence: '', confirm: 'Test', undo: 'Test' }),
      examples: [{ PhoneNumber: '+12015550101' }],
      run: async () => ({}),
    });
    expect(made).toEqual([]);
    expect(tool.input.safeParse({ PhoneNumber: '+12015550101', More: 1 }).success).toBe(false);
    expect(tool.input).toBe(tool.input);
    expect(tool.raisedBy).toBe('a number');
    expect(made).toEqual(['input']);
    expect(tool.output.parse({ Status: 'Active', More: 1 })).toEqual({ Status: 'Active', More: 1 });
    expect(made).toEqual(['input', 'output']);
  });

  it('are not made by the rule that reads an outcome', () => {
    const made = tools.map(withReadBack).filter((tool) => !Object.getOwnPropertyDescriptor(tool, 'input')?.get);
    expect(made).toEqual([]);
  });
});
