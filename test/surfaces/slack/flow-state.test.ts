import { describe, expect, it } from 'vitest';
import { encodeState, type FlowState, sentView } from '../../../src/surfaces/slack/flow-state.ts';

const read = (metadata: string) => sentView({ id: 'V1', private_metadata: metadata }).state;

const STATES: readonly FlowState[] = [
  { flow: 'form', operation: 'numbers_update', channel: 'C1', rows: { Items: 2 }, start: { Notes: 'a' }, caution: 'b' },
  { flow: 'guide', guide: 'port_in', step: 'check', known: { done: ['check'] } },
  { flow: 'batch', operation: 'numbers_status', list: '+12015550101' },
  { flow: 'leave_out', batch: 'bat_1', channel: 'C1' },
  { flow: 'decline', action: 'act_1', below: 'V0' },
  { flow: 'qr' },
];

describe('the state of a modal', () => {
  it.each(STATES)('$flow is read as it was written', (state) => {
    expect(read(encodeState(state))).toEqual(state);
  });

  it('that is too long for Slack loses the values that the form started from, and a list', () => {
    const long = 'x'.repeat(3_000);
    expect(read(encodeState({ flow: 'form', operation: 'a', start: { Notes: long } }))).toEqual({
      flow: 'form',
      operation: 'a',
    });
    expect(read(encodeState({ flow: 'batch', list: long }))).toEqual({ flow: 'batch' });
  });

  it.each(['', 'no JSON', '[]', '{}', '{"flow":"other"}', '{"flow":"decline"}', '{"flow":"form","rows":{"a":"b"}}'])(
    'is undefined for metadata that no flow wrote: %s',
    (metadata) => expect(read(metadata)).toBeUndefined(),
  );
});
