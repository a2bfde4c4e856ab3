import { describe, expect, it } from 'vitest';
import { deciderOf } from '../../../../src/gate/decisions.ts';
import { type StageSettings, shown, stage, U_AGENT, until, whisper } from '../support.ts';

/* A form shows a caution at its top before it saves (`caution` of the operation). */

const TSUID = 'TSUID-00000000-0000-4000-8000-000000000001';
const PERSON = { id: 'slack:x', name: 'x', role: 'approver', surface: 'slack', priority: 'person' } as const;

/** An open form for a filter, all of it filled in but the directions. */
async function opened(settings: StageSettings = { CONFIRM_OWN: false }) {
  const s = await stage(settings);
  const yes = { ask: async () => 'accept' as const, decider: deciderOf(PERSON, 'slack') };
  const feature = { SubscriberId: TSUID, EnableIntelligentGuardianMessages: true };
  await s.gate.perform('subscribers_guardian_features_set', feature, PERSON, yes);
  await s.type('/subscribers', `message-filter create SubscriberId=${TSUID}`);
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  await s.ws.suggest({ user: U_AGENT, view: true, actionId: 'sb_pick', blockId: 'Phone', value: '+12015550101' });
  const values = { Phone: '+12015550101', FilterMode: 'ADOLESCENT', BlockLinks: 'true' };
  return { s, values, top: () => s.ws.openViews(U_AGENT).at(-1) };
}

describe('a form with a caution', () => {
  it('shows it, and once it is sent again leads to the card', async () => {
    const { s, values, top } = await opened({});
    await s.ws.submit({ user: U_AGENT, values });
    expect(JSON.stringify(top()?.definition)).toContain('Continue anyway');
    await s.ws.submit({ user: U_AGENT });
    expect(shown(await whisper(s.ws, U_AGENT, 'Create a message filter'))).toContain('sb_confirm');
  });
});
