import { fieldsOf } from '../../catalogue/fields.ts';
import { isChange, type Tool } from '../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from './answer.ts';
import type { Asked } from './stance.ts';

/*
 * "Drop the esim item from the starter package", "the price of the 5 gb product in starter": a product of a package is named
 * by what it is, before the package. Surfaces find it in the package.
 */

const [WHOLE, PART] = ['PackageId', 'PackageItemId'];
const [DELETES, ITEMS] = ['packages_delete', 'packages_items_delete'];
const KIND = '(?:products?|items?|add-?ons?|sku)';
const THE = '(?:(?:the|an?|our|that|this)\\s+)?';
const WHAT = String.raw`(?<what>(?!(?:the|an?|our|it|this|that|them|everything|price|cost|name|one|what|which)\b)[\p{L}\d][\p{L}\d.-]*(?:\s+(?!(?:from|out|of|off|in|item|product|add)\b)[\p{L}\d][\p{L}\d.-]*){0,3}?)`;
const FROM = String.raw`(?:from|out\s+of|off(?:\s+of)?|of|in|inside|within)`;
const NAMED = new RegExp(
  String.raw`\b(?:drop|remove|delete|take|kick|pull|cut|strip|get\s+rid\s+of|price\s+of|cost\s+of|change|update|set|make|raise|lower|reduce)\s+(?:out\s+)?${THE}(?:${KIND}\s+)?${WHAT}(?:\s+${KIND})?\s+${FROM}\s+${THE}(?<package>[\p{L}\d][\p{L}\d-]*)`,
  'iu',
);

/** A change of a product in a package, with the product that the sentence names. */
export function withPackageItem(
  guided: GuidedAnswer,
  asked: Asked,
  tool: Tool | undefined,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const { said, plain = said } = asked;
  // "Take ESIM-01 off the Starter bundle" never deletes the package.
  const { what: part, package: of = '' } = tool?.id === DELETES ? (NAMED.exec(plain)?.groups ?? {}) : {};
  const items = part === undefined || !asked.mayUse(ITEMS) ? undefined : toolOf(ITEMS);
  const isOf = items !== undefined && String(guided.input[WHOLE] ?? of).toLowerCase() === of.toLowerCase();
  if (items && isOf && guided.kind === 'form') {
    const input = { [WHOLE]: of, [PART]: part };
    return { ...answer('form', { tool: items, input, understood: understood(items, input) }) };
  }
  const isOffer = guided.kind === 'form' || guided.kind === 'question';
  if (!tool || !isOffer || !isChange(tool) || guided.input[PART] !== undefined) return guided;
  const names = fieldsOf(tool).map(({ name }) => name);
  if (!names.includes(WHOLE) || !names.includes(PART)) return guided;
  const { what, package: whole = '' } = NAMED.exec(plain)?.groups ?? {};
  // The id of a product is none of its entry in the package.
  if (what === undefined || /^(?!PIID)[A-Z]+ID-/iu.test(what)) return guided;
  // "The esim item" is no type of it.
  const own = Object.entries(guided.input).filter(
    ([name, value]) => name === WHOLE || !what.toLowerCase().split(/\s+/u).includes(String(value).toLowerCase()),
  );
  const input = { [WHOLE]: whole, ...Object.fromEntries(own), [PART]: what };
  const before = understood(tool, guided.input, guided.find);
  return {
    ...guided,
    input,
    understood: guided.understood.replace(before, () => understood(tool, input, guided.find)),
  };
}
