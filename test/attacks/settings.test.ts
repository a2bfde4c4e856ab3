import { expect, it } from 'vitest';
import { NO_SETTINGS_FILE, unknownSettings } from '../../src/lib/config.ts';
import { settings } from '../../src/lib/settings.ts';
import { problem } from '../lib/support.ts';

/* A restriction with a misspelt name must not be dropped in silence: every slip of one key stops start-up. */

const KNOWN = Object.keys(settings.shape);
const RESTRICTIVE = KNOWN.filter((name) => /^(CONFIRM_|MCP_|SLACK_(VIEWERS|OPERATORS|APPROVERS)$)/.test(name));

/** One character left out, doubled, replaced, or swapped with its neighbour. */
function slips(name: string): string[] {
  const all = [...name].flatMap((char, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)];
    const swapped = `${before}${after[0] ?? ''}${char}${after.slice(1)}`;
    return [`${before}${after}`, `${before}${char}${char}${after}`, `${before}X${after}`, swapped];
  });
  return [...new Set(all)].filter((slip) => !KNOWN.includes(slip));
}

it('stops at each slip of one key in the name of a restriction', () => {
  const tried = RESTRICTIVE.flatMap((name) => slips(name).map((slip) => ({ name, slip })));
  const stopped = tried.filter(({ name, slip }) => {
    const env = { [slip]: 'true' };
    const found = unknownSettings(env, NO_SETTINGS_FILE);
    return found.some(({ nearest, stops }) => stops && nearest === name);
  });
  process.stdout.write(
    `${stopped.length} of ${tried.length} misspellings of ${RESTRICTIVE.length} restrictions stop start-up\n`,
  );
  expect(tried.length).toBeGreaterThan(500);
  expect(stopped).toHaveLength(tried.length);
});

it('takes no variable of this machine for one of them', () => {
  const own = Object.entries(process.env).filter(([name]) => !KNOWN.includes(name));
  const env = Object.fromEntries(own.map(([name, value]) => [name, value ?? '']));
  expect(problem({ ...env, DATA_DIR: '/nowhere' })).toBe('');
});
