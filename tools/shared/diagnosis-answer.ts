import type { Fields } from '../../src/lib/json.ts';
import type { Finding, Service } from './finding.ts';
import { hasData, productHas } from './line.ts';

const NAMES: Readonly<Record<Service, string>> = { sms: 'Texts', voice: 'Calls', data: 'Data' };
const OTHERS: readonly Service[] = ['sms', 'voice', 'data'];

/**
 * Answers a question about one service first: "Texts work. Calls: voice is turned off for this number." The words quote
 * nothing from outside.
 *
 * @param found every finding, also about other services
 * @param isWhole false if a record could not be read
 */
export function serviceAnswer(
  asked: Service,
  line: { number: Fields; found: readonly Finding[]; isWhole: boolean },
): string {
  const { number, found, isWhole } = line;
  const worst = (service: Service) => found.find(({ level, affects }) => level !== 'note' && affects.includes(service));
  const main = worst(asked);
  const others = OTHERS.flatMap((service) => {
    const finding = service === asked ? undefined : worst(service);
    return finding === undefined || finding === main ? [] : [`${NAMES[service]}: ${lower(finding.words)}`];
  });
  return [ownAnswer(asked, number, main, isWhole), ...new Set(others)].join(' ');
}

function ownAnswer(asked: Service, number: Fields, worst: Finding | undefined, isWhole: boolean): string {
  const name = NAMES[asked];
  const isPlural = name.endsWith('s');
  if (worst !== undefined && worst.level !== 'limits') return `${name} ${isPlural ? 'do' : 'does'} not work.`;
  if (asked === 'data' ? !hasData(number) : productHas(number, asked) === false)
    return `${name}: this line has none by its product.`;
  const works = `${name} ${isPlural ? 'work' : 'works'}`;
  if (worst !== undefined) return `${works}, but not without limits.`;
  return isWhole ? `${works}.` : `${works} as far as could be checked.`;
}

function lower(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}
