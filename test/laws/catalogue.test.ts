import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { batchedBy } from '../../src/catalogue/change.ts';
import { fieldsOf, parseInput, secretNames } from '../../src/catalogue/input.ts';
import { type Field, isChange, type Operation, select, type Tool } from '../../src/catalogue/operation.ts';
import { ROUTES } from '../../src/demo/sandbox/server.ts';
import { type ObjectSchema, REASON, takesReason } from '../../src/language/assistants/own-tools.ts';
import { VERSION } from '../../src/lib/version.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { carrierReason } from '../../src/platform/dialect/verdict.ts';
import { listed } from '../../src/start/derive.ts';
import { groups, presets } from '../../tools/groups.ts';
import { operations, tools, workflows } from '../../tools/index.ts';
import { eventOperations } from '../../tools/surfaces/events.ts';
import { ROOT } from '../support/build.ts';
import { deadEnds } from './references.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const everything = listed();
const listedOf = (id: string) => everything.find((entry) => entry.id === id)?.tool;
const NONE: ObjectSchema = { type: 'object' };
const each = tools.map((tool): [string, Tool] => [tool.id, tool]);

/** Files of tools/ that define a tool, by their path from there. */
const definitions = readdirSync(join(ROOT, 'tools'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?!shared|surfaces)[a-z0-9]+\/[a-z0-9-]+\.ts$/.test(path))
  .sort();

