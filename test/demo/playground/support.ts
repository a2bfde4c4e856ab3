import { until } from '../../support/until.ts';

export { until };

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
