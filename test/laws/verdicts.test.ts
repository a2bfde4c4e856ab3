import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { asks, followed } from '../support/asking.ts';
import { BatchClient } from '../support/batches.ts';
import { FastClock } from '../support/clock.ts';
import { confirm } from '../support/page.ts';
import { requested, scripted } from '../support/scripted.ts';
import { A1, CRID, id, REQUEST_PATH, seeded, TSUID } from '../support/seed.ts';
import { call, openWorld, until, value } from '../support/world.ts';

/*
 * The verdict on an answer with status 200, for every change of the catalogue: alone, in two stages, over MCP and in a
 * batch. An answer that contradicts itself is never done.
 */

const both = { PhoneNumbers: [{ Number: seeded(1) }, { Number: seeded(3) }] };
const changing = tools.filter(
  (tool): tool is Operation => tool.kind === 'operation' && tool.risk !== 'read' && tool.group !== 'oauth2',
);
const each = changing.map((tool, at) => [tool.id, tool, at] as const);

const platform = await scripted();
const world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url }, new FastClock());
const client = await world.client();

const order = () => requested(world.runtime.clock.now(), both.PhoneNumbers);

let numbered = 0;
const sentTo = (path: string) => platform.requests.filter((request) => request.path === path).length;

/** Filters and port-in orders are read before they are changed. A filter's path answers a new one too. */
function answerReads(tool: Operation): void {
  const filter = { SubscriberId: TSUID, Phone: seeded(1), ApplyToInbound: false, KeywordFilter: '' };
  const listed = tool.id.endsWith('_remove') ? ['+12015550199'] : ['+12015550188'];
  const lists = Object.fromEntries(
    ['AllowedNumbers', 'AllowedContacts', 'BlockedNumbers', 'BlockedContacts'].map((name) => [name, listed]),
  );
  platform.answer('/v1.0/numbers/data-usage/settings', {
    PhoneNumbers: [1, 3, 5].map((n) => ({ Number: seeded(n), LimitValue: 20, ValueUnit: 'MB' })),
  });
  platform.answer('/v1.0/workgroups', {
    WorkgroupId: id('WID', 1),
    Activities: [{ WorkgroupActivityId: id('WAID', 1), DigitOrder: 1, PhoneNumber: seeded(1) }],
  });
  const hook = { WebhookUrl: 'https://example.com/hook', Method: 'POST', DataFormat: 'json' };
  const listens = { SubscribedEvents: 'New_Sms', AuthenticationType: 'None' };
  platform.answer('/v1.0/webhook', { WebhookId: id('WID', 1), ...hook, ...listens });
  const plan = { SubscriptionId: id('SUB', 1), SubscriberId: TSUID, PackageId: id('PKID', 2) };
  platform.answer('/v1.0/subscriptions', plan);
  platform.answer('/v1.0/voice/routes', { CallRouteId: CRID, RouteName: 'Main' });
  platform.answer('/v1.0/numbers/order', { OrderStatus: 'Submitted', PhoneNumbersOrdered: [{ Number: seeded(1) }] });
  const path = '/v1.0/subscribers/';
  platform.answer(`${path}call-filter`, [{ ...filter, ...lists, FilterMode: 'BLACKLIST', FilterId: id('CFID', 1) }]);
  platform.answer(`${path}message-filter`, [{ ...filter, ...lists, FilterMode: 'CHILD', FilterId: id('MFID', 1) }]);
}

/** The exit code of an operation whose answer is this body, and its result or error. */
async function run(tool: Operation, body: string): Promise<{ code: number; text: string }> {
  answerReads(tool);
  let input: Record<string, unknown> = tool.examples[0] ?? {};
  // The same change cannot be scheduled twice, so each one is of another number.
  if (tool.answer?.scheduled) input = { ...input, PhoneNumbers: [{ Number: `+1201555${1000 + numbered++}` }] };
  if (tool.takes) {
    platform.answer(REQUEST_PATH, order());
    input = { [tool.takes.under]: value(await call(client, tool.takes.from, both))[tool.takes.under] };
  }
  platform.raw(tool.path, body);
  const before = sentTo(tool.path);
  const ran = await world.cli([tool.id, '--json', JSON.stringify(input), '--yes', '--again']);
  await forget();
  // An answer counts only if it was asked for: a call may be stopped before it is sent.
  return { code: sentTo(tool.path) > before ? ran.code : Number.NaN, text: ran.out + ran.err };
}

/** Settles what stayed open, so that no later call is warned of it or answered with it. */
async function forget(): Promise<void> {
  const [newest] = await world.runtime.gate.actions.list({ limit: 1, whole: true });
  const person = { id: 'cli:lee', name: 'lee', role: 'approver', surface: 'cli', priority: 'person' } as const;
  if (newest?.state === 'unknown') await world.runtime.gate.settle(newest.id, person, 'not_done', 'terminal');
}

