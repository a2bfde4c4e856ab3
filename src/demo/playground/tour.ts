import type { TourStep } from './protocol.ts';
import type { Workspace } from './workspace.ts';

/** The texts that the page offers, as commands and in a direct message. */
export const EXAMPLES = {
  examples: [
    '/number +12015550101',
    '/numbers cancel +12015550103',
    '/numbers portin guide +13125550190',
    '/guide new line ava',
    '/numbers help',
    '@switchboard +12015550104',
  ],
  directExamples: [
    'ava stone',
    'new line for Ava',
    'why can’t 0104 text?',
    'what happened today?',
    'what is waiting for me?',
  ],
};

/** A number that is active and can be cancelled (the sandbox's fixed data). */
const CANCELLED = '+12015550103';

/** The tour: cancel a number as Ana, approve it as Lee. `confirm` is the action id of a card's first button. */
export function tourOf({ U_AGENT, U_LEAD }: Workspace['ids'], confirm: string): TourStep[] {
  return [
    {
      as: U_AGENT,
      text: 'You are Ana, who may ask for a change but not approve it. Ask for a cancellation, and send it with Enter.',
      button: 'Write it for me',
      fill: `/numbers cancel ${CANCELLED}`,
      shows: { about: CANCELLED, action: confirm, offered: true },
    },
    {
      as: U_AGENT,
      text: 'Nothing has been cancelled: a card waits for an approver. Become Lee, under “You are” in the sidebar.',
      button: 'Become Lee',
      becomes: U_LEAD,
    },
    {
      as: U_LEAD,
      text: 'You are Lee, who may approve. Read the card, press its first button, and confirm.',
      shows: { about: CANCELLED, action: confirm, offered: false },
      ends: [
        {
          says: 'Declined',
          text: 'Lee declined, so nothing was cancelled. Both names are in the audit trail. “Start again” asks once more.',
        },
        {
          says: 'Expired',
          text: 'The question expired before Lee answered, so nothing was cancelled. “Start again” asks once more.',
        },
        {
          says: 'Done',
          text: 'Done. Nothing was cancelled before Lee said yes, and both names are in the audit trail. “Start anew” in the sidebar brings the number back.',
        },
      ],
    },
  ];
}
