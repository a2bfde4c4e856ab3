import type { GuidedAnswer } from '../answers/answer.ts';
import { DEEDS, type Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';

/* "Anything changed on the routes this week": the changes of one kind of record, and no list of these records. */

/** Records in a question of what was changed, each with the beginnings of words of the titles. */
const OF_RECORDS: readonly (readonly [pattern: RegExp, starts: readonly string[]])[] = [
  [/\b(?:routes|routing|trunks|the\s+(?:voice|message|sms|call)\s+route)\b/iu, ['route']],
  [/\bweb\s?hooks\b|\bthe\s+web\s?hook\b/iu, ['webhook']],
  [/\b(?:packages|plans)\b/iu, ['package']],
  [/\bproducts\b/iu, ['product']],
  [/\bworkgroups\b/iu, ['workgroup']],
  [/\b(?:filters|block\s?lists?|allow\s?lists?)\b/iu, ['filter', 'block', 'unblock', 'allow']],
  [/\b(?:subscribers|customers)\b/iu, ['subscriber']],
  [/\baccounts\b/iu, ['account']],
];
const CHANGED =
  /\b(?:chang\p{L}*|edit\p{L}*|modif\p{L}*|touch\p{L}*|updat\p{L}*|happen\p{L}*|anything|something|news|done|did)\b/iu;

/** The list of events, narrowed to the changes of the kind of record that the question names. */
export function withRecordKind(guided: GuidedAnswer, said: string): GuidedAnswer {
  const { Only } = guided.input;
  const isOfChanges = guided.kind === 'events' && (Only === undefined || Only === 'actions');
  if (!isOfChanges || guided.narrow || guided.find || !CHANGED.test(said)) return guided;
  const [found, ...others] = OF_RECORDS.filter(([pattern]) => pattern.test(said));
  const word = found?.[0].exec(said)?.[0];
  if (!found || word === undefined || others.length > 0) return guided;
  const told = `; only changes of “${word}”`;
  return {
    ...guided,
    narrow: { kinds: found[1], said: `“${word}”` },
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}

const OF_CHANGES =
  /^\W*(?:(?:so|and|ok|hi|hey|please|pls|show|me|tell|us|list)[\s,:]+)*(?:what|who|anything|something|any|all|did|has|have|was|were|changes?)\b[^.;!?]*\b(?:chang(?:e|es|ed)|edit(?:s|ed)?|modified|modify|touch(?:ed)?|updated?|happened)\b/iu;

/** The changes of a kind of record in a time. Undefined for any other question. */
export function ofRecordChanges(asked: Asked, { events }: Reader): GuidedAnswer | undefined {
  const { said, since, facts } = asked;
  const isNamed = OF_RECORDS.some(([pattern]) => pattern.test(said));
  if (!since || !isNamed || !OF_CHANGES.test(said) || facts.mentions.length > 0) return undefined;
  return events(DEEDS, asked);
}
