import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { isPlanName } from '../facts/plans.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * "Drop the esim item from the starter package", "the price of the 5 gb product in starter": a product of a package is named
 * by what it is, before the package. Surfaces find it in the package.
 */

const [WHOLE, PART] = ['PackageId', 'PackageItemId'];
/** Changes of a product in a package, in place of the whole package or of the product itself. */
const OF_ITEM: Readonly<Record<string, string>> = {
  packages_delete: 'packages_items_delete',
  products_delete: 'packages_items_delete',
  products_update: 'packages_items_update',
};
const KIND = '(?:products?|items?|add-?ons?|sku)';
const THE = '(?:(?:the|an?|our|that|this)\\s+)?';
const WHAT = String.raw`(?<what>(?!(?:the|an?|our|it|this|that|them|everything|price|cost|name|one|what|which)\b)[\p{L}\d][\p{L}\d.-]*(?:\s+(?!(?:from|out|of|off|in|item|product|add)\b)[\p{L}\d][\p{L}\d.-]*){0,3}?(?:\s+of\s+data)?)`;
const FROM = String.raw`(?:from|out\s+of|off(?:\s+of)?|of|in|inside|within)`;
const NAMED = new RegExp(
  String.raw`\b(?:drop|remove|delete|take|kick|pull|cut|strip|get\s+rid\s+of|price\s+of|cost\s+of|change|update|set|make|raise|lower|reduce)\s+(?:out\s+)?${THE}(?:${KIND}\s+)?${WHAT}(?:\s+${KIND})?\s+${FROM}\s+${THE}(?<package>[\p{L}\d][\p{L}\d-]*)(?<noun>\s+(?:package|plan|bundle))?`,
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
  // "Take ESIM-01 off the Starter bundle" deletes neither the package nor the product.
  const id = OF_ITEM[tool?.id ?? ''];
  const { what: part, package: of = '', noun } = id === undefined ? {} : (NAMED.exec(plain)?.groups ?? {});
  const items = part === undefined || id === undefined || !asked.mayUse(id) ? undefined : toolOf(id);
  const isNamed = noun !== undefined && !/^(?:no|any|every|each|which|what|some|one)$/iu.test(of);
  const isPackage = tool?.id === 'packages_delete' || isNamed || isPlanName(of);
  const isOf = items !== undefined && String(guided.input[WHOLE] ?? of).toLowerCase() === of.toLowerCase();
  if (items && isOf && isPackage && guided.kind === 'form') {
    const { Cost } = guided.input;
    const input = { [WHOLE]: of, [PART]: part, ...(Cost !== undefined && { Price: Cost }) };
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
