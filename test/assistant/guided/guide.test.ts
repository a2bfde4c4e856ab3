import { describe, expect, it } from 'vitest';
import type { GuidedAnswer } from '../../../src/assistant/guided/answers/answer.ts';
import { Guide } from '../../../src/assistant/guided/guide.ts';
import { isGated } from '../../../src/catalogue/operation.ts';
import { tools } from '../../../tools/index.ts';
import { seeded } from '../../support/world.ts';
import { accounts, ofAccounts } from './accounts.ts';
import { amendments } from './amendments.ts';
import { atHand } from './at-hand.ts';
import { carriedOver } from './carried-over.ts';
import { changes } from './changes.ts';
import { bothRead, context } from './context.ts';
import { conversations } from './conversations.ts';
import { corrections } from './corrections.ts';
import { dayShift, lookAndChange, oneThing } from './day-shift.ts';
import { desk, deskFacts } from './desk.ts';
import { details, nothingLeft } from './details.ts';
import { duty, holders } from './duty.ts';
import { everydayWords } from './everyday-words.ts';
import { existing, valuesAsked } from './existing-records.ts';
import { factsAsked } from './facts-asked.ts';
import { ofFamilies } from './families.ts';
import { filters, joint } from './filters.ts';
import { keptParts } from './kept-parts.ts';
import { leads } from './leads.ts';
import { leftOutRows } from './left-out.ts';
import { forwardFacts, lineDesk, lineDeskWhole, oneSent } from './line-desk.ts';
import { messagesAndRoutes } from './messages-and-routes.ts';
import { namedRecords, ofGroups } from './named-records.ts';
import { onCall } from './on-call.ts';
import { onboarding } from './onboarding.ts';
import { ownWords } from './own-words.ts';
import { partsOfLines, sentTexts } from './parts-of-lines.ts';
import { bothAsked, planDesk } from './plan-desk.ts';
import { portDesk } from './port-desk.ts';
import { portSpecialists } from './port-specialists.ts';
import { portTalk } from './port-talk.ts';
import { porting } from './porting.ts';
import { portsFollowed } from './ports-followed.ts';
import { questions } from './questions.ts';
import { readConditions } from './read-conditions.ts';
import { referred } from './referred.ts';
import { type Request, requests } from './requests.ts';
import { saidWithIt } from './said-with-it.ts';
import { NOW, type Sentence, sentences } from './sentences.ts';
import { sets } from './sets.ts';
import { sharedRecords } from './shared-records.ts';
import { shifts } from './shifts.ts';
import { slips } from './slips.ts';
import { severalAtOnce, spoken } from './spoken.ts';
import { stated } from './stated.ts';
import { supervisingRows } from './supervising.ts';
import { supervisors } from './supervisors.ts';
import { supportDesk } from './support-desk.ts';
import { talk } from './talk.ts';
import { threads, wholeRequests } from './threads.ts';
import { twoParties } from './two-parties.ts';
import { guesses, searches, values } from './values.ts';
import { type Wording, wordings } from './wordings.ts';

const guide = new Guide({ tools, now: () => NOW });

const answers = new Map<string, GuidedAnswer>();

/** The answer to a message after the earlier ones, which stand before " => ". Each is made once. */
function ask(says: string): GuidedAnswer {
  const messages = says.split(' => ');
  const answer = answers.get(says) ?? guide.answer(messages.at(-1) ?? '', undefined, undefined, messages.slice(0, -1));
  answers.set(says, answer);
  return answer;
}

/** The difference between the answer and what the sentence asks for; undefined if there is none. */
function difference(sentence: Sentence): string | undefined {
  const { kind, operation, input, find } = ask(sentence.says);
  const found = find === undefined ? undefined : String(Object.values(find.input)[0]);
  const got = {
    kind,
    operation,
    ...(sentence.input && { input }),
    ...(sentence.finds !== undefined && { finds: found }),
  };
  const { says, ...wanted } = sentence;
  const expected = { operation: undefined, ...wanted };
  return isSame(got, expected) ? undefined : `${says}: ${JSON.stringify(got)}`;
}

