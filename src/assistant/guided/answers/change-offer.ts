import { isGated } from '../../../catalogue/operation.ts';
import { MAKES_NUMBER } from '../../../language/families.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { saidIn } from '../facts/choices.ts';
import { peopleIn, recordsNamed } from '../facts/names.ts';
import { withParts } from '../facts/numbered-parts.ts';
import { type Asked, allDigits, type Clause, contradicts, type Fit, timesOf, withoutPart } from '../facts/stance.ts';
import { answer, flagged, type GuidedAnswer, laterText, remarksOn, understood, unitlessIn } from './answer.ts';
import { eachOf, forEach, severalOf, withAll } from './each.ts';
import { filled, guideDay, isComplete, isWhole, takesParts, takesVolume, VOLUME_FIELDS, withDigits } from './fill.ts';
import { withNamedFilter } from './filter-lines.ts';
import { listedDigits } from './filters.ts';
import type { Finder } from './finder.ts';
import { addedIn } from './more.ts';
import { oneOf, withoutNumbers } from './numbers.ts';
import { orderNote } from './order-owner.ts';
import { severalIn } from './outside.ts';

/* A change that a sentence asks for: its form or question, filled in as far as the sentence says. */

interface Change {
  clause: Clause;
  fit: Fit;
  asked: Asked;
}

/** The offer of a change. What speaks against it was decided before. */
export function changeOffer(change: Change, finder: Finder): GuidedAnswer {
  const { fit, asked } = change;
  const { facts, clauses, now } = asked;
  const { tool, family } = fit;
  const guide = defined({ guide: family.guide });
  const isUnclear = (!facts.isOneList && !takesParts(tool, facts)) || contradicts(facts);
  if (isUnclear) return { ...withoutNumbers(fit, facts), ...guide };
  const { input, about, all, people, remark } = inputOf(change);
  // The kind of status change is chosen in the form, so that its line can be looked for before.
  const sought = family.acts === 'swapline' ? { StatusChange: '', ...input } : input;
  const { times } = about;
  const later = laterText(tool, { times }, now);
  const each = family.guide === undefined ? eachOf(tool, all, input) : undefined;
  if (each) {
    const remarks = `${later}${remarksOn(tool, { facts, times })}`;
    const isChecked = defined({ isChecked: family.isChecked });
    return { ...forEach(tool, { ...each, all, remarks, isLater: later !== '' }), ...isChecked };
  }
  const isSearched = family.guide !== undefined && facts.numbers.length === 0;
  const find = isSearched ? finder.find(facts, clauses) : finder.findFor(tool, sought, facts, clauses);
  const guideInput = guideDay(family.guide, about);
  const isLed = Object.keys(guideInput).length > 0;
  const kind = isGated(tool) && isComplete(tool, input) && later === '' ? 'question' : 'form';
  const first = oneOf(tool, facts);
  if (first) Object.assign(input, first.input);
  const when = isLed ? '' : later;
  const remarks = `${notesOn(change)}${orderNote(tool, input, people)}${remark}${first?.remark ?? ''}${when}${remarksOn(tool, { facts, times })}`;
  const isReady = kind === 'form' && later === '' && isWhole(tool, input);
  return {
    ...answer(kind, { tool, input, understood: `${understood(tool, input, find)}${remarks}` }, find),
    ...guide,
    ...(isLed && { guideInput }),
    ...(family.isChecked && { isChecked: true as const }),
    ...defined({ unitless: unitlessIn(tool, facts) }),
    ...(remarks !== '' && { remarks }),
    ...defined({ adds: takesVolume(tool) ? addedIn(facts.volumes, VOLUME_FIELDS) : undefined }),
    ...flagged({ isReady, isLater: later !== '' }),
  };
}

/** The input that the sentence gives, the numbers that it names beside it, and a remark on numbered parts. */
function inputOf({ clause, fit, asked }: Change) {
  const { facts, said, clauses, plain = said } = asked;
  const { tool, family } = fit;
  const words = clauses.flatMap((one) => one.words);
  const times = timesOf(clause, clauses);
  const people = peopleIn(clause.words, ...clauses.map((one) => one.words));
  const [person] = people;
  const others = recordsNamed(tool, {
    ...{ words, said, people, things: family.things },
    number: facts.mentions.length === 1 ? facts.mentions[0]?.text : undefined,
    details: facts.details,
  });
  const about = { ...withoutPart(facts, person), times, days: times.flatMap(({ day }) => day ?? []) };
  const own = { ...saidIn(tool, asked).input, ...others, ...filled(tool, about, family.given) };
  const given: Fields = { ...own, ...(person === undefined ? {} : listedDigits(tool, facts, own)) };
  const all = takesParts(tool, facts) ? [] : severalOf(facts, people);
  const listed = facts.numbers.length > 0 || !facts.isOneList ? given : withDigits(tool, allDigits(clauses), given);
  // Without the kind of status change, the form opens without a search.
  const bare = family.acts === 'swapline' ? facts.mentions.map(({ text }) => text) : all;
  const whole = withNamedFilter(tool, withAll(tool, bare, listed), facts, person);
  const names = facts.details.routes.map(({ name }) => name);
  return { ...withParts(tool, whole, { said: plain, names }), about, all, people };
}

/** The note of the family, and how many numbers are made. */
function notesOn({ fit: { tool, family }, asked: { facts, said } }: Change): string {
  const hasLimit = facts.volumes.some(({ part }) => part === 'limit');
  const note = family.note === undefined || hasLimit ? '' : `; ${family.note}`;
  const several = MAKES_NUMBER.has(tool.id) ? severalIn(said) : undefined;
  return several === undefined
    ? note
    : `${note}; it makes one number at a time, and not ${several}: repeat it for each`;
}