describe('the catalogue and the files', () => {
  it.each(definitions)('tools/%s defines one tool, which the index has', async (path) => {
    const [folder = '', file = ''] = path.replace(/\.ts$/, '').split('/');
    const { default: tool } = (await import(pathToFileURL(join(ROOT, 'tools', path)).href)) as { default: Tool };
    const words = file.replaceAll('-', '_');
    expect(tools).toContain(tool);
    if (tool.kind === 'workflow') expect([folder, tool.id]).toEqual(['workflows', words]);
    else expect(tool).toMatchObject({ id: `${folder}_${words}`, group: folder });
  });

  it('holds no tool without a file, and no id twice', () => {
    expect([tools.length, new Set(tools.map(({ id }) => id)).size]).toEqual([definitions.length, definitions.length]);
  });

  it('has an operation for every endpoint of the sandbox', () => {
    const endpoints = operations.map(({ endpoint }) => endpoint);
    const served = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(served.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
  });

  it('has aliases of tools that exist, which are no words of another one', () => {
    for (const [group, { aliases = {} }] of Object.entries(groups))
      for (const [alias, id] of Object.entries(aliases)) {
        expect(tools.some((tool) => tool.id === id && tool.group === group)).toBe(true);
        expect(tools.some((tool) => tool.id === `${group}_${alias}`)).toBe(false);
      }
  });

  it('orders tools that exist', () => {
    const ids = tools.map((tool) => tool.id);
    for (const [group, { order = [] }] of Object.entries(groups))
      for (const id of order) expect([id, ids.includes(id), id.split('_')[0]]).toEqual([id, true, group]);
  });

  it.each(each)('%s speaks as people do, under a title that no window cuts', (_id, tool) => {
    const words = [tool, ...fieldsOf(tool).map((field) => ({ ...field, title: field.label }))].flatMap(
      ({ title, description }) => [title, description],
    );
    expect(tool.title.length).toBeLessThanOrEqual(24);
    expect(words.filter((text) => /\bassumed\b|\bdocumented\b|E\.164/i.test(text))).toEqual([]);
  });

  it.each(operations.map((operation): [string, Operation] => [operation.id, operation]))(
    '%s follows from its endpoint',
    (id, { endpoint, method, path, risk, resend, source, notes }) => {
      expect(`${method} ${path}`).toBe(endpoint);
      const slug = path.replace('/v1.0/', '').replace(/[/-]/g, '_');
      const allowed = method === 'GET' ? [slug.replace(/(_get)?$/, '_get')] : [slug, `${slug}_create`, `${slug}_set`];
      expect(allowed).toContain(id);
      // A read may be repeated.
      if (method === 'GET') expect(risk).toBe('read');
      if (risk === 'read') expect(resend).toBe(true);
      // A call that makes or costs something is never sent twice.
      if (risk === 'spend' || id.endsWith('_create')) expect(resend).toBe(false);
      if (source === 'A') expect(notes).toContain('assumed: ');
    },
  );

  it('has the workflows of the contract', () => {
    const numbers = ['cancel', 'diagnose', 'find', 'lookup', 'watch', 'watches'].map((word) => `numbers_${word}`);
    expect(workflows.map((flow) => flow.id).sort()).toEqual(['events_since', ...numbers]);
  });

  it('has a group for every tool and no empty group', () => {
    expect(new Set(tools.map((tool) => tool.group))).toEqual(new Set(Object.keys(groups)));
  });

  it('names only what exists in presets', () => {
    const ids = tools.map((tool) => tool.id);
    for (const preset of Object.values(presets)) {
      for (const id of [...(preset.ids ?? []), ...(preset.without ?? [])]) expect(ids).toContain(id);
      for (const group of preset.groups ?? []) expect(Object.keys(groups)).toContain(group);
    }
  });

  it('has the version of package.json', () => {
    expect(VERSION).toBe((JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version);
  });
});

describe.each(each)('%s', (id, tool) => {
  it('has a name clients take and a description that is not cut', () => {
    expect(id).toMatch(/^[a-zA-Z0-9_-]{1,50}$/);
    expect(Buffer.byteLength(listedOf(id)?.description ?? '')).toBeLessThanOrEqual(2048);
    expect(tool.title).not.toBe('');
    expect(tool.description).not.toBe('');
  });

  it('parses its own examples', () => {
    expect(tool.examples.length).toBeGreaterThan(0);
    for (const example of tool.examples) expect(() => parseInput(tool, example, NOW)).not.toThrow();
  });

  it('refuses an unknown field by its name', () => {
    expect(() => parseInput(tool, { ...tool.examples[0], Nonsense: 1 }, NOW)).toThrow(/Nonsense: is not a field/);
  });

  it('has consent words exactly where a person is asked, within the limits of the surfaces', () => {
    const asks = isChange(tool);
    expect(tool.consent !== undefined, asks ? 'a person is asked: add consent' : 'nobody is asked').toBe(asks);
    for (const example of tool.examples) {
      const input = parseInput(tool, example, NOW);
      const words = tool.consent?.(input, {});
      if (!words) continue;
      for (const text of [words.title, words.consequence, words.undo, words.confirm]) expect(text.trim()).not.toBe('');
      for (const text of Object.values(words).flat()) expect(text).not.toMatch(/undefined|\[object|NaN/);
      expect(words.confirm.length).toBeLessThanOrEqual(30);
      expect(words.title.length).toBeLessThanOrEqual(150);
      expect(words.consequence.length).toBeLessThanOrEqual(1000);
    }
  });

  it('has three hints that follow from its risk and re-send', () => {
    expect(listedOf(id)?.annotations).toMatchObject({
      readOnlyHint: tool.risk === 'read',
      destructiveHint: tool.risk === 'destroy' || tool.raisedBy !== undefined,
      idempotentHint: tool.resend,
      title: tool.title,
    });
  });

  it('has a strict object as input schema, without unions at the top', () => {
    const schema = listedOf(id)?.inputSchema ?? NONE;
    expect(schema.type).toBe('object');
    expect(schema.additionalProperties).toBe(false);
    for (const union of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(union);
    // The reason of an assistant's call is an argument of the tool, and no field of the operation.
    const fields = [...Object.keys(tool.input.shape), ...(takesReason(tool) ? [REASON] : [])];
    expect(Object.keys(schema.properties as object).sort()).toEqual(fields.sort());
  });

  it('has a loose object as output schema, with no member that is secret', () => {
    const schema = listedOf(id)?.outputSchema ?? NONE;
    expect(schema.type).toBe('object');
    expect(schema.additionalProperties).not.toBe(false);
    expect(schema.required ?? []).toEqual([]);
    const { isSecret } = createRedactor(secretNames(tools));
    expect(memberNames(schema).filter(isSecret)).toEqual([]);
    if (tool.risk === 'spend' || tool.risk === 'destroy') expect(schema.properties).toHaveProperty('confirmation');
  });
});

describe('secrets', () => {
  it('are known by name wherever the contract has one', () => {
    const { isSecret } = createRedactor(secretNames(tools));
    const names =
      'AuthCode token AccountSecret Password PortOutPIN PortOutPin CurrentAccountPassword MessagePasswordToken CallbackMessagePasswordToken';
    for (const name of names.split(' ')) expect([name, isSecret(name)]).toEqual([name, true]);
    for (const name of ['tokenExpiry', 'OrderId', 'PhoneNumber']) expect([name, isSecret(name)]).toEqual([name, false]);
  });

  it('cannot be confirmed away: no input has a field that confirms', () => {
    const names = tools.flatMap((tool) => Object.keys(tool.input.shape));
    expect(names.filter((name) => /confirm|consent|approve|force|yes|authcode/i.test(name))).toEqual([]);
  });
});

describe('toolsets', () => {
  const chosen = (toolsets: string[]) => select(everything, presets, { toolsets, readOnly: false, role: 'operator' });

  /** Operations that only the interface description has. */
  const beyond = operations.filter((operation) => operation.beyondSpecification).map(({ id }) => id);
  const ids = (...toolsets: string[]) => chosen(toolsets).map((entry) => entry.id);

  it('all is everything; core has the specification and the workflows, support no stage of a cancellation', () => {
    expect(beyond.length).toBeGreaterThan(0);
    expect(ids('all').sort()).toEqual(tools.map((tool) => tool.id).sort());
    expect(ids('core')).toEqual(expect.arrayContaining(ids('all').filter((id) => !beyond.includes(id))));
    const stages = ['numbers_cancel_order_request', 'numbers_cancel_order_submit'];
    expect(ids('core')).toEqual(expect.arrayContaining(stages));
    expect(ids('support').filter((id) => stages.includes(id))).toEqual([]);
    // These toolsets contain tools beyond the specification only to find ids.
    for (const toolset of ['core', 'support', 'oncall'])
      for (const entry of chosen([toolset])) if (beyond.includes(entry.id)) expect(entry.risk).toBe('read');
  });

  /** No read of the platform lists these: features, and the members of a workgroup. */
  const unlisted = ['FEID', 'WAID'];

  it.each(['core', 'support', 'oncall'])('%s finds every id that one of its tools takes', (toolset) => {
    const own = tools.filter(({ id }) => ids(toolset).includes(id));
    const open = deadEnds(own).filter(({ field }) => !field.ids.some((kind) => unlisted.includes(kind)));
    expect(open.map(({ tool, field }) => `${tool}.${field.path}`)).toEqual([]);
  });

  it('a toolset without its finders has dead ends', () => {
    const own = tools.filter(({ id }) => ids('core').includes(id) && !id.startsWith('account_'));
    expect(deadEnds(own).map(({ tool, field }) => `${tool}.${field.path}`)).toEqual(
      expect.arrayContaining(['numbers_provision.MessageRouteId', 'packages_create.PackageItems.ProductId']),
    );
  });

  it.each(['core', 'support', 'oncall'])('%s names no tool in a description that it does not have', (toolset) => {
    const has = [...ids(toolset), 'confirmations_get'];
    const named = chosen([toolset]).flatMap(({ id, tool }) =>
      (tool.description.match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g) ?? [])
        .filter((word) => tools.some((other) => other.id === word) && !has.includes(word))
        .map((word) => `${id}: ${word}`),
    );
    expect(named).toEqual([]);
  });

  it.each(['core', 'support', 'oncall'])('%s finds and diagnoses', (toolset) => {
    const needed = ['numbers_find', 'numbers_diagnose', 'numbers_lookup'];
    expect(ids(toolset)).toEqual(expect.arrayContaining(needed));
  });

  it('a group is all its tools; toolsets add up', () => {
    const own = tools.filter(({ group }) => group === 'webhook' || group === 'products').map(({ id }) => id);
    expect(own.filter((id) => beyond.includes(id)).length).toBeGreaterThan(0);
    expect(ids('webhook', 'products').sort()).toEqual(own.sort());
    expect(new Set(ids('core', 'webhook'))).toEqual(new Set([...ids('core'), ...ids('webhook')]));
  });

  it('on call changes nothing', () => {
    for (const entry of chosen(['oncall'])) expect(entry.risk).toBe('read');
  });
});

/** Names of members, at any depth. */
function memberNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(memberNames);
  if (schema === null || typeof schema !== 'object') return [];
  return Object.entries(schema).flatMap(([key, child]) => [
    ...(key === 'properties' && child !== null && typeof child === 'object' ? Object.keys(child) : []),
    ...memberNames(child),
  ]);
}

describe('a time in the past', () => {
  const at = (Since: string) => parseInput(toolOf('events_since'), { Since }, NOW).Since;
  const toolOf = (id: string) => tools.find((tool) => tool.id === id) as Tool;

  it.each(['30m', '8h', '30d', '2026-11-20', '2026-11-20T08:00:00Z', '2026-11-21T11:59'])('is %s', (text) => {
    expect(at(text)).toBe(text);
  });

  it.each([
    ['31d', /too far back/],
    ['2026-10-01', /too far back/],
    ['2026-11-22', /is in the future/],
    ['yesterday', /8h/],
    ['', /8h/],
    ['2026-13-40', /8h/],
  ])('is not %s', (text, why) => {
    expect(() => at(text)).toThrow(why);
  });
});

describe('what a losing carrier says', () => {
  it.each([
    ['8A-ACCOUNT_NUM_REQ_OR_INCORRECT', 'CurrentAccountNumber'],
    ['8D-PASS_PIN_REQ_OR_INCORRECT', 'CurrentAccountPassword'],
    ['8B-SSN_TAX_ID_REQ_OR_INCORRECT', 'CurrentAccountPassword'],
    ['LAST_NAME_REQ_OR_INCORRECT', 'SubscriberName'],
    ['DUE_DATE_NO_MATCH', 'PortInDate'],
  ])('%s is answered with %s', (message, field) => {
    const update = tools.find((tool) => tool.id === eventOperations.correctOrder.operation);
    expect(carrierReason(message)?.fields).toContain(field);
    for (const name of carrierReason(message)?.fields ?? [])
      expect(Object.keys(update?.input.shape ?? {})).toContain(name);
  });

  it.each(['', 'Capacity reached', 'Account suspended', 'number block', 'velocity check', 'OTHER_REASON'])(
    'is not guessed from parts of words: %s',
    (message) => {
      expect(carrierReason(message)).toBeUndefined();
    },
  );
});

/** Fields that name the record of a call. */
const isTarget = ({ name, kind, required }: Field) =>
  required && (kind === 'phone' || ['PhoneNumbers', 'SubscriberId', 'SubscriptionId'].includes(name));

describe('operations over a list of rows', () => {
  it('every operation with a target says how it runs as a batch, or why it does not', () => {
    const silent = tools.filter((tool) => tool.batch === undefined && fieldsOf(tool).some(isTarget));
    const told = "add to its definition batch: { row: 'PhoneNumber' }, or batch: { not: 'the reason' }";
    expect(silent.map(({ id }) => `${id}: ${told}`)).toEqual([]);
  });

  it.each(tools.filter((tool) => batchedBy(tool)).map((tool) => [tool.id, tool] as const))(
    '%s: its row is a field, and no secret is stored with the rows',
    (_id, tool) => {
      const { row, list, reads, most = 1 } = batchedBy(tool) ?? { row: '' };
      const fields = fieldsOf(tool);
      const own = list === undefined ? fields : (fields.find(({ name }) => name === list)?.fields ?? []);
      expect(own.map(({ name }) => name)).toContain(row);
      expect(fields.filter(({ secret }) => secret)).toEqual([]);
      if (tool.kind === 'operation')
        expect([tool.makes, tool.takes, tool.keeps]).toEqual([undefined, undefined, undefined]);
      expect(list !== undefined || most === 1).toBe(true);
      // A change is planned from the record of each row.
      expect(tool.risk === 'read' || tool.before !== undefined || reads !== undefined).toBe(true);
    },
  );
});
