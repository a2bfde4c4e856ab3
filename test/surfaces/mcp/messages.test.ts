import { PassThrough, Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { StdioTransport } from '../../../src/surfaces/mcp/messages.ts';
import { makeFolder } from '../../support/folder.ts';
import { MODERN, messageIn, metaOf, written } from '../../support/messages.ts';
import { type Running, startCli } from '../../support/process.ts';
import { type Json, openWorld, postMcp, until } from '../../support/world.ts';
import { type Line, lines } from './lines.ts';

const ERAS: [string, Json][] = [
  ['of 2025-11-25', {}],
  [`of ${MODERN}`, { _meta: metaOf() }],
];

/** Compares an answer. No text of an SDK's validator may be in it. */
function check(answer: Json, { id, code, says = '' }: Line['answers'][number]): void {
  expect(answer).toMatchObject({ jsonrpc: '2.0', id, ...(code === undefined ? { result: {} } : { error: { code } }) });
  expect(answer.error?.message ?? '').toContain(says);
  expect(JSON.stringify(answer.error ?? '')).not.toMatch(/invalid_type|expected|Zod|\[\{|\n/i);
}

describe.each(ERAS)('over stdio, to a client %s', (_, params) => {
  let folder: string;
  let running: Running;
  beforeAll(() => {
    folder = makeFolder();
    running = startCli(['mcp'], folder);
  });

  it.each(lines)('answers a line: $sentence', async ({ line, answers }) => {
    const before = written(running).length;
    running.child.stdin?.write(`${line(params)}\n`);
    await until(() => written(running).length >= before + answers.length);
    const got = written(running).slice(before);
    expect(got).toHaveLength(answers.length);
    for (const expected of answers)
      check(
        got.find(({ id }) => id === expected.id),
        expected,
      );
  });

  it('ends with exit code 0 after them', async () => {
    running.child.stdin?.end();
    expect(await running.ended).toBe(0);
  });
});

const world = await openWorld();

describe.each(ERAS)('over HTTP, to a client %s', (_, params) => {
  it.each(lines)('answers a body: $sentence', async ({ line, answers, overHttp = answers }) => {
    const body = line(params);
    const [, method = 'tools/list'] = /"method":"([^"]+)"/.exec(body) ?? [];
    const [, name] = /^(?:tools\/call|prompts\/get)$/.test(method) ? (/.*"name":"([^"]+)"/.exec(body) ?? []) : [];
    const modern = { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name && { 'mcp-name': name }) };
    const got = messageIn(await (await postMcp(world.url, body, params._meta ? modern : {})).text());
    for (const expected of overHttp) check(got, expected);
  });
});

it('a failure while a line is handled ends the connection with that failure', async () => {
  const transport = new StdioTransport(
    Readable.from([Buffer.from('{"jsonrpc":"2.0","method":"notifications/x"}\n')]),
    new PassThrough(),
  );
  transport.onmessage = () => {
    throw new TypeError('not ours');
  };
  void transport.start();
  await expect(transport.ended).rejects.toThrow('not ours');
});