/** True if the answer is one of those that are right. */
function isRight({ says, operations, finds }: Wording): boolean {
  const { kind, operation, input, find } = ask(says);
  const found = Object.values(find?.input ?? (operation === 'numbers_find' ? input : {}))[0];
  const got = kind === 'help' ? 'help' : (operation ?? '');
  return operations.includes(got) && (finds === undefined || found === finds);
}

/** The gated operation whose form or question answers a sentence; undefined if there is none. */
function gatedAnswer(says: string): string | undefined {
  const { operation, kind } = ask(says);
  const tool = tools.find(({ id }) => id === operation);
  return (kind === 'form' || kind === 'question') && tool && isGated(tool) ? operation : undefined;
}

/** The text of a value, with the members of lists and records joined. */
function flat(value: unknown): string {
  if (Array.isArray(value)) return value.map(flat).join('+');
  return typeof value === 'object' && value !== null ? Object.values(value).map(flat).join('+') : String(value);
}

/** The difference between the answer and what a request expects; undefined if there is none. */
function missedBy({ says, operations, fills }: Request): string | undefined {
  const { kind, operation, input, find } = ask(says);
  const got = kind === 'help' ? 'help' : (operation ?? '');
  const values: Record<string, unknown> = { ...find?.input, ...input };
  const wrong = Object.entries(fills).filter(([name, value]) => flat(values[name]) !== value);
  if (operations.includes(got) && wrong.length === 0) return undefined;
  return `${says}: ${kind} ${operation} ${JSON.stringify(values)}`;
}

/** The operations that an answer offers against what a request says. */
function wrongWay({ says, never }: Request): string[] {
  const { operation = '', nearest = [], also = [], kind } = ask(says);
  const beside = [...nearest, ...also].map((one) => one.operation ?? '');
  const offered = [kind === 'help' ? '' : operation, ...beside];
  return offered.filter((id) => never.some((one) => (one.startsWith('_') ? id.endsWith(one) : id === one)));
}

function isSame(one: object, other: object): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