/** Answers that say that the work was done and that it was not, with the text of the second side. */
const contradictions: readonly (readonly [string, string])[] = [
  ['{"Successful":true,"Result":"Failed"}', 'Result: Failed'],
  ['{"Successful":true,"Outcome":"Rejected by the carrier"}', 'Outcome: “Rejected by the carrier”'],
  ['{"Successful":true,"Disposition":"NOT_DONE"}', 'Disposition: “NOT_DONE”'],
  ['{"Successful":true,"Steps":[{"Step":1,"State":"ok"},{"Step":2,"State":"aborted"}]}', 'Steps.State: “aborted”'],
  ['{"Successful":true,"ErrorMessage":"The line is locked"}', 'ErrorMessage: “The line is locked”'],
  ['{"successful":"true","Errors":["The line is locked"]}', 'The line is locked'],
  ['{"Successful":true,"Errors":{"Line":["is locked"]}}', 'is locked'],
  ['{"Successful":true,"ErrorCode":4017}', 'ErrorCode: 4017'],
  ['{"Successful":true,"Failures":[{"Reason":"The line is locked"}]}', 'The line is locked'],
  ['{"Successful":true,"Rejected":["+12015550199"]}', '+12015550199'],
  ['{"Successful":true,"FailedCount":1}', 'FailedCount: 1'],
  ['{"Successful":true,"Accepted":false}', 'Accepted: false'],
  ['{"Successful":true,"HasErrors":true}', 'HasErrors: true'],
  ['{"Successful":true,"StatusCode":500}', 'StatusCode: 500'],
  ['{"Successful":true,"Message":"The change could not be made"}', 'could not be made'],
  ['{"Successful":true,"Success":false}', 'Success: false'],
  ['{"Successful":true,"Rows":[{"Line":1,"Success":false}]}', 'Rows.Success: false'],
  ['{"Successful":true,"Details":{"Successful":"no"}}', 'Details.Successful: no'],
  ['{"Successful":true,"NotChanged":["the line"]}', 'the line'],
  ['{"Successful":true,"Status":"Success","StatusMessage":"Number not found!"}', 'Number not found!'],
  ['{"Successful":true,"Reason":"Insufficient permissions"}', 'Insufficient permissions'],
  ['{"Successful":true,"Code":500}', 'Code: 500'],
  ['{"Successful":true,"Updated":0}', 'Updated: 0'],
  ['{"Successful":false,"Status":"Complete"}', 'Successful: false'],
  ['{"OrderId":"JNUOID-1","OrderStatus":"Success","ErrorMessage":"The line is locked"}', 'The line is locked'],
];

const RECORD = '"Status":"Completed","OrderId":"JNUOID-00000000-0000-4000-8000-0000000000aa"';
/** Answers that say nothing. Of an operation whose success has no body, they say that it succeeded. */
const BARE = ['{}', '{"Message":"accepted"}', '{"Successful":null}'];

interface Verdict {
  code: number;
  /** What the result or the error says of each. */
  says?: RegExp;
  answers: readonly (readonly [body: string, text?: string])[];
}
const bodies = (...all: string[]) => all.map((body) => [body] as const);

