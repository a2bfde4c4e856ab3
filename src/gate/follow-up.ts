import { SwitchboardError } from '../lib/errors.ts';

const HINT = / ?Follow it with confirmations_get, id (\S+)\./;

/** The error of a call whose outcome is unknown, with how its caller learns what became of it. */
export function withFollowUp(failure: SwitchboardError, id: string): SwitchboardError {
  const { face } = withoutFollowUp(failure);
  return new SwitchboardError(
    { ...face, message: `${face.message} Follow it with confirmations_get, id ${id}.` },
    { ...(failure.detail === undefined ? {} : { detail: failure.detail }), cause: failure },
  );
}

/**
 * The same error without that hint: the action of a workflow's step is not for whoever asked for the whole, and what
 * the ledger keeps is read on surfaces that follow an action in other ways (a page, a card).
 */
export function withoutFollowUp(failure: SwitchboardError): SwitchboardError {
  if (!HINT.test(failure.face.message)) return failure;
  return new SwitchboardError(
    { ...failure.face, message: failure.face.message.replace(HINT, '') },
    { ...(failure.detail === undefined ? {} : { detail: failure.detail }), cause: failure },
  );
}

/** The hint in the words of a terminal. */
export function followUpOnTerminal(message: string, command: string): string {
  return message.replace(HINT, (_, id: string) => ` Follow it with: ${command} call confirmations_get id=${id}`);
}
