import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/lib/config.ts';
import { createRequesters } from '../../src/start/runtime.ts';
import { tools } from '../../tools/index.ts';

/* Whoever asked is looked up again when the yes comes. */

const TOKENS = 'desk:operator:token-of-desk,lee:approver:token-of-lee';
const OAUTH = {
  MCP_OAUTH_ISSUER: 'https://issuer.example',
  MCP_OAUTH_AUDIENCE: 'switchboard',
  MCP_OAUTH_ROLES: 'scope=ops:operator',
};
const HTTP = { actorId: 'mcp:http:desk', person: 'token:desk', surface: 'mcp' };
const LOCAL = { actorId: 'mcp:http', person: 'local:ana', surface: 'mcp' };
const STDIO = { actorId: 'mcp:stdio:ana', person: 'local:ana', surface: 'mcp' };
const SLACK = { actorId: 'slack:T1/U1', person: 'slack:T1/U1', surface: 'slack' };
const TALK = { ...SLACK, surface: 'assistant' };
const SIGNED_IN = { actorId: 'mcp:oauth:kim', person: 'oauth:kim', surface: 'mcp' };
const TERMINAL = { actorId: 'cli:ana', person: 'local:ana', surface: 'cli' };
const SWITCHBOARD = { actorId: 'switchboard', person: 'switchboard', surface: 'background' };

const refusal = (
  env: Record<string, string>,
  asked: typeof HTTP,
  { serves = 'http', operation = 'numbers_update', inSlack = 'operator' } = {},
) => {
  const requesters = createRequesters(loadConfig({ LOG_LEVEL: 'silent', ...env }), serves as 'http' | 'stdio');
  if (inSlack !== 'off')
    requesters.isOperatorInSlack = async () => (inSlack === 'untold' ? undefined : inSlack === 'operator');
  const tool = tools.find(({ id }) => id === operation);
  if (tool === undefined) throw new Error(operation);
  return requesters.refusal(asked, tool);
};

describe('whoever asked', () => {
  it.each<[string, Record<string, string>, typeof HTTP, Parameters<typeof refusal>[2]?]>([
    ['with a token of an operator', { MCP_HTTP_TOKENS: TOKENS }, HTTP],
    ['on this computer', {}, LOCAL],
    ['over stdio, whose process has settings of its own', { MCP_ROLE: 'viewer', MCP_READ_ONLY: 'true' }, STDIO],
    ['over stdio', {}, STDIO, { serves: 'stdio' }],
    ['in Slack', {}, SLACK],
    ['in Slack, for what no toolset has', { MCP_TOOLSETS: 'voice', MCP_READ_ONLY: 'true' }, SLACK],
    ['in a conversation', {}, TALK],
    ['with a sign-in', OAUTH, SIGNED_IN],
    ['at a terminal', { MCP_ROLE: 'viewer', MCP_HTTP_TOKENS: TOKENS }, TERMINAL],
    ['for Switchboard itself', { MCP_ROLE: 'viewer' }, SWITCHBOARD],
  ])('may go on: %s', async (_who, env, asked, more) => {
    expect(await refusal(env, asked, more)).toBeUndefined();
  });

  it.each<[string, Record<string, string>, typeof HTTP, Parameters<typeof refusal>[2]?]>([
    ['token is not in MCP_HTTP_TOKENS', { MCP_HTTP_TOKENS: 'lee:approver:token-of-lee' }, HTTP],
    ['token has the role viewer', { MCP_HTTP_TOKENS: 'desk:viewer:token-of-desk' }, HTTP],
    ['MCP_ROLE is viewer', { MCP_ROLE: 'viewer' }, LOCAL],
    ['callers need a token', { MCP_HTTP_TOKENS: TOKENS }, LOCAL],
    ['callers need a token', OAUTH, LOCAL],
    ['nobody signs in with OAuth', {}, SIGNED_IN],
    ['MCP_ROLE is viewer', { MCP_ROLE: 'viewer' }, STDIO, { serves: 'stdio' }],
    ['MCP_READ_ONLY', { MCP_READ_ONLY: 'true' }, STDIO, { serves: 'stdio' }],
    ['MCP_READ_ONLY', { MCP_HTTP_TOKENS: TOKENS, MCP_READ_ONLY: 'true' }, HTTP],
    ['MCP_TOOLSETS does not have numbers_update', { MCP_HTTP_TOKENS: TOKENS, MCP_TOOLSETS: 'voice' }, HTTP],
    ['MCP_TOOLSETS does not have numbers_update', { MCP_TOOLSETS: 'voice' }, TALK],
    ['MCP_TOOLSETS does not have workgroups_update', {}, LOCAL, { operation: 'workgroups_update' }],
    ['do not have the role operator in Slack', {}, SLACK, { inSlack: 'viewer' }],
    ['Slack is not connected', {}, SLACK, { inSlack: 'off' }],
  ])('may not go on: %s', async (why, env, asked, more) => {
    expect(await refusal(env, asked, more)).toContain(why);
  });

  it.each<[string, typeof HTTP, Parameters<typeof refusal>[2]]>([
    ['Slack does not say', SLACK, { inSlack: 'untold' }],
    ['Only switchboard start knows', HTTP, { serves: 'stdio' }],
    ['Only switchboard start knows', SLACK, { serves: 'stdio' }],
  ])('cannot be looked up: %s', async (why, asked, more) => {
    await expect(refusal({ MCP_HTTP_TOKENS: TOKENS }, asked, more)).rejects.toThrow(why);
  });
});
