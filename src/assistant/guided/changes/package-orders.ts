import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { saidIn } from '../facts/choices.ts';
import { detailsIn } from '../facts/named-values.ts';
import { newNameIn } from '../facts/names.ts';
import { type Asked, isForbidden, isPolite, isQuestion } from '../facts/stance.ts';

/*
 * Packages and products are spoken of in one sentence. The noun of an order says which of the two it is about: a new package
 * has products in it, and a product that is in no package is none of a package.
 */

const PACKAGE = '(?:package|plan|bundle|tariff)';
const NEW_PACKAGE = new RegExp(
  String.raw`^\W*(?:(?:please|pls|hi|ok|so|and|we|i|need|want|can|could|you|us|me|to|add|a|an)[\s,:]+)*(?:new|create|make|set\s?up|build)(?:\s+(?:an?|the|another|new|monthly))*\s+${PACKAGE}\b`,
  'iu',
);
const IN_NONE = new RegExp(
  String.raw`\bproducts?\b[^.;!?]*?\b(?:in|of|part\s+of)\s+(?:no|none|zero)\b[^.;!?]*?\b${PACKAGE}|\bproducts?\b[^.;!?]*?(?:\bnot|n['’]?t)\s+(?:in|parts?\s+of|used\s+(?:in|by))\s+(?:an?y?|one|our)\b[^.;!?]*?\b${PACKAGE}|\bproducts?\s+without\s+(?:an?y?\s+)?${PACKAGE}`,
  'iu',
);
const INTO = new RegExp(
  String.raw`\b(?:add|put|include)\b[^.;!?]+?\b(?:to|in|into)\s+(?:(?:the|our)\s+)?(?<name>(?!(?:this|that|a|an)\b)\p{L}[\p{L}\d-]*(?:\s+[\p{L}\d-]+){0,2}?)(?:\s+${PACKAGE})?(?=\s*(?:$|[,.;!?]|\b(?:for|at)\b))`,
  'iu',
);
const SUBSCRIBERS = new RegExp(
  String.raw`\b(?:who(?:['’]?s)?|which\s+(?:customers|subscribers|lines|numbers))\b[^.;!?]*\b(?:subscribed|enrolled|signed\s+up)\b[^.;!?]*\b${PACKAGE}s?\b`,
  'iu',
);
/** A stock code is a value by itself in a list, or right behind the noun: "ROAM-EU-5", "create a product DATA-10". */
const CODE =
  /(?:^|\bproducts?\s+(?:(?:called|named|with|the|code|id)\s+)*)\s*["“]?(?<code>\p{Lu}[\p{Lu}\d]*(?:-[\p{Lu}\d]+)+)["”]?\s*$/u;
/** The same with more behind it. */
const CODE_BEHIND =
  /\bproducts?\s+(?:(?:called|named|with|the|code|id|sku)\s+)*(?<code>\p{Lu}[\p{Lu}\d]*(?:-[\p{Lu}\d]+)+)(?=[\s,:])/u;
/** A value that says what it is. */
const LABELLED = /\b(?:type|sku|cost|costs|price|usd|monthly|once|recurring)\b|\$/iu;

