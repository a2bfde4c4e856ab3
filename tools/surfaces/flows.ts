import type { Tool } from '../../src/catalogue/operation.ts';
import { type Guide, orderEnd } from './guides/guide.ts';
import { newLine } from './guides/new-line.ts';
import { portIn } from './guides/port-in.ts';
import { swapSim } from './guides/swap-sim.ts';

/** In the order in which surfaces offer them. */
export const guides: readonly Guide[] = [newLine, swapSim, portIn];

/** The forms of the guides' own. */
export const guideForms: readonly Tool[] = guides.flatMap(({ steps }) =>
  steps.flatMap(({ form }) => (form && typeof form.of !== 'string' ? [form.of] : [])),
);

/** True for an operation that places or corrects the order of a guide. */
export function placesOrder(operation: string): boolean {
  return guides.some((guide) => {
    const end = orderEnd(guide);
    const step = guide.steps.find(({ name }) => name === end?.step);
    return end !== undefined && [step?.run?.operation, end.correct.operation].includes(operation);
  });
}
