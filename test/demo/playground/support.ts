import type { Workspace } from '../../../src/demo/playground/workspace.ts';
import { until } from '../../support/until.ts';

export { until };

/** Calls a method of Slack's Web API on the workspace, as its app. Returns the answer. */
export async function callOn(ws: Workspace, method: string, args: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${ws.botToken}`, 'content-type': 'application/json' };
  const answer = await fetch(ws.apiUrl + method, { method: 'POST', headers, body: JSON.stringify(args) });
  return (await answer.json()) as Record<string, unknown>;
}

export function plain(text: string) {
  return { type: 'plain_text', text };
}

export function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

export function button(more: Record<string, unknown> = {}) {
  return { type: 'button', text: plain('Go'), action_id: 'go', ...more };
}

export function actions(...elements: unknown[]) {
  return { type: 'actions', block_id: 'acts', elements };
}

export function option(i: number, text = `Option ${i}`, value = `v${i}`) {
  return { text: plain(text), value };
}

export function options(count: number) {
  return Array.from({ length: count }, (_, i) => option(i));
}
