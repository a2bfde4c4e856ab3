import { expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../src/demo/playground/limits.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import { plainText, type Words } from '../../src/lib/values.ts';
import { actionMessage, reminderMessage, wholeView } from '../../src/surfaces/slack/blocks/card.ts';
import { tools } from '../../tools/index.ts';

/* A requester hides a part of a call behind a long value, or in a list, in a text or in the words of the question. */

const SIZES = [1, 900, 5_000];
/** The greatest length of a request to this server. One operation suffices for it, because only the length matters. */
const LONGEST = 300_000;
const consent = { title: 'Do it', consequence: 'It ends service.', undo: 'It cannot be undone.', confirm: 'Do it' };

function actionOf(operation: string, shown: Action['shown'], more: Partial<Action['consent']>): Action {
  return {
    id: 'act_0000000000000000000000',
    operation,
    actorId: 'mcp:x',
    actorName: 'x',
    surface: 'mcp',
    state: 'pending',
    shown,
    known: {},
    consent: { ...consent, ...more },
    createdAt: 1,
    expiresAt: 2,
    person: 'mcp:x',
    updatedAt: 1,
    notes: {},
  } as Action;
}

/** Every text in blocks, also in the middle of a value that is cut into pieces. */
function drawn(value: unknown): string {
  if (Array.isArray(value)) return value.map(drawn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { type, text, elements, blocks } = value as Record<string, unknown>;
  if (type === 'button') return '';
  return `${typeof text === 'string' ? text : drawn(text)}${drawn(elements)}${drawn(blocks)}`;
}

it('no view confirms a call whose end it does not show', () => {
  const figures = { confirming: 0, hiding: 0 };
  const sampled = ['message_outbound', 'numbers_reactivate'];
  for (const tool of tools.filter(({ id }) => sampled.includes(id)))
    for (const size of tool.id === 'message_outbound' ? [...SIZES, LONGEST] : SIZES)
      for (const where of ['text', 'list', 'fields', 'title', 'consequence', 'cost', 'statement'] as const) {
        const long = `${'x'.repeat(size)}THE-END`;
        const shown = {
          ...tool.examples[0],
          ...(where === 'text' ? { Body: long } : {}),
          ...(where === 'list'
            ? { To: [...Array.from({ length: Math.min(size, 5_000) }, () => '+12015550199'), 'THE-END'] }
            : {}),
          ...(where === 'fields'
            ? {
                ...Object.fromEntries(Array.from({ length: Math.min(size, 900) }, (_, i) => [`F${i}`, 'y'])),
                Z: 'THE-END',
              }
            : {}),
        };
        const action = actionOf(tool.id, shown, ['text', 'list', 'fields'].includes(where) ? {} : { [where]: long });
        const context = { tool, reworded: (text: Words) => plainText(text) };
        for (const view of [
          actionMessage(action, context),
          actionMessage(action, { ...context, reader: 'approvers' }),
          reminderMessage(action, context),
          wholeView(action, context),
        ]) {
          const problems = 'type' in view ? checkView(view) : checkBlocks(view.blocks as object[] as never, 'message');
          expect(problems).toEqual([]);
          if (!JSON.stringify(view.blocks).includes('"sb_confirm"')) continue;
          figures.confirming += 1;
          if (!drawn(view.blocks).includes('THE-END')) figures.hiding += 1;
        }
      }
  expect(figures.confirming).toBeGreaterThan(25);
  expect(figures.hiding).toBe(0);
});
