import { expect, it } from 'vitest';
import { asks } from '../support/asking.ts';
import { cpuTime } from '../support/cpu.ts';
import { scripted } from '../support/scripted.ts';
import { id, seeded, TSUID } from '../support/seed.ts';
import { openWorld } from '../support/world.ts';

const FILTER = id('MFID', 1);
const ENTRIES = 20_000;
/** Comparing each entry with each took 12 s. The remaining time is for reading and writing 1.5 MB several times. */
const MOST_MS = 3_000;

const phones = (from: number) =>
  Array.from({ length: ENTRIES }, (_, at) => `+1201${String(from + at).padStart(7, '0')}`);
const words = Array.from({ length: ENTRIES }, (_, at) => `word${at}`);

it('a filter with 20,000 entries is asked about within three seconds of processor time', async () => {
  const platform = await scripted();
  const world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
  const lists = {
    AllowedContacts: phones(0),
    BlockedContacts: phones(2_000_000),
    NotificationPhones: phones(4_000_000),
  };
  const KeywordFilter = JSON.stringify({ CustomKeywords: words });
  const own = { FilterId: FILTER, SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'ACTIVE', ApplyToInbound: true };
  platform.answer('/v1.0/subscribers/message-filter', { Results: [{ ...own, ...lists, KeywordFilter }] });
  const client = await world.client();
  const started = cpuTime();
  const input = { FilterId: FILTER, SubscriberId: TSUID, BlockLinks: true, AllowedContacts: [seeded(9)] };
  const asked = await asks(client, 'subscribers_message_filter_update', input);
  const took = cpuTime() - started;
  expect(asked.status).toBe('pending');
  expect(took).toBeLessThan(MOST_MS);
});
