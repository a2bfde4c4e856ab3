import { portInProgress, type StepState } from '../../../platform/dialect/orders.ts';
import { type Element, rich } from './text.ts';

const STEP_MARKS: Readonly<Record<StepState, string>> = { done: '✅', current: '🔵', rejected: '❌', ahead: '⚪' };

/** The steps of a port-in in one line, for cards with other content. Empty for a state that is not one of the steps. */
export function stepLine(status: string): (Element | string)[] {
  return stepLines(status).flatMap((step, i) => (i === 0 ? step : ['  ›  ', ...step]));
}

/** The steps of a port-in with its position. Empty for a state that is not one of the steps. */
export function stepLines(status: string): (Element | string)[][] {
  return portInProgress(status).map(({ label, state }) => {
    const mark = STEP_MARKS[state];
    if (state === 'done' || state === 'ahead') return [`${mark} ${label}`];
    return [`${mark} `, rich.bold(label), state === 'rejected' ? ' (rejected)' : ' (current)'];
  });
}
