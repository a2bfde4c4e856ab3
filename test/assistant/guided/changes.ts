import { type Detailed, detailedIn } from './details.ts';

/*
 * Changes as support people ask for them: over lists of numbers, of plans, with the reason beside them. In the notation of
 * `details.ts`; "⏎" is the end of a line.
 */

const LISTS = `
put 0101, 0102 and 0103 on hold | numbers_status | StatusChange=park, PhoneNumbers=0101+0102+0103 | numbers_cancel numbers_update |
put 0101, 0103 on pause | numbers_status | StatusChange=park, PhoneNumbers=0101+0103 | numbers_cancel numbers_update |
take 0101, 0103 and 0104 off hold | numbers_status | StatusChange=activate, PhoneNumbers=0101+0103+0104 | numbers_cancel |
move 0101, 0102 and 0106 to the Starter package | subscriptions_update | PackageId=Starter | numbers_update | for each of 0101, 0102, 0106
put 0101, 0103 on Starter package | subscriptions_create | PackageId=Starter | numbers_update | for each of 0101, 0103
switch 0101, 0103 to the Family plan | subscriptions_update | PackageId=Family | numbers_update | for each of 0101, 0103
cancel these 2015550101 2015550103 | numbers_cancel | PhoneNumbers=+12015550101++12015550103 | |
cancel 2015550101, 2015550103 | numbers_cancel | PhoneNumbers=+12015550101++12015550103 | |
activate all of these:⏎2015550101⏎2015550103⏎2015550104 | numbers_status | StatusChange=activate, PhoneNumbers=+12015550101++12015550103++12015550104 | numbers_cancel |
please park⏎0101⏎0103 | numbers_status | StatusChange=park, PhoneNumbers=0101+0103 | numbers_cancel |
cancel all three: 0103, 0104, 0105 | numbers_cancel | PhoneNumbers=0103+0104+0105 | |
block 9175550123 9175550124 for Ava | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ava, Numbers=+19175550123++19175550124 | _remove |
park 0103, 0104 is fine | numbers_status | PhoneNumbers=undefined | numbers_cancel | which of the numbers are meant is unclear
cancel 0103 and 0104 and text both of them goodbye | help | | | several changes
`;

export const changes: readonly Detailed[] = detailedIn([LISTS].join('\n')).map((row) => ({
  ...row,
  says: row.says.replaceAll('⏎', '\n'),
}));
