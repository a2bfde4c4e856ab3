import { SwitchboardError } from '../lib/errors.ts';

const HINT = / ?Follow it with confirmations_get, id (\S+)\./;

/** Adds to the error of an unknown outcome how the caller can follow the action. */
export function withFollowUp(failure: SwitchboardError, id: string): SwitchboardError {
  const { face } = withoutFollowUp(failure);
  return new SwitchboardError(
    { ...face, message: `${face.message} Follow it with confirmations_get, id ${id}.` },
    { ...(failure.detail === undefined ? {} : { detail: failure.detail }), cause: failure },
  );
}

/**
 * The error without that hint. The requester of a workflow follows the workflow, not one of its steps, and errors in the
 * ledger are also shown on surfaces with other ways to follow an action (a page, a card).
 */
export function withoutFollowUp(failure: SwitchboardError): SwitchboardError {
  if (!HINT.test(failure.face.message)) return failure;
  return new SwitchboardError(
    { ...failure.face, message: failure.face.message.replace(HINT, '') },
    { ...(failure.detail === undefined ? {} : { detail: failure.detail }), cause: failure },
  );
}

/** The message with the hint as a terminal command. */
export function followUpOnTerminal(message: string, command: string): string {
  return message.replace(HINT, (_, id: string) => ` Follow it with: ${command} call confirmations_get id=${id}`);
}
