import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldsOf, labelOf, takesNull } from '../../src/catalogue/input.ts';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { helpOfGroup, helpOfTool, slackStyle } from '../../src/language/help.ts';
import { clean, formatPhone, rowsOf, stateMark } from '../../src/language/show.ts';
import { tools } from '../../tools/index.ts';
import { httpsUrl } from '../../tools/shared/addresses.ts';
import {
  accountId,
  address,
  choice,
  e164,
  e164List,
  email,
  numberList,
  out,
  portInDate,
  secretText,
  usDate,
} from '../../tools/shared/fields.ts';
import { keywordFilter } from '../../tools/shared/keywords.ts';

const every = defineOperation({
  id: 'numbers_update',
  endpoint: 'POST /v1.0/numbers/update',
  title: 'Every kind',
  description: 'One field of each kind.',
  risk: 'write',
  resend: true,
  source: 'A',
  notes: 'test',
  ordinary: {},
  raised: {},
  consent: () => ({ title: 'Every kind', consequence: 'None.', undo: '', confirm: 'Do it' }),
  input: () => ({
    Name: z.string().max(50),
    Body: z.string().max(1600).meta({ kind: 'multiline' }),
    PageNumber: z.int().min(1).max(9).default(1),
    Enabled: z.boolean().optional(),
    NumberType: choice(['mvno', 'iot']),
    PhoneNumber: e164,
    AssignedAccountId: accountId.nullable().optional(),
    PortInDate: portInDate,
    EffectiveDate: usDate.describe('MM/DD/YYYY'),
    MessageUrl: httpsUrl,
    Email: email,
    KeywordFilter: keywordFilter,
    Numbers: e164List,
    BillingAddress: address,
    PhoneNumbers: numberList,
    SipPassword: secretText().nullable(),
  }),
  output: () => ({ Status: out.plain }),
  examples: [
    {
      Name: 'x',
      Body: 'y',
      NumberType: 'iot',
      PhoneNumber: '+12015550109',
      PortInDate: '2026-12-31',
      EffectiveDate: '12/31/2026',
      MessageUrl: 'https://example.com',
      Email: 'a@b.example',
      KeywordFilter: '{}',
      Numbers: ['+12015550101'],
      BillingAddress: {},
      PhoneNumbers: [{ Number: '+12015550101' }],
      SipPassword: 'secret',
    },
  ],
});

describe('fieldsOf', () => {
  const fields = Object.fromEntries(fieldsOf(every).map((field) => [field.name, field]));

  it('knows every kind', () => {
    expect(Object.values(fields).map((field) => field.kind)).toEqual(
      'text multiline number boolean choice phone id date us-date url email keywords list group rows text'.split(' '),
    );
  });

  it('carries what forms and help need', () => {
    expect(fields.Name).toMatchObject({ required: true, maxLength: 50, label: 'Name', secret: false, example: 'x' });
    expect(fields.PageNumber).toMatchObject({ required: false, default: 1, minimum: 1, maximum: 9 });
    expect(fields.NumberType).toMatchObject({ required: true, choices: ['mvno', 'iot'] });
    expect(fields.AssignedAccountId).toMatchObject({ required: false, ids: ['AID'], label: 'Assigned account' });
    expect(fields.EffectiveDate).toMatchObject({ description: 'MM/DD/YYYY' });
    expect(fields.Numbers?.items).toMatchObject({ kind: 'phone' });
    expect(fields.BillingAddress?.fields?.map((member) => member.label)).toContain('Street 1');
    expect(fields.PhoneNumbers?.fields).toMatchObject([{ name: 'Number', kind: 'phone', required: true }]);
    expect(fields.SipPassword).toMatchObject({ secret: true, required: true, label: 'SIP password' });
    expect(takesNull(every, 'SipPassword')).toBe(true);
    expect(takesNull(every, 'Name')).toBe(false);
  });

  it.each([
    ['AssignedSubscriberId', 'Assigned subscriber'],
    ['CallRouteID', 'Call route'],
    ['ICCID', 'ICCID'],
    ['NGP', 'NGP'],
    ['PortOutPIN', 'Port out PIN'],
    ['MessageUrlMethod', 'Message URL method'],
    ['TrunkIp1', 'Trunk IP 1'],
    ['EnableSipRefer', 'Enable SIP refer'],
    ['SKU', 'SKU'],
  ])('labels %s "%s"', (name, label) => {
    expect(labelOf(name)).toBe(label);
  });
});

it('help lists operations with their risk, and fields without what is secret', () => {
  const { lines } = helpOfGroup('numbers', tools, slackStyle('sb'));
  const reactivate = lines.find((line) => line.say === '/sb-numbers reactivate');
  expect(JSON.stringify(reactivate)).toMatch(/asks an approver, costs money/);
  const portin = tools.find((tool) => tool.id === 'numbers_portin');
  const help = portin && helpOfTool(portin, slackStyle());
  expect(help?.example).toMatch(/^\/numbers portin PortInNumber=\+13125550150 /);
  expect(help?.lines.find((line) => line.say === 'CurrentAccountPassword')).not.toHaveProperty('example');
});

describe('rowsOf', () => {
  it('makes labelled values of records and tables of lists', () => {
    const shown = rowsOf({
      Successful: true,
      Number: { Number: '+12015550101', VoiceEnabled: false, Cnam: null },
      Missing: [],
      Orders: [
        { OrderId: 'a', Status: 'Active' },
        { OrderId: 'b', Nested: { City: 'Lehi' } },
      ],
    });
    const pairs = Object.entries({ Number: '+12015550101', 'Number: voice enabled': 'no', Missing: 'none' });
    const rows = ['a|Active|', 'b||Lehi'].map((row) => row.split('|'));
    const orders = { title: 'Orders', columns: ['Order', 'Status', 'Nested'], rows };
    expect(shown).toEqual({ title: '+12015550101', pairs, tables: [orders] });
  });

  it('shows what would move a terminal', () => {
    expect(clean('a\u001b[31mred\u001b[0m\u001b]0;title\u0007b\rc\u009b2Jd\u202ee\nf')).toBe(
      'a[U+001B][31mred[U+001B][0m[U+001B]]0;title[U+0007]b[U+000D]c[U+009B]2Jd[U+202E]e\nf',
    );
    expect(JSON.stringify(rowsOf({ 'Na\u001b[1mme': 'x\u001b[2J', List: [{ 'a\u0007': '\u0007' }] }))).not.toMatch(
      /\\u00/,
    );
  });

  it('marks states and writes numbers', () => {
    expect(
      ['Active', 'Submitted', 'Rejected', 'Cancelled - Pending Delete', 'unknown', 'odd', undefined].map(stateMark),
    ).toEqual(['●', '○', '✕', '✕', '?', '', '']);
    expect(formatPhone('+12015550101')).toEqual({ national: '(201) 555-0101', e164: '+12015550101' });
    expect(formatPhone('none')).toEqual({ national: 'none', e164: 'none' });
  });
});
