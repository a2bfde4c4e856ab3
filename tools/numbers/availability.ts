import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined, scalarText } from '../../src/lib/values.ts';
import { text } from '../shared/before.ts';
import { areaCode, choice, out, page, zipCode } from '../shared/fields.ts';
import { messageType } from './provision.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/availability',
  title: 'Areas with numbers',
  description:
    'Areas that have numbers to buy, in an AreaCode or ZipCode, or everywhere, with the NGP and AreaCode that numbers_provision takes.',
  risk: 'read',
  source: 'S+I',
  notes: 'PLATFORM.md, Availability: AreaCode is tried before ZipCode',
  input: () => ({
    MessageEnabled: z.boolean(),
    VoiceEnabled: z.boolean(),
    AreaCode: areaCode.optional(),
    ZipCode: zipCode.optional().describe('tried when the area code has none'),
    MessageType: messageType.optional(),
    NumberType: choice(['mobile']).default('mobile'),
    PageNumber: page.optional(),
  }),
  output: () => ({
    ...out.members('RequestId RequestDate PageNumber ResultsTotal'),
    AvailableNumberAreas: out.rows({ NGP: out.plain, AreaCode: out.plain, Zipcode: out.plain }),
  }),
  sentences: {
    of: 'AvailableNumberAreas',
    total: 'ResultsTotal',
    title: (count, { AreaCode, ZipCode }) => {
      const where = AreaCode ?? ZipCode;
      const areas = count === 0 ? 'No area' : count === 1 ? '1 area' : `${count} areas`;
      return `${areas} with numbers to buy${where === undefined ? '' : ` in ${where}`}`;
    },
    row: ({ NGP, AreaCode, Zipcode }, { MessageEnabled, VoiceEnabled }) => {
      const code = scalarText(AreaCode);
      const area = [
        code === '' ? '' : `area code ${code}`,
        text(Zipcode) === undefined ? '' : `ZIP code ${text(Zipcode)}`,
      ];
      return {
        says: area.filter((part) => part !== '').join(' · ') || 'An area without a code',
        next: [
          {
            tool: 'numbers_provision',
            title: 'New line here',
            input: defined({ AreaCode: code || undefined, NGP: text(NGP), MessageEnabled, VoiceEnabled }),
          },
        ],
      };
    },
  },
  examples: [{ MessageEnabled: true, VoiceEnabled: true, AreaCode: '201' }],
});
