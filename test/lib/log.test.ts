import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLog, hasColours, styleOf, terminalFormat } from '../../src/lib/log.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';

const SECRET = 'secret-of-the-account';

/** Returns the output of the calls that `use` makes, for a terminal or a pipe. */
function written(isTTY: boolean, env: Record<string, string>, use: (log: ReturnType<typeof createLog>) => void) {
  const redactor = createRedactor([]);
  redactor.hold(() => [SECRET]);
  const format = terminalFormat(isTTY, env);
  let text = '';
  use(
    createLog(
      'info',
      { strip: (value) => redactor.strip(value), text: (message) => redactor.text(message) },
      (line) => {
        text += format(line);
      },
    ),
  );
  return text;
}

describe('the log', () => {
  it('is JSON lines in a pipe', () => {
    const line = written(false, {}, (log) => log('warn', { path: '/v1.0/numbers' }, 'the platform is slow'));
    expect(JSON.parse(line)).toMatchObject({ level: 40, path: '/v1.0/numbers', msg: 'the platform is slow' });
    expect(line.match(/\n/g)).toHaveLength(1);
  });

  it('is readable lines on a terminal: time, level, message, fields', () => {
    const line = written(true, {}, (log) => log('warn', { path: '/v1.0/numbers', tries: 2 }, 'the platform is slow'));
    expect(line).toContain('\u001b[');
    expect(stripVTControlCharacters(line)).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} warn {2}the platform is slow path=\/v1\.0\/numbers tries=2\n$/,
    );
  });

  it('removes secrets before it formats', () => {
    const text = written(true, { NO_COLOR: '1' }, (log) =>
      log('error', { detail: `sent ${SECRET}`, Password: 'hunter22', nested: { token: SECRET } }, `refused ${SECRET}`),
    );
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('hunter22');
    expect(text).toContain('refused');
  });
});

describe('colours', () => {
  const terminal = { isTTY: true };
  it.each([
    ['a terminal', terminal, {}, true],
    ['a pipe', {}, {}, false],
    ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['TERM=dumb', terminal, { TERM: 'dumb' }, false],
    ['FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR over NO_COLOR', terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('with %s', (_what, stream, env, colours) => {
    expect(hasColours(stream, env)).toBe(colours);
    expect(styleOf(hasColours(stream, env)).red('no') === 'no').toBe(!colours);
  });
});
