import { expect, it } from 'vitest';
import { Guide } from '../../../../src/assistant/guided/guide.ts';
import type { Shown, ShownRecord } from '../../../../src/language/shown.ts';
import { tools } from '../../../../tools/index.ts';
import { NOW } from '../sentences.ts';

/* Messages after an answer whose records are known: those are what "it" means, before the words of the messages. */

const guide = new Guide({ tools, now: () => NOW });

/** A line of the sandbox by its last digits; `!` behind them: it is cancelled. */
function line(text: string, holder?: string): ShownRecord {
  const name = `+1201555${text.slice(0, 4)}`;
  return { name, ...(holder && { holder }), ...(text.endsWith('!') && { isCancelled: true as const }) };
}

function lines(records: readonly ShownRecord[], beside?: Shown['beside']): Shown {
  return { noun: 'line', records, ...(beside && { beside }) };
}

function named(noun: string, ...names: string[]): Shown {
  return { noun, records: names.map((name) => ({ name })) };
}

const ROUTES = [
  { noun: 'message route', name: 'Main SMS route' },
  { noun: 'voice route', name: 'Main SIP trunk' },
];
const orphans = lines([line('0109!'), line('0110')]);
const cancelled = lines([line('0107!', 'Ava Stone'), line('0108!', 'Ava Stone')]);
const avas = lines([line('0101', 'Ava Stone'), line('0103', 'Ava Stone'), line('0107!', 'Ava Stone')]);
const globex = lines([line('0102', 'Ben Reed')], [{ noun: 'account', name: 'Globex Family' }]);

/** Messages before with what was shown, the message, and the answer in short. */
type Row = readonly [earlier: readonly (readonly [string, Shown?])[], says: string, answer: string];

