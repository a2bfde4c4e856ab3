import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * Several new customers in one message: "onboard Kim Lee kim@x.com, Raj Rao raj@x.com, all at Acme". Each
 * needs a password, so that no list is made of them: the first is offered, and each further one has a button with its
 * values.
 */

const CREATES = 'subscribers_create';
const PAIR =
  /(?<before>(?:[\p{L}'’.-]+\s+){0,3}[\p{L}'’.-]+)(?:\s+|\s*[,:<([–—-]+\s*)(?<mail>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/gu;
const COUNT = /\b(?:[2-9]|[1-9]\d|two|three|four|five|six|seven|eight|nine|ten|both|couple|few)\b/iu;
const MOST = 4;

interface Person {
  name: string | undefined;
  mail: string;
}

/** The people whom a message names with their addresses. */
function peopleWithMail(said: string): Person[] {
  return [...said.matchAll(PAIR)].map(({ groups }) => {
    const words = (groups?.before ?? '').split(/\s+/);
    const start = words.findLastIndex((word) => !isName(word)) + 1;
    const name = words.slice(start).slice(-3).join(' ');
    return { name: name === '' ? undefined : name, mail: groups?.mail ?? '' };
  });
}

function isName(word: string): boolean {
  if (/^(?:and|or|also|plus|e-?mail|mail)$/iu.test(word)) return false;
  return /^\p{Lu}/u.test(word) || wordsOf(word).every(({ isUnknown }) => isUnknown);
}

/** The answer for the first of several new customers, with a button for each of the others. */
export function withNewPeople(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined): GuidedAnswer {
  const isOffer = guided.kind === 'form' || guided.kind === 'question';
  if (tool?.id !== CREATES || !isOffer || guided.isRefused) return guided;
  const said = asked.plain ?? asked.said;
  const [first, ...others] = peopleWithMail(said);
  if (!first || others.length === 0 || others.length > MOST) return guided;
  const shared = { ...guided.input };
  delete shared.Name;
  delete shared.Email;
  const inputOf = ({ name, mail }: Person) => ({ ...shared, ...(name !== undefined && { Name: name }), Email: mail });
  const textOf = ({ name, mail }: Person) => (name === undefined ? mail : `${name} (${mail})`);
  const count = COUNT.exec(said)?.[0];
  const each = count === undefined || /^(?:both|couple|few)$/iu.test(count) ? 'each' : `each of the ${count}`;
  const told = `; ${each} is created by itself: this is ${textOf(first)}, and ${others.map(textOf).join(', ')} ${others.length === 1 ? 'has' : 'have'} a button`;
  return {
    ...guided,
    input: inputOf(first),
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
    nearest: [
      ...others.map((one) => ({
        operation: CREATES,
        input: inputOf(one),
        label: `${tool.title}: ${one.name ?? one.mail}`,
      })),
      ...(guided.nearest ?? []),
    ],
  };
}
