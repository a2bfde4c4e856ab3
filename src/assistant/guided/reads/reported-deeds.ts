import { type Word, wordsOf } from '../../../language/sentence.ts';
import { DEEDS } from '../facts/contrast.ts';
import { type Asked, beginsDeed, isPolite, isQuestion } from '../facts/stance.ts';

/*
 * Past acts of an unknown person: "she says somebody moved her number to another SIM". They ask what was done to the line,
 * and never for the same act.
 */

const DOER =
  /\b(?:some\s?(?:one|body)(?:\s+else)?|any\s?(?:one|body)(?:\s+else)?|an?\s+(?:stranger|thief|scammer|hacker|fraudster|colleague)|thieves|scammers|hackers|fraudsters)\s+(?:(?:has|have|had|must|may|might|just|already|apparently|has\s+been)\s+)*(?!(?:asked|requested|approved|confirmed|called|phoned|texted|messaged|said|told|needed|wanted|reported|complained|answered|replied)\b)(?<act>\p{L}+)/iu;
/** "Was that us", "did we". */
const OURS =
  /\b(?:was|is|were)\s+(?:that|it|this)\s+(?:really\s+)?(?:us|you|ours|one\s+of\s+(?:us|ours|you))\b|\b(?:did|have)\s+(?:we|you|u)(?:\s+(?:do|done)\s+(?:that|it|this))?\s*[?!.]*\s*$/iu;
const PAST = /^(?:took|put|cut|got|gave|made|set|did|let|\p{L}{2,}ed)$/iu;

/** True for a sentence that reports a past act of an unknown person on a line, and gives no order. */
export function reportsDeed(said: string, clauses: Asked['clauses']): boolean {
  const others = clauses.filter(({ text }) => !DOER.test(text) || isPolite(text));
  if (others.some((clause) => beginsDeed(clause))) return false;
  const isDeed = ({ acts, things }: Word) => acts.some((act) => DEEDS.has(act)) || things.includes('cancelledlines');
  const changes = clauses.filter(
    ({ fits, words }) => fits.some(({ tool }) => tool.risk !== 'read') || words.some(isDeed),
  );
  if (changes.length === 0) return false;
  const act = DOER.exec(said)?.groups?.act ?? '';
  if (PAST.test(act) || wordsOf(act).some(({ isPast }) => isPast)) return true;
  const isDone = ({ text, isAsked, words }: Asked['clauses'][number]) =>
    !isQuestion(text, isAsked) && words.some((word) => word.isPast && isDeed(word));
  return OURS.test(said) && changes.some(isDone);
}
