import { encodeState, type FlowState } from '../flow-state.ts';
import { type Block, type Element, label, say } from './text.ts';

/** A modal of a flow. Without `submit` it has no button but the one that closes it. */
export function flowView(
  state: FlowState,
  {
    title,
    submit,
    close,
    tellsClose,
  }: { title: string; submit?: string | undefined; close?: string; tellsClose?: true },
  blocks: readonly Block[],
): Element {
  return {
    type: 'modal',
    callback_id: state.flow,
    private_metadata: encodeState(state),
    ...(tellsClose ? { notify_on_close: true } : {}),
    title: label(title, 24),
    ...(submit === undefined ? {} : { submit: label(submit, 24) }),
    close: label(close ?? (submit === undefined ? 'Close' : 'Cancel'), 24),
    blocks,
  };
}

/** A modal without inputs. */
export function noticeView(title: string, ...blocks: Block[]): Element {
  return { type: 'modal', title: label(title, 24), close: label('Close', 24), blocks };
}

export const OUT_OF_DATE = noticeView('Out of date', say('This form is out of date. Nothing was sent. Open it again.'));
