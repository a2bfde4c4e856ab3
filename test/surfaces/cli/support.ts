import { beforeEach } from 'vitest';
import type { Sandbox } from '../../../src/demo/sandbox/index.ts';
import type { Approval } from '../../../src/gate/approval.ts';
import type { Gate } from '../../../src/gate/gate.ts';
import type { ErrorFace } from '../../../src/language/outcome.ts';
import type { Actor } from '../../../src/lib/actor.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { type Failure, SwitchboardError } from '../../../src/lib/errors.ts';
import { type Client, createClient } from '../../../src/platform/client.ts';
import { cancelled, type Request } from '../../../src/platform/wire.ts';
import { runCall } from '../../../src/surfaces/cli/call.ts';
import { everyWay, gateOn } from '../../support/approval.ts';
import { openLedger, type TestLedger } from '../../support/ledger.ts';
import { openSandbox } from '../../support/on-sandbox.ts';
import { type Typing, typing, typist } from './typing.ts';

/** The real client on the sandbox, which can be made to wait or to fail. */
function clientOf(sandbox: Sandbox, world: World): Client {
  const client = createClient({
    baseUrl: sandbox.url,
    accountKey: 'DID-sandbox',
    accountSecret: 'sandbox-secret',
    timeZone: 'UTC',
    requestsPerMinute: 120,
    timeoutMs: 5000,
    clock: systemClock,
  });
  const send = client.send.bind(client);
  return Object.assign(client, {
    async send(request: Request) {
      world.sent.push(request);
      if (world.waits) request.onWait?.('rate_limit', 8);
      if (world.holds) await withdrawn(request);
      if (world.fails && !request.read) throw new SwitchboardError(world.fails);
      const onWritten = (at: number) => {
        request.onWritten?.(at);
        if (!request.read) world.onSent?.();
      };
      return send({ ...request, onWritten });
    },
  });
}

/** Waits until the request is withdrawn, and fails as the client does then. */
async function withdrawn({ signal }: Request): Promise<never> {
  if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  throw cancelled();
}

interface World {
  onSent?: () => void;
  sent: Request[];
  closed: number;
  waits?: boolean;
  /** Requests wait until they are withdrawn. */
  holds?: boolean;
  fails?: Failure;
}

interface How extends Typing {
  /** The name of the person; ana by default. */
  as?: string;
  role?: Actor['role'];
  /** Interrupts the process when the first byte of a change is written. */
  interruptSent?: boolean;
  approval?: Approval;
  /** Called with the gate when it is open. */
  onGate?: (gate: Gate) => void;
}

export let sandbox: Sandbox;
/** The effects of the command on its surroundings, and theirs on the command. New for every test. */
export let world: World;
export let ledger: TestLedger;

beforeEach(async () => {
  sandbox = await openSandbox();
  world = { sent: [], closed: 0 };
  ledger = openLedger();
});

/** Types `switchboard call` with these arguments on a sandbox. */
export async function run(args: string[], how: How = {}) {
  const { io, said, interrupt } = typing(how);
  if (how.interruptSent) {
    world.onSent = () => {
      delete world.onSent;
      interrupt();
    };
  }
  const code = await runCall(args, {
    ...{ ...io, colours: { out: false, err: false }, redraws: false, actor: typist(how) },
    openDoor: async () => {
      const client = clientOf(sandbox, world);
      const gate = gateOn({ client, ledger, worker: ledger.worker, approval: how.approval ?? everyWay() });
      how.onGate?.(gate);
      return {
        gate,
        close: async () => {
          world.closed += 1;
          await client.close();
        },
      };
    },
  });
  return { code, ...said };
}

/** The error that a text holds as a JSON document. */
export function errorOf(text: string): ErrorFace {
  return JSON.parse(text.slice(text.indexOf('{\n  "error"'))).error;
}

/** The status the sandbox itself has of a number (GET /sandbox/state). */
export const statusOf = (number: string): unknown =>
  (sandbox.state() as { numbers: { Number: string; Status: string }[] }).numbers.find((row) => row.Number === number)
    ?.Status;
