import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fieldsOf } from '../../../../src/catalogue/fields.ts';
import type { Tool } from '../../../../src/catalogue/operation.ts';
import { fieldInputs, functionsOf, outputsOf, toolOf } from '../../../../src/surfaces/slack/builder/definitions.ts';
import { buildManifest } from '../../../../src/surfaces/slack/manifest.ts';
import { groups } from '../../../../tools/groups.ts';
import { tools } from '../../../../tools/index.ts';
import { builderSteps } from '../../../../tools/surfaces/builder-steps.ts';
import { record } from '../support.ts';

const TYPES = ['string', 'integer', 'number', 'boolean', 'slack#/types/user_id', 'slack#/types/date'];

interface Parameters {
  properties: Record<string, { type: string; title: string; description?: string }>;
  required: string[];
}

type Functions = Record<string, { title: string; input_parameters: Parameters; output_parameters: Parameters }>;

const functionsIn = (catalogue: readonly Tool[]) => functionsOf(catalogue) as Functions;

/** The catalogue with another title for one field of one operation. */
function retitled(id: string, field: string, title: string): Tool[] {
  return tools.map((tool) => {
    if (tool.id !== id) return tool;
    const shape = { ...tool.input.shape, [field]: (tool.input.shape[field] as z.ZodType).meta({ title }) };
    return { ...tool, input: z.strictObject(shape) } as Tool;
  });
}

describe('the steps', () => {
  it('are four, with the members that Slack asks for', () => {
    const functions = functionsIn(tools);
    expect(Object.keys(functions)).toEqual([
      'look_up_number',
      'request_cancellation',
      'start_port_in',
      'ask_for_change',
    ]);
    for (const [id, { title, input_parameters, output_parameters }] of Object.entries(functions)) {
      expect(id).toMatch(/^[a-z_]{1,100}$/);
      expect(title).not.toBe('');
      for (const { properties, required } of [input_parameters, output_parameters]) {
        expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
        for (const [name, parameter] of Object.entries(properties)) {
          expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
          expect(TYPES).toContain(parameter.type);
          expect(parameter.title).not.toBe('');
        }
      }
      expect(output_parameters.required).toEqual(['status', 'message']);
    }
  });

  it('have an input for every field that their operation requires', () => {
    for (const step of builderSteps) {
      const tool = toolOf(step, tools);
      if (!tool) continue;
      const filled = fieldInputs(step, tool).map(({ path }) => path.split('.')[0]);
      const required = fieldsOf(tool).flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
      expect(filled).toEqual(expect.arrayContaining(required));
    }
  });

  it('take no AuthCode, and name their outputs apart', () => {
    for (const step of builderSteps) {
      expect(JSON.stringify(step)).not.toMatch(/authcode/i);
      const names = outputsOf(step, tools).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('follow the fields of the catalogue', () => {
    const input = (catalogue: readonly Tool[]) =>
      functionsIn(catalogue).start_port_in?.input_parameters.properties.carrier;
    expect(input(tools)).toMatchObject({ type: 'string', title: 'Current carrier name' });
    expect(input(retitled('numbers_portin', 'CurrentCarrierName', 'Losing carrier'))?.title).toBe('Losing carrier');
    expect(functionsIn(tools).start_port_in?.input_parameters.properties.date?.type).toBe('slack#/types/date');
  });

  it('need operations and fields that the catalogue has', () => {
    const without = tools.filter(({ id }) => id !== 'numbers_cancel');
    expect(() => functionsOf(without)).toThrow('request_cancellation performs numbers_cancel');
    const [lookup] = builderSteps;
    const [tool] = tools.filter(({ id }) => id === 'numbers_lookup');
    if (!lookup || !tool) throw new Error('no lookup');
    expect(() => fieldInputs({ ...lookup, fields: { number: 'Fax' } }, tool)).toThrow(
      'numbers_lookup has no field Fax',
    );
  });
});

describe('the manifest with steps', () => {
  it('differs from the ordinary one in what steps need', () => {
    const plain = buildManifest({ tools, groups });
    const manifest = buildManifest({ tools, groups, workflow: true });
    const { functions, settings, ...rest } = manifest;
    const { settings: before, ...same } = plain;
    expect(rest).toEqual(same);
    expect(plain.functions).toBeUndefined();
    expect(functions).toEqual(functionsOf(tools));
    const { event_subscriptions: events } = record(before);
    expect(settings).toEqual({
      ...record(before),
      event_subscriptions: {
        ...record(events),
        bot_events: expect.arrayContaining(['function_executed', ...(record(events).bot_events as string[])]),
      },
      org_deploy_enabled: true,
      function_runtime: 'remote',
    });
    expect(JSON.stringify(manifest)).toBe(JSON.stringify(buildManifest({ tools, groups, workflow: true })));
  });
});
