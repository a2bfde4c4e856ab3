import { areBeside, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';

/* "New one is 8901…" after a question about the SIM of a line: the SIM that the line gets, and none that is looked up. */

const OF_SIM: ReadonlySet<string> = new Set(
  'new is has got sim sims card esim iccid number one its here comes'.split(' '),
);

/** The swap of the SIM of the line that was spoken of. Undefined for other messages. */
export function ofNewSim(
  text: string,
  last: string,
  { line, person, part }: Topic,
  now: number,
  reading: Reading,
): Meant | undefined {
  const means = line ?? person;
  const [serial, ...others] = values(text, now);
  if (part !== 'sim' || means === undefined || serial?.kind !== 'serial' || others.length > 0) return undefined;
  const isBeside = areBeside(text.replace(serial.text, ' '), OF_SIM);
  // An offer takes its serial itself.
  if (text.includes('?') || !isBeside || isOffer(reading.of(last), reading)) return undefined;
  return { text: `swap the sim of ${means} to ${serial.text}`, kind: 'read' };
}
