import {
  defineOperation,
  type Effect,
  type Look,
  type Operation,
  type OperationSpec,
  type Shape,
} from '../../src/catalogue/operation.ts';
import { defined, type Fields, missingFrom, recordOf, sharedWith } from '../../src/lib/values.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { inFull, text } from './before.ts';
import { callFilterId, e164List, messageFilterId, out, phonesText, seeded, subscriberId } from './fields.ts';
import * as filters from './filters.ts';
import { CALL_FILTER, type FilterKind, MESSAGE_FILTER } from './filters.ts';

/* The operations on the allow list and the block list of a filter (PLATFORM.md, Guardian filtering). */

type Words = Pick<OperationSpec<Shape>, 'title' | 'description'>;
type List = 'allowed' | 'blocked';

const KINDS = { calls: CALL_FILTER, messages: MESSAGE_FILTER } as const;

const NOTES = 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries';
const ONE_FILTER = { not: 'one call takes many entries of one filter' };

const pathOf = (kind: FilterKind, list: List) =>
  `/v1.0/subscribers/${kind.name === 'calls' ? 'call' : 'message'}-filter/${list}-${kind.entries.toLowerCase()}`;
const fieldsOf = (kind: FilterKind) => ({
  SubscriberId: subscriberId,
  [kind.id]: kind.name === 'calls' ? callFilterId : messageFilterId,
});
const example = (kind: FilterKind) => ({
  SubscriberId: seeded('TSUID'),
  [kind.id]: seeded(kind.name === 'calls' ? 'CFID' : 'MFID'),
});

/** The read of a list. */
export function filterListRead(name: FilterKind['name'], list: List, words: Words): Operation {
  const kind = KINDS[name];
  return defineOperation<Shape>({
    endpoint: `GET ${pathOf(kind, list)}`,
    ...words,
    batch: ONE_FILTER,
    notes: 'PLATFORM.md, Guardian filtering: the answer is a bare list of numbers',
    input: () => fieldsOf(kind),
    output: () => ({ Results: out.texts }),
    examples: [example(kind)],
  });
}

/** What a change does to the numbers, in its title and on its button. */
const VERBS = {
  allowed: { add: 'Allow', remove: 'Stop always allowing' },
  blocked: { add: 'Block', remove: 'Unblock' },
} as const;

/**
 * A change of a list. An addition is a `write`, which is ordinary. A removal is `destroy`, or a `write` whose members an
 * approver confirms.
 */
export function filterListChange(
  name: FilterKind['name'],
  list: List,
  act: 'add' | 'remove',
  words: Words & Partial<Pick<OperationSpec<Shape>, 'risk' | 'source'>>,
): Operation {
  const kind = KINDS[name];
  const { risk = act === 'add' ? 'write' : 'destroy', source = act === 'add' ? 'S+I' : 'I' } = words;
  const [member, verb] = [kind[list], VERBS[list][act]];
  const given = (input: Fields) => readTexts(input[kind.entries]) ?? [];
  return defineOperation<Shape>({
    endpoint: `POST ${pathOf(kind, list)}/${act}`,
    ...words,
    risk,
    source,
    resend: true,
    batch: ONE_FILTER,
    notes: NOTES,
    keys: ['SubscriberId', kind.id, kind.entries],
    ...(risk === 'write' && { ordinary: {}, raised: act === 'add' ? {} : { 'every removal': [kind.entries] } }),
    input: () => ({ ...fieldsOf(kind), [kind.entries]: e164List }),
    output: () => ({ FilterId: out.text, SubscriberId: out.text, [member]: out.texts }),
    before: (input, look) => lookAtList(kind, list, act, input, look),
    effects: (input, { Record }) => {
      const now = Record === undefined ? undefined : phonesOf(recordOf(Record)[member]);
      const changed =
        act === 'add' ? missingFrom(given(input), now ?? []) : sharedWith(given(input), now ?? given(input));
      const effect: Effect = {
        what: `${list === 'allowed' ? 'Allowed' : 'Blocked'} ${kind.name === 'calls' ? 'callers' : 'contacts'}`,
        ...defined({ of: text(recordOf(Record).Phone) }),
        ...(now === undefined ? { unread: true } : now.length > 0 ? { before: now } : {}),
        [act === 'add' ? 'added' : 'taken']: changed,
      };
      return changed.length === 0 ? [] : [effect];
    },
    consent: (input, known) => {
      const record = known.Record === undefined ? undefined : recordOf(known.Record);
      const now = phonesOf(record?.[member]) ?? [];
      const after = act === 'add' ? [...now, ...missingFrom(given(input), now)] : missingFrom(now, given(input));
      const blocked = list === 'allowed' ? sharedWith(given(input), phonesOf(record?.[kind.blocked]) ?? []) : [];
      const stay =
        blocked.length === 0 ? '' : `${phonesText(blocked)}: still blocked, because the block list comes first. `;
      const count = given(input).length;
      return filters.unlessOff(
        {
          title: `${verb} ${kind.name} from ${phonesText(given(input))}`,
          consequence: `${stay}${filters.reachText(kind, record && { ...record, [member]: after })}`,
          undo: `Can be changed back. ${filters.NOT_MADE_GOOD}`,
          confirm:
            verb.length > 10
              ? 'Take off the allow list'
              : `${verb} ${count === 1 ? 'this number' : `${count} numbers`}`,
        },
        known,
      );
    },
    exclusive: filters.duringUpdate,
    examples: [{ ...example(kind), [kind.entries]: ['+12015550199'] }],
  });
}

/** The numbers of a filter's list in E.164, because the platform may list them without their plus sign. */
const phonesOf = (list: unknown) => readTexts(list)?.map(inFull);

/** The check before a change of a list. If none of the numbers of a removal is on it, there is nothing to remove. */
async function lookAtList(kind: FilterKind, list: List, act: 'add' | 'remove', input: Fields, look: Look) {
  const { filter, ...checked } = await filters.lookAtFilter(kind, kind.id, input, look);
  if (filter === undefined || act === 'add') return checked;
  const given = readTexts(input[kind.entries]) ?? [];
  const missing = missingFrom(given, phonesOf(filter[kind[list]]) ?? []);
  if (missing.length === 0) return checked;
  const message = `${phonesText(missing)}: not on the ${list === 'allowed' ? 'allow' : 'block'} list of this filter`;
  if (missing.length < given.length) return { ...checked, warnings: [...(checked.warnings ?? []), `${message}.`] };
  return { ...checked, problem: { field: kind.entries, message: `${message}, so there is nothing to remove` } };
}