const rows: readonly Row[] = [
  [
    [['which numbers are pending delete', cancelled]],
    'which one goes first',
    'numbers_find {"Status":"Cancelled - Pending Delete"}',
  ],
  [[['orphan numbers?', orphans]], 'put it on ava stone', 'numbers_update {"AssignedSubscriberId":"ava stone"} 0110'],
  [[['orphan numbers?', orphans]], 'give it to ava stone', 'numbers_update {"AssignedSubscriberId":"ava stone"} 0110'],
  [
    [['which lines have no customer', orphans]],
    'give that one to ben',
    'numbers_update {"AssignedSubscriberId":"ben"} 0110',
  ],
  [[['orphan numbers?', orphans]], 'cancel it', 'numbers_cancel {} 0110'],
  [[['who was cancelled lately', cancelled]], 'bring that one back', 'which 0107 0108'],
  [[['who was cancelled lately', cancelled], ['bring that one back']], '0107', 'numbers_reactivate {} 0107'],
  [
    [['who was cancelled lately', cancelled], ['bring that one back']],
    'the second one please',
    'numbers_reactivate {} 0108',
  ],
  [[['which numbers are pending delete', cancelled]], 'bring both back', 'numbers_reactivate {} each 0107 0108'],
  [[['find ava', avas]], 'park it', 'which 0101 0103'],
  [[['find ava', avas]], 'bring it back', 'numbers_reactivate {} 0107'],
  [[['find ava', avas]], 'text her hello', 'message_outbound {"Body":"hello"} ava'],
  [[['find ava', avas]], 'cancel the last one', 'numbers_cancel {} 0107'],
  [
    [['look up ben', globex]],
    'park the first one',
    'numbers_status {"StatusChange":"park","EffectiveDate":"11/22/2026"} 0102',
  ],
  [[['which numbers are cancelled', cancelled]], 'bring the second one back', 'numbers_reactivate {} 0108'],
  [
    [['list acme lines', avas]],
    'park the second one',
    'numbers_status {"StatusChange":"park","EffectiveDate":"11/22/2026"} 0103',
  ],
  [[['which lines are cancelled', cancelled]], 'reactivate the first one', 'numbers_reactivate {} 0107'],
  [[['lines of acme', avas]], 'how much data has it left', 'which 0101 0103 0107'],
  [
    [['who has 385 numbers', lines([line('0104')])]],
    'put it on hold',
    'numbers_status {"StatusChange":"park","EffectiveDate":"11/22/2026"} 0104',
  ],
  [
    [['account globex family', globex]],
    'change their billing address to 5 Elm St, Provo, Utah 84601',
    'account_update {"BillingAddress":{"Street1":"5 Elm St","City":"Provo","State":"Utah","Zip":"84601"},"AccountId":"globex family"}',
  ],
  [
    [['account globex family', globex]],
    'park it',
    'numbers_status {"StatusChange":"park","EffectiveDate":"11/22/2026"} 0102',
  ],
  [
    [['show me the message routes of acme', named('message route', 'Main SMS route')]],
    'which lines use it',
    'numbers_find {"Route":"Main SMS route"}',
  ],
  [
    [['message routes of acme', named('message route', 'Main SMS route')]],
    'who is on it',
    'numbers_find {"Route":"Main SMS route"}',
  ],
  [
    [['voice routes of acme', named('voice route', 'Main SIP trunk')]],
    'point it to 203.0.113.9',
    'voice_routes_update {"CallRouteId":"Main SIP trunk","TrunkIp1":"203.0.113.9"}',
  ],
  [
    [['where do inbound texts for 0101 go', lines([line('0101')], ROUTES)]],
    'who else is on that route',
    'numbers_find {"Route":"Main SMS route"}',
  ],
  [
    [['where do calls for 0101 ring', lines([line('0101')], ROUTES)]],
    'which other lines use that route',
    'numbers_find {"Route":"Main SIP trunk"}',
  ],
  [
    [['look up 0101', lines([line('0101')], ROUTES)]],
    'who else is on that route',
    'help “that route” may be Main SMS route or Main SIP trunk',
  ],
  [
    [['look up 0101', lines([line('0101')], [{ noun: 'package', name: 'Starter' }])]],
    'who else is on that package',
    'numbers_find {"Plan":"Starter"}',
  ],
  [[['show the packages', named('package', 'Starter')]], "what's in it", 'packages_items_get {"PackageId":"Starter"}'],
  [
    [['which products are in no package', named('product', 'DATA-10')]],
    'delete it',
    'products_delete {"ProductId":"DATA-10"}',
  ],
  [[['webhooks of acme', named('webhook')]], 'change it so it gets new sms too', 'help “it” names nothing'],
  [[['watch 0104'], ['what do i watch', lines([line('0104')])]], 'stop it', 'numbers_watch {"Stop":true} 0104'],
  [[['what am i watching', lines([line('0103')])]], 'drop it please', 'numbers_watch {"Stop":true} 0103'],
  [[['which lines are parked', lines([])]], 'bring it back', 'help “it” names nothing'],
];

function answered([earlier, says]: Row): string {
  const [texts, shown] = [earlier.map(([text]) => text), earlier.map(([, one]) => one)];
  const {
    kind,
    operation = '',
    input,
    find,
    each,
    nearest,
    understood,
  } = guide.answer(says, undefined, undefined, texts, shown);
  if (kind === 'help' && nearest) return `which ${nearest.map(({ label = '' }) => label.slice(-4)).join(' ')}`;
  if (kind === 'help') return `help ${understood}`;
  const whom = each ? ` each ${each.texts.join(' ')}` : find ? ` ${String(find.input.Query)}` : '';
  return `${operation} ${JSON.stringify(input)}${whom}`;
}

it('takes what was shown for “it”, and asks which of several', () => {
  const wrong = rows.flatMap((row) => {
    const got = answered(row);
    return got.startsWith(row[2]) ? [] : [`${row[1]}: ${got}`];
  });
  expect(wrong).toEqual([]);
});

it('falls back to the words of the messages where it is not known what was shown', () => {
  expect(answered([[['look up 0104']], 'park it', ''])).toBe(
    'numbers_status {"StatusChange":"park","EffectiveDate":"11/22/2026"} 0104',
  );
});
