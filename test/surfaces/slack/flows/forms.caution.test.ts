import { describe, expect, it } from 'vitest';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { shown, stage, U_AGENT, until, whisper } from '../support.ts';

/* A form whose change has a caution (`caution` of the operation) leads to the card that shows it. */

const TSUID = 'TSUID-00000000-0000-4000-8000-000000000001';
const PERSON = { id: 'slack:x', name: 'x', role: 'approver', surface: 'slack', priority: 'person' } as const;

/** An open form for a filter, all of it filled in but the directions. */
async function opened() {
  const s = await stage();
  const yes = { ask: async () => 'accept' as const, decider: deciderOf(PERSON, 'slack') };
  const feature = { SubscriberId: TSUID, EnableIntelligentGuardianMessages: true };
  await s.gate.perform('subscribers_guardian_features_set', feature, PERSON, yes);
  await s.type('/subscribers', `message-filter create SubscriberId=${TSUID}`);
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  await s.ws.suggest({ user: U_AGENT, view: true, actionId: 'sb_pick', blockId: 'Phone', value: '+12015550101' });
  const values = { Phone: '+12015550101', FilterMode: 'ADOLESCENT', BlockLinks: 'true' };
  return { s, values };
}

describe('a form with a caution', () => {
  it('leads to the card that shows it', async () => {
    const { s, values } = await opened();
    await s.ws.submit({ user: U_AGENT, values });
    expect(shown(await whisper(s.ws, U_AGENT, 'sb_confirm'))).toMatch(/⚠️.*direction/is);
  });
});
