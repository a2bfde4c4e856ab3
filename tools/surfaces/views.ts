/*
 * The view that a host shows in the window of an assistant (MCP App), and the tools whose results it draws. All of them
 * only read: a change is shown by `confirmations_get`, because a host may tell the model that the user sees a result
 * that it does not show.
 */

/** The subject of a result. */
export type Drawn = 'lookup' | 'order' | 'batch' | 'confirmation';

const drawn: Readonly<Record<string, Drawn>> = {
  numbers_lookup: 'lookup',
  numbers_order_get: 'order',
  batches_get: 'batch',
  confirmations_get: 'confirmation',
};

/** The subject that the view draws for a tool; undefined if it draws nothing. */
export function drawnBy(tool: string): Drawn | undefined {
  return Object.hasOwn(drawn, tool) ? drawn[tool] : undefined;
}

/** The view as `resources/list` names it. */
export const view = {
  uri: 'ui://switchboard/view',
  name: 'view',
  title: 'Switchboard',
  description: 'Shows a number, the steps of an order, the progress of a batch, or the state of a confirmation.',
} as const;
