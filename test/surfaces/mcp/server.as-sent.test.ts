import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../catalogue/arguments.ts';
import { CLI } from '../../support/build.ts';
import { environment, makeFolder } from '../../support/folder.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { face, openWorld, type World } from '../../support/world.ts';
import { type Connected, first, type Place, second } from './clients.ts';

const CLIENTS = [
  ['2025-11-25', first()],
  ['2026-07-28', second({ pin: '2026-07-28' })],
] as const;

describe.each(['http', 'stdio'] as const)('a tool over %s', (kind) => {
  let world: World;
  let folder: ReturnType<typeof makeFolder>;
  beforeAll(async () => {
    folder = makeFolder();
    world = await openWorld({ MCP_TOOLSETS: 'all' });
  });
  afterAll(async () => {
    await world.close();
    folder.remove();
  });
  const place = (): Place => {
    if (kind === 'http') return { kind, url: world.url, token: '' };
    const env = environment(folder.path, { ...onSandbox(world.sandbox.url), MCP_TOOLSETS: 'all' });
    return { kind, command: process.execPath, args: [CLI, 'mcp'], env, cwd: folder.path };
  };

  describe.each(CLIENTS)('to a client of %s', (_, connect) => {
    let client: Connected;
    beforeAll(async () => {
      client = await connect(place());
    });
    afterAll(() => client.close());

    it.each(rows)('reads $sentence', async ({ operation, given, refused }) => {
      const result = await client.call(operation, given);
      if (!refused) return expect(result._meta?.['switchboard/error']).not.toMatchObject({ code: 'invalid_input' });
      const { code, field, message } = face(result);
      expect({ code, field }).toEqual({ code: 'invalid_input', field: refused.field });
      expect(message).toMatch(refused.message);
    });
  });
});
