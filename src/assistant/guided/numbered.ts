import { isGated, type Tool } from '../../catalogue/operation.ts';
import { answer, flagged, type GuidedAnswer, understood } from './answer.ts';
import { type Facts, readFacts } from './facts.ts';
import { filled, isComplete, isWhole } from './fill.ts';
import type { Fit } from './stance.ts';

/* Answers whose number became known, and answers whose numbers are not clear. */

/** The answer of an operation once the number is known that its `find` looked for. */
export function withNumber(tool: Tool, guided: GuidedAnswer, number: string): GuidedAnswer {
  const { find: _found, ...rest } = guided;
  const input = filled(tool, { ...readFacts('', 0), numbers: [number] }, guided.input);
  const { remarks = '', isLater = false } = guided;
  const isAsked = isGated(tool) && isComplete(tool, input) && !isLater;
  const isReady = guided.kind === 'form' && !isAsked && !isLater && isWhole(tool, input);
  const kind = isAsked ? 'question' : guided.kind;
  const text = kind === 'events' ? guided.understood : `${understood(tool, input)}${remarks}.`;
  return { ...rest, input, kind, understood: text, ...flagged({ isReady }) };
}

/** A change of a sentence that names numbers in more than one role: the form asks which are meant. */
export function withoutNumbers({ tool, family }: Fit, facts: Facts): GuidedAnswer {
  const input = filled(tool, { ...facts, numbers: [], mentions: [] }, family.given);
  const why = 'hich of the numbers are meant is unclear, so none is filled in';
  return {
    ...answer('form', { tool, input, understood: `${understood(tool, input)}. W${why}` }),
    remarks: `; w${why}`,
    isUnclear: true,
  };
}