const CONTRADICTION: Verdict = {
  ...{ code: 4, says: /contradicts itself\. It says .+, and also / },
  answers: contradictions,
};
const VERDICTS: readonly Verdict[] = [
  {
    code: 0,
    answers: bodies(
      ...['{"Successful":true}', '{"successful":"true"}', 'success', '"Success"', '{"Successful":true,"Data":null}'],
      '{"Successful":true,"Message":"ok","Data":{}}',
      // They may look like a failure and report none.
      '{"Successful":true,"Error":null,"Errors":[],"ErrorMessage":"","ErrorCode":0,"FailedCount":"0","Failures":{}}',
      '{"Successful":true,"ErrorMessage":"None","Message":"Completed without errors"}',
      '{"Successful":true,"PreviousStatus":"Failed","Usage":"Not throttled","Note":"Not charged"}',
      '{"Successful":true,"Code":200,"Updated":1,"Skipped":[],"NotChanged":null,"Rows":[{"Success":true}]}',
    ),
  },
  // Only the record says so.
  {
    ...{ code: 0, says: /"Warning": ".*Successful/ },
    answers: bodies(`{${RECORD}}`, `{"Successful":null,${RECORD}}`, `{"Successful":[],${RECORD}}`),
  },
  {
    code: 1,
    answers: bodies(
      ...[
        '{"Successful":false}',
        '{"successful":"False","StatusMessage":"no"}',
        '{"Successful":true,"CancelStatus":"Failed"}',
      ],
      '{"Successful":true,"Data":{"SomeStatus":"Rejected"}}',
      '{"Successful":false,"Data":{"Successful":true}}',
    ),
  },
  { code: 4, answers: bodies(...BARE, '"done"', '{"Seen":"yes"}') },
];

it.each(each)('the verdict on an answer to %s is that of what it says', async (_id, tool, at) => {
  const verdicts = [CONTRADICTION, ...(at === 0 ? VERDICTS : VERDICTS.slice(at % VERDICTS.length).slice(0, 1))];
  for (const { code, says = /(?:)/, answers } of verdicts) {
    const open = answers.filter(([body]) => !(tool.answer?.bare && BARE.includes(body)));
    // One verdict counts for all operations. The first is given all answers, and each other one some, in turn.
    for (const [body, text = ''] of at === 0 ? open : open.slice(at % open.length).slice(0, 1)) {
      const ran = await run(tool, body);
      expect([body, ran.code]).toEqual([body, code]);
      expect(ran.text).toMatch(says);
      expect(ran.text).toContain(text);
    }
  }
});

it('covers the whole catalogue', () => expect(changing.length).toBeGreaterThan(40));

/** Calls with numbers, and answers that name others. */
const [ONE, OTHER] = [{ Number: seeded(1) }, { Number: seeded(6) }];
const PARK = { PhoneNumbers: [ONE], StatusChange: 'park', EffectiveDate: '12/31/2026' };
const TEXT = { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'Hello' };
const others = [
  ['numbers_status', PARK, { Numbers: [OTHER] }],
  ['numbers_reactivate', { PhoneNumber: seeded(7) }, { Status: 'Success', PhoneNumber: seeded(8) }],
  ['numbers_update', { Number: seeded(10), CnamFirstName: 'Ann' }, ONE],
  ['message_outbound', TEXT, { To: [{ Number: '+12015550198' }] }],
  ['numbers_data_usage_set', { PhoneNumbers: [ONE], LimitValue: 500 }, both],
  ['numbers_cancel_order_request', both, { NumbersValid: [...both.PhoneNumbers, OTHER], OrderId: 'JNUOID-2' }],
] as const;
it.each(others)(
  '%s is unknown where the answer names numbers that were not asked for',
  async (operation, input, answer) => {
    const tool = changing.find(({ id: one }) => one === operation);
    platform.answer(tool?.path ?? '', { Successful: true, ...answer });
    const ran = await world.cli([operation, '--json', JSON.stringify(input), '--yes', '--again']);
    await forget();
    expect([ran.code, ran.error().message]).toEqual([4, expect.stringContaining('which the call did not ask for')]);
  },
);

it('a swap may name a new number', async () => {
  platform.answer('/v1.0/numbers/status', { Successful: true, Numbers: [{ Number: '+12015557777' }] });
  const input = { PhoneNumbers: [{ Number: seeded(4) }], StatusChange: 'swap', EffectiveDate: '12/31/2026' };
  expect((await world.cli(['numbers_status', '--json', JSON.stringify(input), '--yes'])).code).toBe(0);
});

describe('a contradiction', () => {
  const submit = '/v1.0/numbers/cancel-order-submit';
  const CONTRADICTS = '{"Successful":true,"Result":"Failed"}';

  it('of the second stage is unknown for the workflow, at the terminal and over MCP', async () => {
    platform.answer(REQUEST_PATH, order());
    platform.raw(submit, CONTRADICTS);
    const ran = await world.cli(['numbers_cancel', '--json', JSON.stringify(both), '--yes']);
    expect([ran.code, ran.error().outcome]).toEqual([4, 'unknown']);
    await forget();

    const asked = await asks(client, 'numbers_cancel', both);
    const { html } = await confirm(asked.url);
    expect(html).not.toContain('>Done');
    const end = await followed(client, asked.id);
    expect(end).toMatchObject({ status: 'unknown', error: { outcome: 'unknown' } });
    expect(end.error.message).toContain('It says Successful: true, and also Result: Failed');
    await forget();
  });

  it('of a row holds its batch', async () => {
    const batches = new BatchClient(client);
    const found = { Status: 'Cancelled - Pending Delete', AccountId: A1, NumberType: 'mvno' };
    platform.answer('/v1.0/numbers', [found]);
    platform.raw('/v1.0/numbers/reactivate', CONTRADICTS);
    const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: [seeded(7), seeded(8)] });
    await confirm(made.confirmation.url);
    const unknown = async () => (await batches.get(made.batch.id)).batch.unknown === 1;
    await until(unknown, 'the outcome of the first row is unknown');
    expect(await batches.stop(made.batch.id)).toMatchObject({ status: 'stopped', unknown: 1, ready: 1 });
  });
});
