import { createHash } from 'node:crypto';
import { LOOK_MS } from '../../lib/durations.ts';

/*
 * The only script of the confirmation pages. It reformats times and reloads the page of a running action. The pages
 * work without it.
 */

/**
 * Shows every `<time>` in the reader's zone, with the UTC time as its tooltip, and loads the page of a running action
 * again. Plain browser JavaScript.
 */
export const SCRIPT = `'use strict';
const locale = navigator.languages.find((one) => /^en\\b/i.test(one)) || 'en-GB';
const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
const day = { day: 'numeric', month: 'short', year: 'numeric' };
for (const one of document.querySelectorAll('time[datetime]')) {
  one.title = one.textContent;
  const options = 'short' in one.dataset ? clock : { ...day, ...clock };
  one.textContent = new Intl.DateTimeFormat(locale, options).format(new Date(one.dateTime));
}
if (document.querySelector('[data-running]')) setTimeout(() => location.replace(location.pathname + location.search), ${LOOK_MS});
`;

/** The hash by which the pages' Content-Security-Policy allows this script and no other. */
export const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
