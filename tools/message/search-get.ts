import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, out } from '../shared/fields.ts';

export default defineOperation({
  id: 'message_search_get',
  endpoint: 'GET /v1.0/message/search',
  title: 'Messages of a number',
  description: 'SMS and MMS that a number sent and received, with texts and status.',
  risk: 'read',
  batch: { row: 'PhoneNumber' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Message: the query is sent as phoneNumber, rows spell MessageID and CampaignID; assumed: PhoneNumber is required, at most 100 rows a page',
  input: z.strictObject({
    PhoneNumber: e164,
    Page: z.int('must be a whole number').min(1, 'pages start at 1').optional(),
    Results: z
      .int('must be a whole number')
      .min(1, 'ask for at least 1')
      .max(100, 'at most 100 rows a page: use Page for more')
      .optional()
      .describe('rows a page')
      .meta({ title: 'Rows a page' }),
  }),
  // The interface describes PhoneNumber as a message's id by mistake. The number is phoneNumber.
  send: ({ PhoneNumber, ...rest }) => ({ phoneNumber: PhoneNumber, ...rest }),
  output: z.looseObject({
    PhoneNumber: out.text,
    ResultsTotalRecords: out.number,
    ResultsPages: out.number,
    Results: out.rows({
      MessageID: out.key('TMID'),
      Direction: out.text,
      Type: out.text,
      CampaignID: out.key('JCID', 'TCID'),
      Cost: out.text,
      Status: out.text,
      To: out.rows({ Number: out.text }),
      From: out.text,
      Owner: out.text,
      Body: out.said,
      MmsMedia: out.rows({ MediaUrl: out.said }),
    }),
  }),
  examples: [{ PhoneNumber: '+12015550101', Results: 20 }],
});