describe('the answer without a model', () => {
  it('understands nine of ten sentences of support people', () => {
    const missed = sentences.map(difference).filter((one) => one !== undefined);
    expect(sentences.length).toBeGreaterThanOrEqual(90);
    expect(missed.length / sentences.length, missed.join('\n')).toBeLessThan(0.05);
  });

  it('understands nine of ten requests, and fills in what they say', () => {
    const missed = requests.map(missedBy).filter((one) => one !== undefined);
    expect(requests.length).toBeGreaterThanOrEqual(150);
    expect(missed.length / requests.length, missed.join('\n')).toBeLessThan(0.1);
  });

  it('understands the sentences of two shifts', () => {
    const missed = shifts.map(missedBy).filter((one) => one !== undefined);
    expect(shifts.length).toBeGreaterThanOrEqual(60);
    expect(missed).toEqual([]);
  });

  it('understands requests however they are put', () => {
    expect(spoken.map(missedBy).filter((one) => one !== undefined)).toEqual([]);
  });

  it.each(
    Object.entries({
      ...{
        details,
        corrections,
        threads,
        severalAtOnce,
        questions,
        changes,
        supervisors,
        onboarding,
        existing,
        onCall,
      },
      ...{
        ownWords,
        slips,
        amendments,
        filters,
        ofFamilies,
        sets,
        values,
        carriedOver,
        conversations,
        accounts,
        readConditions,
        referred,
        talk,
        leads,
        factsAsked,
        everydayWords,
        desk,
        porting,
        planDesk,
        portDesk,
        portSpecialists,
        stated,
        portsFollowed,
        portTalk,
        atHand,
        leftOut: leftOutRows,
        supervising: supervisingRows,
        duty,
        saidWithIt,
        dayShift,
        supportDesk,
        keptParts,
        messagesAndRoutes,
        twoParties,
        namedRecords,
        lineDesk,
        sharedRecords,
        partsOfLines,
        context,
      },
    }),
  )('reads the rows of “%s”, and tells what it does not fill in', (_, rows) => {
    const missed = rows.map(missedBy).filter((one) => one !== undefined);
    const untold = rows.flatMap(({ says, tells }) => {
      const { understood } = ask(says);
      return understood.toLowerCase().includes(tells.toLowerCase()) ? [] : [`${says}: ${understood}`];
    });
    expect([...missed, ...untold]).toEqual([]);
  });

  it.each(lookAndChange)('answers a look and a change in one message: %s', (says, change, look) => {
    const { kind, operation, also = [] } = ask(says);
    expect([kind === 'lookup' ? kind : operation, ...also.map((one) => one.operation)]).toEqual([change, look]);
  });

  it.each(bothAsked)('answers both questions of a message: %s', (says, ...operations) => {
    const { operation, also = [] } = ask(says);
    expect([operation, ...also.map((one) => one.operation)]).toEqual(operations);
  });

  it.each(bothRead)('answers a read of several people for each of them: %s', (says, operation, names) => {
    const { also = [], ...first } = ask(says);
    const all = [first, ...also];
    expect(all.map((one) => one.operation)).toEqual(names.map(() => operation));
    expect(all.map(({ find }) => find?.input.Query)).toEqual(names);
  });

  it.each(sentTexts)('sends the text of a message as it was typed: %s', (says, text) => {
    expect(ask(says).input.Body).toBe(text);
  });

  it.each(oneThing)('reads a message of one part as one: %s', (says) => {
    expect(ask(says).also).toBeUndefined();
  });

  it('names the account that a route or a list may be of, which surfaces look up', () => {
    const meant = (says: string) => ask(says).orAccount;
    expect(meant('lines on the acme sms route?')).toMatchObject({ name: 'acme', input: { Query: 'acme', Full: true } });
    expect(meant('which lines are on acmes voice trunk')).toMatchObject({ name: 'acme', operation: 'numbers_find' });
    expect(meant('list everyone on globex')).toMatchObject({ name: 'globex', input: { CountBy: 'Customer' } });
    expect(meant('everyone on the starter plan')).toBeUndefined();
    expect(meant('show workgroups of acme')).toMatchObject({ name: 'acme', operation: 'account_workgroups_get' });
  });

  it.each(valuesAsked)('names the fields that a question asks for: %s', (says, names) => {
    const { values, orAccount } = ask(says);
    expect((values ?? orAccount?.values ?? []).map(({ name }) => name)).toEqual(names);
  });

  it.each(ofAccounts)('says what is meant if the name is one of an account: $says', ({ says, operation, name }) => {
    const { orAccount } = ask(says);
    expect([orAccount?.operation, orAccount?.name]).toEqual([operation, name]);
  });

  it.each(ofGroups)('names the workgroup that may be meant, which surfaces look up: %s', (says, operation, name) => {
    expect(ask(says).orAccount).toMatchObject({ noun: 'workgroup', operation, name, kind: 'form' });
  });

  it.each([...deskFacts, ...forwardFacts])('names the facts that a question of a line asks for: %s', (says, facts) => {
    expect(ask(says).facts).toEqual(facts);
  });

  it.each(oneSent)('narrows no list of messages to those received: %s', (says) => {
    const { also = [] } = ask(says);
    expect(also.map(({ operation, narrow }) => [operation, narrow])).toEqual([['message_search_get', undefined]]);
  });

  it.each(holders)('names the people of a role: %s', (says, roles) => {
    expect(ask(says).holders ?? []).toEqual(roles);
  });

  it('names the people of a role as the settings do', () => {
    const named = { viewer: [], operator: ['ana'], approver: ['lee', 'ops'] };
    const own = new Guide({ tools, now: () => NOW, settings: { holders: named } });
    expect([own.holdersOf('approver'), own.holdersOf('viewer')]).toEqual(['Approvers: lee, ops', 'Viewers: nobody']);
  });

  it.each(joint)('reads a sentence about several filters once for each: %s', (says, answers) => {
    const { also = [], ...first } = ask(says);
    const read = [first, ...also].map(({ operation = '', input }) =>
      `${operation.replace('subscribers_', '')} ${String(input.SubscriberId ?? input.CallFilterId ?? input.MessageFilterId ?? '')}`.trim(),
    );
    expect(read.join(', ')).toBe(answers);
  });

  it.each([
    ['what does a sim swap cost', 'numbers_status', 'old SIM stops working'],
    ['what does cancel cost', 'numbers_cancel', 'within 30 days for 5 USD'],
    ['how much is a reactivation', 'numbers_reactivate', '5 USD'],
    ['whats the fee to get a number back', 'numbers_reactivate', '5 USD'],
    ['what does a port-in cost', 'numbers_portin', 'rate for a line'],
    ['how long does a port take', 'numbers_portin', '1 to 5 business days'],
    ['how much is a text', 'message_outbound', 'each message is billed'],
    ['what does parking do', 'numbers_status', 'calls, texts and data stop'],
    ['what happens to 0103 when I cancel it', 'numbers_cancel', 'Service ends at once'],
    ['is a cancellation reversible', 'numbers_cancel', 'Undo: Can be reactivated'],
    ['whats the difference between park and cancel', 'numbers_cancel', 'Park a number'],
  ])('answers with the rule of a change, in words: %s', (says, operation, words) => {
    const { kind, about, ...guided } = ask(says);
    expect({ kind, operation: guided.operation }).toEqual({ kind: 'help', operation });
    expect(about?.text).toContain(words);
    expect(about?.text).not.toMatch(/[a-z]_[a-z]|[a-z][A-Z][a-z]+Id\b|\b[A-Z]{2,7}-0{4}/);
  });

  it('looks up no number that is to be ported in, as it is none of ours', () => {
    const { kind, nearest } = guide.answer('port 312 555 0145 in, but not yet');
    expect(kind).toBe('help');
    expect(nearest?.map(({ operation }) => operation)).toEqual(['numbers_portin_eligibility']);
  });

  it('reads a whole request after another one as if it were alone', () => {
    const read = ({ operation, input, find, withdraws }: GuidedAnswer) =>
      JSON.stringify([operation, input, find?.input, withdraws ?? false]);
    const merged = wholeRequests.flatMap((first) =>
      wholeRequests.flatMap((second) =>
        first === second || read(ask(`${first} => ${second}`)) === read(ask(second)) ? [] : [`${first} => ${second}`],
      ),
    );
    expect(merged).toEqual([]);
  });

  it('marks a search by words that may name nothing, as other words were not understood', () => {
    const marked = [...guesses, ...searches].filter((says) => ask(says).isGuess === true);
    expect(marked).toEqual(guesses);
  });

  it('says how much an order adds to a limit, so that a surface can add it to the present one', () => {
    expect(ask('give 0103 200 mb more').adds).toEqual({ field: 'LimitValue', amount: 200 });
    expect(ask('set the limit of 0103 to 200 mb').adds).toBeUndefined();
  });

  it('offers a watch that only examples recognise, and starts none', () => {
    const { kind, operation } = ask('tell me when the hold of 0105 is lifted');
    expect([kind, operation]).toEqual(['form', 'numbers_watch']);
  });

  it('says nothing about words that are greetings or reasons', () => {
    const told = [...nothingLeft, ...lineDeskWhole].flatMap((says) =>
      /not taken/i.test(ask(says).understood) ? [says] : [],
    );
    expect(told).toEqual([]);
  });

  it('never offers the opposite of what a request says, or something else that costs', () => {
    const wrong = [
      ...requests,
      ...shifts,
      ...details,
      ...corrections,
      ...threads,
      ...spoken,
      ...questions,
      ...changes,
      ...supervisors,
      ...ownWords,
      ...onCall,
      ...factsAsked,
      ...slips,
      ...amendments,
      ...filters,
      ...ofFamilies,
      ...carriedOver,
      ...conversations,
      ...talk,
      ...leads,
      ...sets,
      ...values,
      ...duty,
      ...saidWithIt,
      ...sharedRecords,
      ...partsOfLines,
    ].flatMap((request) => wrongWay(request).map((id) => `${request.says}: ${id}`));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['sned 0103 a text', 'message_outbound'],
    ['send a txet to 0103', 'message_outbound'],
    ['fnid ben', 'numbers_find'],
    ['show plnas', 'account_packages_get'],
  ])('corrects two letters in the wrong order, in short words too: %s', (says, operation) => {
    expect(ask(says).operation).toBe(operation);
  });

  it('looks for the receiver of a message by last digits or a name, and not for its sender', () => {
    const found = guide.answer('sned 0104 a text');
    expect([found.operation, found.find?.input]).toEqual(['message_outbound', { Query: '0104' }]);
    expect(guide.withNumber(found, '+12015550104').input).toEqual({ To: [{ Number: '+12015550104' }] });
    for (const says of ['please send a text to ben', 'sned a text to Ben'])
      expect(ask(says).find?.input, says).toEqual({ Query: says.slice(-3) });
    expect(guide.answer('send a text from 0104').find).toBeUndefined();
  });

  it.each([
    ['park 0103 yesterday', undefined],
    ['park 0103 on feb 30', undefined],
    ['park 0103 2020-01-01', undefined],
    ['park 0103 on her birthday', '11/22/2026'],
  ])('asks nobody about “%s” once its number is known', (says, EffectiveDate) => {
    const { kind, input } = guide.withNumber(ask(says), seeded(3));
    expect([kind, input.EffectiveDate]).toEqual(['form', EffectiveDate]);
  });

  it('says what an operation has no place for', () => {
    expect(ask("change ava's e-mail to ava@example.com").understood).toContain('Not taken: ava@example.com');
  });

  it('says nothing of the kind where all is filled in', () => {
    for (const says of ['text 0104 "on its way"', 'cap 0105 at 5 gb', 'block +13125550199 for ben'])
      expect(ask(says).understood).not.toContain('Not taken');
  });

  it('takes an amount at the end for no number', () => {
    const limit = guide.answer('raise the data limit of 0101 to 9000');
    expect([limit.operation, limit.find?.input]).toEqual(['numbers_data_usage_set', { Query: '0101' }]);
  });

  it.each([
    'cancel +12015550103, call her back on +12015550101',
    'cancel 0103, customer since 2025',
    'she said cancel 0104 but meant 0105',
    "cancel ava's line but not 0104",
    'cancel the line of ben, he calls from +12015550101',
  ])('fills in no number where a sentence names numbers in different roles: %s', (says) => {
    const { kind, input, find, understood } = ask(says);
    expect([kind, find]).toEqual(['form', undefined]);
    expect(JSON.stringify({ ...input, EffectiveDate: undefined })).not.toMatch(/\d{4}/);
    expect(understood).toContain('Which of the numbers are meant is unclear');
  });

  it.each([
    ['cancel 0103, 0104 and 0105', ['0103', '0104', '0105']],
    ['cancel #0103 & #0104 please', ['0103', '0104']],
    ['cancel 0103 and 0104 but not 0105', ['0103', '0104']],
    ['cancel +12015550103, not +12015550104', ['+12015550103']],
    ['cancel +12015550103 but keep +12015550104', ['+12015550103']],
    ['cancel +12015550103 and +12015550104 except +12015550105', ['+12015550103', '+12015550104']],
    ['cancel (201) 555-0103 and also +12015550104 today', ['+12015550103', '+12015550104']],
  ])('fills in the numbers of one list: %s', (says, numbers) => {
    expect(ask(says).input).toEqual({ PhoneNumbers: numbers.map((one) => ({ Number: one })) });
  });

  it.each(['nead', 'liena', 'lian'])('takes no name for a misspelt word: %s', (name) => {
    const answer = guide.answer(name);
    expect(Object.values(answer.find?.input ?? answer.input ?? {})).toContain(name);
  });

  it('understands nineteen of twenty in short, hurried and misspelt words', () => {
    const missed = wordings.filter((wording) => !isRight(wording)).map(({ says }) => says);
    console.info(`understood ${wordings.length - missed.length} of ${wordings.length} wordings`);
    expect(missed.length / wordings.length, missed.join('\n')).toBeLessThan(0.05);
  });

  it('takes no sentence for a change that costs or destroys, unless the sentence asks for it', () => {
    const wrong = [
      ...sentences.map(({ says, operation = '' }) => ({ says, operations: [operation] })),
      ...wordings,
    ].filter(({ says, operations }) => !operations.includes(gatedAnswer(says) ?? operations[0] ?? ''));
    expect(wrong.map(({ says }) => says)).toEqual([]);
  });
});
