import { findAll } from './dom.ts';

const TURN_MS = 2000;

/** Rotates the texts of the app's status, as Slack does with `loading_messages`. */
export function rotateLoadingMessages(): void {
  let turn = 0;
  setInterval(() => {
    turn += 1;
    for (const line of findAll('[data-loading]')) {
      const messages = JSON.parse(line.dataset.loading ?? '[]') as string[];
      const text = messages[turn % messages.length];
      if (text !== undefined) line.textContent = text;
    }
  }, TURN_MS);
}