/** The operation that is about the record of the order's noun, in place of one about the other record. */
export function withOwnRecord(
  guided: GuidedAnswer,
  asked: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const said = asked.plain ?? asked.said;
  const { operation = '' } = guided;
  const isOf = /^(?:packages|products|account_packages|account_products)_/.test(operation);
  if (!isOf || asked.isBack || asked.facts.mentions.length > 0) return guided;
  const as = (id: string, input: Fields, remark = '') => {
    const tool = toolOf(id);
    if (!tool || !asked.mayUse(id)) return guided;
    const kind = tool.risk === 'read' ? 'lookup' : 'form';
    return {
      ...answer(kind, { tool, input, understood: `${understood(tool, input)}${remark}` }),
      ...(remark !== '' && { remarks: remark }),
    };
  };
  if (SUBSCRIBERS.test(said)) return as('account_subscriptions_get', {});
  if (/^(?:products_get|account_products_get)$/.test(operation) && IN_WHICH.test(said) && !isOrder(asked))
    return as('account_packages_get', {}, notByProduct(/\bPRID-[\w-]+/iu.exec(said)?.[0] ?? ''));
  if (operation === 'products_create') {
    const coded = { ...guided, ...withCode(guided, said, toolOf(operation)) };
    return withOwnPrice(coded, said, 'Cost', toolOf(operation));
  }
  if (!isOrder(asked)) return guided;
  const priced = withPrice(guided, said, as);
  if (priced) return priced;
  if (IN_NONE.test(said) && operation === 'packages_items_delete')
    return as('products_delete', {}, '; which product is in no package is not looked up: choose it in the form');
  const create = toolOf('packages_create');
  if (create && operation !== create.id && NEW_PACKAGE.test(said)) {
    const name = asked.facts.details.name ?? newNameIn(said);
    const input = {
      ...saidIn(create, asked).input,
      ...detailsIn(create, asked.facts.details),
      ...(name !== undefined && { PackageName: name }),
    };
    return as(create.id, input, '; its products are chosen in the form');
  }
  const into = /^packages_(?:update|create)$/.test(operation) ? INTO.exec(said)?.groups?.name : undefined;
  if (into !== undefined) {
    const { Price, Monthly } = guided.input;
    const values = Object.entries({ PackageId: into, Price, Monthly }).filter(([, value]) => value !== undefined);
    return as('packages_items_add', Object.fromEntries(values));
  }
  return operation === create?.id ? withOwnPrice(guided, said, 'Price', create) : guided;
}

const TO_PRICE = /\b(?:to|at|for)\s+[$€£]?(?<price>\d{1,5}(?:[.,]\d{1,2})?)(?![\d.,]*\d)(?!\s*(?:gb|mb|gigs?|%))/iu;
const PER_MONTH =
  /[$€£]?(?<price>\d{1,5}(?:[.,]\d{1,2})?)\s*(?:usd|dollars?|bucks|\$)?\s*(?:(?:a|per|each)\s+month|\/\s*mo(?:nth)?\b|monthly)/iu;
const DELETING = /\b(?:drop|cut|remove|take|knock|bring|slash)\b/iu;
const DELETES = /^(?<kind>packages|products)_delete$/;

/** "Drop it to 9.99 a month" lowers a price, and deletes nothing. Undefined for an order without a price. */
function withPrice(
  { operation = '', input }: GuidedAnswer,
  said: string,
  as: (id: string, input: Fields, remark: string) => GuidedAnswer,
): GuidedAnswer | undefined {
  const monthly = PER_MONTH.exec(said)?.groups?.price;
  const price = Number((monthly ?? TO_PRICE.exec(said)?.groups?.price ?? '').replace(',', '.'));
  const kind = DELETES.exec(operation)?.groups?.kind;
  const isOpen = operation === 'packages_update' && input.Price === undefined && monthly !== undefined;
  if (!(price > 0) || (kind === undefined && !isOpen)) return undefined;
  const period = monthly === undefined ? {} : { Monthly: true };
  const verb = kind === undefined ? undefined : DELETING.exec(said)?.[0];
  const remark = verb === undefined ? '' : `; “${verb}” is read as a change of the price`;
  return kind === 'products'
    ? as('products_update', { ...input, Cost: price }, remark)
    : as('packages_update', { ...input, Price: price, ...period }, remark);
}

/** An amount with cents, which is no data, no number of a name and no part of a code. */
const CENTS = /(?<![\w.,-])[$€£]?(?<price>\d{1,5}[.,]\d{2})(?![\d.,]*\d|\s*(?:gb|mb|gigs?|megs?|%))/iu;

