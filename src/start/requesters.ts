import { presets } from '../../tools/groups.ts';
import { type Listed, mayAsk, select } from '../catalogue/offered.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Requesters } from '../gate/gate.ts';
import type { Config } from '../lib/config.ts';
import { SwitchboardError } from '../lib/errors.ts';

type Asked = Parameters<Requesters['refusal']>[0];

/** Requesters by the settings of this process, and by Slack once its surface is open. */
export class ConfiguredRequesters implements Requesters {
  readonly #config: Config;
  readonly #serves: 'http' | 'stdio' | undefined;
  /** Tells whether a person (`slack:T…/U…`) is an operator in Slack now; undefined if Slack does not say. */
  isOperatorInSlack: ((person: string) => Promise<boolean | undefined>) | undefined;

  /** @param serves what this process serves; undefined for a terminal, whose user confirms only what they asked for there */
  constructor(config: Config, serves: 'http' | 'stdio' | undefined) {
    this.#config = config;
    this.#serves = serves;
  }

  async refusal(asked: Asked, tool: Tool): Promise<string | undefined> {
    const isOverStdio = asked.actorId.startsWith('mcp:stdio:');
    const isAtTerminal = asked.person.startsWith('local:') && asked.surface !== 'mcp';
    if (this.#serves === undefined || isAtTerminal) return undefined;
    // A process over stdio has settings of its own.
    if (this.#serves === 'http' && isOverStdio) return undefined;
    if (this.#serves === 'stdio' && !isOverStdio)
      throw untold('Only switchboard start knows whether its requester may still ask for it.', 'Confirm it there.');
    return (await this.#lostRole(asked, tool)) ?? this.#withdrawn(asked, tool);
  }

  async #lostRole({ actorId, person }: Asked, tool: Tool): Promise<string | undefined> {
    const { MCP_HTTP_TOKENS: tokens, MCP_OAUTH_ISSUER: issuer, MCP_ROLE } = this.#config;
    if (person.startsWith('slack:')) {
      if (this.isOperatorInSlack === undefined) return 'Slack is not connected any more';
      const isOperator = await this.isOperatorInSlack(person);
      if (isOperator === undefined)
        throw untold('Slack does not say whether its requester is still an operator.', 'Try again in a minute.');
      return isOperator ? undefined : 'they do not have the role operator in Slack any more';
    }
    if (person.startsWith('token:')) {
      const role = tokens.find(({ name }) => person === `token:${name}`)?.role;
      if (role === undefined) return 'their token is not in MCP_HTTP_TOKENS any more';
      return mayAsk(role, tool) ? undefined : `their token has the role ${role} now`;
    }
    if (person.startsWith('oauth:'))
      return issuer === undefined ? 'nobody signs in with OAuth any more (MCP_OAUTH_ISSUER)' : undefined;
    if (actorId === 'mcp:http' && (tokens.length > 0 || issuer !== undefined)) return 'callers need a token now';
    return actorId.startsWith('mcp:') && !mayAsk(MCP_ROLE, tool) ? `MCP_ROLE is ${MCP_ROLE} now` : undefined;
  }

  /** Assistants have the toolsets of the settings. */
  #withdrawn({ surface }: Asked, tool: Tool): string | undefined {
    const { MCP_TOOLSETS: toolsets, MCP_READ_ONLY: readOnly } = this.#config;
    if (surface !== 'mcp' && surface !== 'assistant') return undefined;
    if (readOnly) return 'MCP_READ_ONLY is set now';
    const offered = select([tool as Listed], presets, { toolsets, readOnly, role: 'operator' });
    return offered.length > 0 ? undefined : `MCP_TOOLSETS does not have ${tool.id} any more`;
  }
}

function untold(message: string, next: string): SwitchboardError {
  return new SwitchboardError({ code: 'unavailable', outcome: 'not_done', message, effect: 'nothing_sent', next });
}
