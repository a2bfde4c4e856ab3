import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CLI, ROOT } from '../support/build.ts';
import { environment } from '../support/folder.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { until } from '../support/world.ts';

export const ACTORS = ['ann', 'bob'] as const;
export const RECEIPTS_TOKEN = 'receipts-token';

/** `switchboard start` in a separate process, whose clock can be put forward, with a client for each requester. */
export class Product {
  private readonly folder: string;
  private readonly platformUrl: string;
  private readonly person: () => 'accept' | 'decline';
  private readonly settings: () => Record<string, string>;
  private readonly shiftFile: string;
  private readonly clients = new Map<string, Client>();
  private child: ChildProcess | undefined;
  private shiftMs = 0;
  /** The address of the running process. */
  url = '';

  constructor(options: {
    folder: string;
    platformUrl: string;
    person: () => 'accept' | 'decline';
    /** Further settings of every start. */
    settings: () => Record<string, string>;
  }) {
    this.folder = options.folder;
    this.platformUrl = options.platformUrl;
    this.person = options.person;
    this.settings = options.settings;
    this.shiftFile = join(options.folder, 'shift');
    this.forward(0);
  }

  /** Returns the lead of the product's clock, in ms. */
  get ahead(): number {
    return this.shiftMs;
  }

  forward(ms: number): void {
    this.shiftMs += ms;
    writeFileSync(this.shiftFile, String(this.shiftMs));
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--import', join(ROOT, 'test/soak/shift.mjs'), CLI, 'start'], {
      cwd: this.folder,
      env: environment(this.folder, {
        ...onSandbox(this.platformUrl),
        PLATFORM_REQUESTS_PER_MINUTE: '5000',
        MCP_HTTP_TOKENS: ACTORS.map((name) => `${name}:approver:${name}-token-1`).join(','),
        EVENTS_TOKEN: RECEIPTS_TOKEN,
        PORT: '0',
        ...this.settings(),
        LOG_LEVEL: 'error',
        SOAK_SHIFT_FILE: this.shiftFile,
        SOAK_TIME_PASSES: 'true',
      }),
    });
    this.child = child;
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const listens = () => /listens on (http:[\w.:/]+)/.exec(said)?.[1];
    await until(() => listens() !== undefined || child.exitCode !== null, Boolean, 60_000);
    this.url = listens() ?? '';
    if (this.url === '') throw new Error(`the product ended: ${said}`);
    for (const name of ACTORS) this.clients.set(name, await this.connect(name));
  }

  /** Kills the process with SIGKILL, also in the middle of its work. */
  async kill(): Promise<void> {
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
    // A client whose server is gone cannot say goodbye to it.
    await Promise.allSettled([...this.clients.values()].map((client) => client.close()));
    this.clients.clear();
  }

  /** One tool call; undefined where the process died before it answered. */
  async call(
    actor: string,
    name: string,
    input: Record<string, unknown>,
  ): Promise<Record<string, unknown> | undefined> {
    const client = this.clients.get(actor);
    if (client === undefined) throw new Error(`no client ${actor}`);
    const result = await client.callTool({ name, arguments: input }).catch(() => undefined);
    return result as Record<string, unknown> | undefined;
  }

  private async connect(name: string): Promise<Client> {
    const client = new Client({ name, version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () =>
      this.person() === 'accept' ? { action: 'accept' as const, content: {} } : { action: 'decline' as const },
    );
    const headers = { authorization: `Bearer ${name}-token-1` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${this.url}/mcp`), { requestInit: { headers } }));
    return client;
  }
}
