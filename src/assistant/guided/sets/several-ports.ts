import type { Tool } from '../../../catalogue/operation.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { readFacts } from '../facts/facts.ts';

/*
 * A message may order several port-ins, each number with an account at its carrier: "port in these two for globex: 773…
 * acct 4410 and 773… acct 4411". Every number gets an order with the details behind it.
 */

const PORTS = 'numbers_portin';
const PHONE = /\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;
const OF_PORT = /\b(?:port(?:s|ing)?(?:[\s-]?ins?)?|bring|transfer)\b(?![\s-]*(?:out|away))/iu;
const NOT_ORDERED =
  /\?\s*$|["“„]|\b(?:not|never|if|unless|status|cancel\w*|correct|change|portable|eligib\w+)\b|n['’]t\b/iu;
const FOR =
  /\bfor\s+(?<name>(?!(?:each|both|all|them|these|those|us)\b)[\p{L}][\p{L}'’&-]*(?:\s+(?!and\b)\p{Lu}[\p{L}'’&-]*)?)/iu;
const JOINT = /^[\s,;:.–—-]+|[\s,;:.–—-]+$|[\s,;]+(?:and|&|plus)\s*$/giu;
const LEFT = /Not taken: (?<parts>.+?)\.?$/u;
const MOST = 5;

/** One order for each number. Undefined for other sentences. */
export function ofSeveralPorts(
  said: string,
  one: (text: string) => GuidedAnswer,
  { toolOf, now }: { toolOf: (id: string) => Tool | undefined; now: number },
): GuidedAnswer | undefined {
  const found = [...said.matchAll(PHONE)];
  const [first] = found;
  if (!first || found.length < 2 || found.length > MOST || !OF_PORT.test(said) || NOT_ORDERED.test(said))
    return undefined;
  const parts = found.map(({ 0: number, index }, at) => ({
    number: number.trim(),
    details: said.slice(index + number.length, found[at + 1]?.index ?? said.length).replace(JOINT, ''),
  }));
  if (!parts.every(({ details }) => readFacts(`port in, ${details}`, now).account !== undefined)) return undefined;
  const whose =
    FOR.exec(said.slice(0, first.index))?.groups?.name ?? FOR.exec(parts.at(-1)?.details ?? '')?.groups?.name;
  const answers = parts.map(({ number, details }) => {
    const own = FOR.test(details) || whose === undefined ? '' : ` for ${whose}`;
    return one(`port in ${number}${own}, ${details}`);
  });
  if (!answers.every(({ operation }) => operation === PORTS)) return undefined;
  const tool = toolOf(PORTS);
  const left = new Set(answers.flatMap(({ understood }) => LEFT.exec(understood)?.groups?.parts ?? []));
  const told = left.size === 0 ? '' : `. Not taken: ${[...left].join('; ')}`;
  return {
    ...help(`Each number is an order of its own, with its own account: one button for each of them${told}`),
    nearest: answers.map(({ input }) => ({
      operation: PORTS,
      input,
      label: `${tool?.title ?? PORTS}: ${phonesIn(String(input.PortInNumber))[0] ?? ''}`,
    })),
  };
}
