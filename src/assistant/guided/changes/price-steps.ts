import type { Tool } from '../../../catalogue/operation.ts';
import { type GuidedAnswer, understood } from '../answers/answer.ts';
import { type Added, toldToAdd } from '../answers/more.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * A price that is raised or lowered by an amount: "raise it by 2 dollars", "make Starter 2 dollars cheaper". The amount is
 * no price. The present one is read by surfaces, which offer the sum.
 */

const MONEY = String.raw`(?:[$€£]|usd\s*)?(?<amount>\d{1,5}(?:[.,]\d{1,2})?)(?![\d.,]*\d)\s*(?<percent>%|percent\b)?(?:\s*(?:usd|dollars?|bucks|\$))?`;
/** The places of an amount that is a difference. */
const STEPS = [
  String.raw`\bby\s+(?:another\s+|an\s+extra\s+)?${MONEY}`,
  String.raw`${MONEY}\s+(?:(?:a|per|each)\s+month\s+)?(?:more|extra|less|cheaper|dearer|lower|higher|off|on\s+top|up|down)\b`,
  String.raw`\b(?:another|plus|minus|add|subtract|deduct|knock|shave|take)\s+(?:off\s+|another\s+)?${MONEY}`,
].map((pattern) => new RegExp(pattern, 'iu'));
const DOWN =
  /\b(?:low(?:er|ering|ers)|reduc\w+|cut(?:ting)?|decreas\w+|drop|down|less|cheaper|off|minus|subtract|deduct|knock|shave|discount)\b/iu;
/** A price that the sentence gives as a whole right behind the step: "by 2 to 17". */
const WHOLE =
  /^[\s,(]*(?:up\s+|down\s+|so\s+)?to\s+(?:[$€£]|usd\s*)?(?<whole>\d{1,5}(?:[.,]\d{1,2})?)(?![\d.,]*\d|\s*(?:%|percent))/iu;
const FIELDS: Readonly<Record<string, string>> = { packages_update: 'Price', products_update: 'Cost' };

function numberOf(text: string | undefined): number {
  return Number((text ?? '').replace(',', '.'));
}

/** The words of a step of a price. */
export function stepIn(text: string): RegExpExecArray | undefined {
  return STEPS.map((step) => step.exec(text)).find((found) => found !== null) ?? undefined;
}

/** Asks which price a step is from, where the open offer sets another one than the present. Undefined for other messages. */
export function ofStepAfterPrice(text: string, open: string, { input }: GuidedAnswer): string | undefined {
  const price = [input.Price, input.Cost].find((one) => typeof one === 'number');
  const step = price === undefined ? undefined : stepIn(text);
  if (!step) return undefined;
  return `Whether “${step[0].trim()}” is from the present price or from ${String(price)} USD was not said: write the price. “${open}” is as it was`;
}

/** An order for a step with another one in its place, or with the price that is said as a whole. */
export function withOtherPrice(order: string, price: string, isStep: boolean): string | undefined {
  const step = stepIn(order);
  const old = step?.groups?.amount;
  if (!step || old === undefined) return undefined;
  const [words] = step;
  const other = isStep
    ? words.replace(old, () => price)
    : /^by\b/iu.test(words)
      ? words.replace(/^by\s+(?:another\s+|an\s+extra\s+)?/iu, 'to ').replace(old, () => price)
      : undefined;
  return other === undefined ? undefined : order.replace(words, () => other);
}

/** The answer with a step of the present price in place of a price. Other answers are as they were. */
export function withPriceStep(
  guided: GuidedAnswer,
  asked: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const field = FIELDS[guided.operation ?? ''];
  const tool = toolOf(guided.operation ?? '');
  const said = asked.plain ?? asked.said;
  const step = stepIn(said);
  const { amount, percent } = step?.groups ?? {};
  if (field === undefined || !tool || !step || amount === undefined || guided.kind !== 'form') return guided;
  const { [field]: _, ...rest } = guided.input;
  const whole = WHOLE.exec(said.slice(step.index + step[0].length))?.groups?.whole;
  if (whole !== undefined) {
    const input = { ...rest, [field]: numberOf(whole) };
    const told = `${guided.remarks ?? ''}; ${numberOf(whole)} USD is the new price, and “${step[0].trim()}” the difference`;
    return { ...guided, input, remarks: told, understood: `${understood(tool, input, guided.find)}${told}.` };
  }
  const sign = DOWN.test(said) ? -1 : 1;
  const told = { field, unit: 'USD', said: step[0].trim() } as const;
  const adds: Added =
    percent === undefined
      ? { ...told, amount: sign * numberOf(amount) }
      : {
          ...{ ...told, amount: 0 },
          factor: { by: 1 + (sign * numberOf(amount)) / 100, said: `${amount}% ${sign < 0 ? 'less' : 'more'}` },
        };
  const remarks = `${guided.remarks ?? ''}; ${toldToAdd(adds)}`;
  const { isReady: _ready, ...open } = guided;
  return { ...open, input: rest, adds, remarks, understood: `${understood(tool, rest, guided.find)}${remarks}.` };
}