/** The new record with a price that stands by itself: "create a package “Family” 29.99 a month", "DATA-10, 10 GB, 12.00". */
function withOwnPrice(guided: GuidedAnswer, said: string, field: string, tool: Tool | undefined): GuidedAnswer {
  const { input, remarks = '' } = guided;
  const plain = said.replace(/["“„][^"“”]*["”“]/gu, ' ');
  const monthly = PER_MONTH.exec(plain)?.groups?.price;
  const typed = monthly ?? CENTS.exec(plain)?.groups?.price;
  if (!tool || typed === undefined || input[field] !== undefined) return guided;
  const period = monthly === undefined ? {} : field === 'Price' ? { Monthly: true } : { BillingFrequency: 'MRC' };
  const priced = { ...input, [field]: Number(typed.replace(',', '.')), ...period };
  return { ...guided, input: priced, understood: `${understood(tool, priced)}${remarks}.` };
}

function isOrder({ clauses }: Asked): boolean {
  return clauses.every(({ text, isAsked }) => !isForbidden(text) && (isPolite(text) || !isQuestion(text, isAsked)));
}

/** "Which package includes PRID-…" */
const IN_WHICH =
  /^(?=.*\bPRID-)(?:.*\b(?:which|what|any|how\s+many)\s+(?:\p{L}+\s+)?(?:packages?|plans?|bundles?)\b|.*\bPRID-\S+\s+(?:is\s+)?(?:in|part\s+of|used\s+by|inside)\s+(?:any|an?|some|which|what)\b)/isu;

function notByProduct(id: string): string {
  return `; no search finds a package by its product ${id}: “what is in PACKAGE” lists the products of one`;
}

/** Begins the order itself: "new product sku X". */
const ORDERS = /^\W*(?:(?:please|pls|can|could|you|we|need|hi|hey|ok)\W+)*(?:create|add|make|set\s+up|new|a|an)\b/iu;

/** "1.50 a month" says what it costs. */
const PRICED =
  /^(?:(?:at|for|costs?|priced\s+at)\s+)?[$€£]?\d+(?:[.,]\d+)?\s*(?:[$€£]|usd\b|dollars?\b|bucks\b|an?\b|per\b|\/|monthly\b|each\b|one[\s-])/iu;

/** A text in quotation marks. */
function textIn(said: string): string | undefined {
  return /["“](?<text>[^"“”]+)["”]/u.exec(said)?.groups?.text;
}

/** The stock code of a new product in its own field, and what the product is: a text in quotation marks, or a part of its own. */
function withCode({ input, remarks = '' }: GuidedAnswer, said: string, tool: Tool | undefined): Partial<GuidedAnswer> {
  const parts = said.split(/[:,;](?=\s)|\n/u);
  const at = parts.findIndex((part) => CODE.test(part));
  const code =
    CODE.exec(parts[at] ?? '')?.groups?.code ??
    CODE_BEHIND.exec(said)?.groups?.code ??
    (typeof input.SKU === 'string' ? input.SKU : undefined);
  if (code === undefined || !tool || (input.SKU !== undefined && input.SKU !== code)) return {};
  const { Description: before, ...rest } = input;
  const isOwn = before !== undefined && !String(before).includes(code);
  const [, beside = ''] = (parts.find((part) => part.includes(code)) ?? '').split(code);
  const behind =
    /^\s+(?:(?:for|named|called)\s+)?\p{L}{2}/u.test(beside) && !LABELLED.test(beside.trim()) ? [beside] : [];
  const others = [...behind, ...parts.slice(Math.max(at, 0) + (at < 0 ? 0 : 1))].map((part) => part.trim());
  const [next] = others.filter(
    (part) => /\p{L}/u.test(part) && !LABELLED.test(part) && !ORDERS.test(part) && !PRICED.test(part),
  );
  const description = isOwn ? before : (textIn(said.replace(code, '')) ?? next);
  const own = { ...rest, SKU: code, ...(description !== undefined && { Description: description }) };
  return { input: own, understood: `${understood(tool, own)}${remarks}.` };
}
