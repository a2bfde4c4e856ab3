// The page of a host of MCP Apps, on the host's half of the official library. It checks each message of the view.
import { AppBridge, type McpUiHostContext, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { HostSetup, HostWindow } from './window.ts';

const frame = document.querySelector('iframe') as HTMLIFrameElement;
const dark = matchMedia('(prefers-color-scheme: dark)');
const themeNow = () => (dark.matches ? 'dark' : 'light');

function start(setup: HostSetup): void {
  const { links = 'open', serverTools = true, context = {}, stripsMeta = false, isProxied = false } = setup;
  const log: string[] = [];
  const capabilities = { ...(serverTools && { serverTools: {} }), ...(links !== 'none' && { openLinks: {} }) };
  const hostContext = { theme: themeNow(), ...context } as McpUiHostContext;
  const bridge = new AppBridge(null, { name: 'test host', version: '1' }, capabilities, { hostContext });
  const seen = (result: Record<string, unknown>) => {
    const { _meta, ...rest } = result;
    return (stripsMeta ? rest : result) as never;
  };
  bridge.oncalltool = async (params) => {
    log.push(`call ${params.name}`);
    const answer = await fetch('/call', { method: 'POST', body: JSON.stringify(params) });
    return seen(await answer.json());
  };
  bridge.onopenlink = async ({ url }) => {
    log.push(`open ${url}`);
    if (links === 'error') throw new Error('not here');
    return links === 'refuse' ? { isError: true } : {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  bridge.oninitialized = () => log.push('initialized');
  bridge.onerror = (error) => log.push(`error ${error.message}`);
  dark.addEventListener('change', () => bridge.setHostContext({ ...hostContext, theme: themeNow() }));
  const host: HostWindow['host'] = {
    log,
    send: (result) => bridge.sendToolResult(seen(result as Record<string, unknown>)),
    context: async (changed) => bridge.setHostContext({ ...hostContext, ...changed } as McpUiHostContext),
    teardown: () => bridge.teardownResource({}),
    raw: (message) => frame.contentWindow?.postMessage(message, '*'),
  };
  (window as unknown as HostWindow).host = host;
  const target = frame.contentWindow as Window;
  bridge.onsandboxready = async () => {
    const html = await (await fetch('/view')).text();
    await bridge.sendSandboxResourceReady({ html, sandbox: 'allow-scripts' });
  };
  void bridge.connect(new PostMessageTransport(target, target)).then(() => {
    if (isProxied) frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    frame.src = isProxied ? `http://localhost:${location.port}/proxy` : '/view';
  });
}

(window as unknown as HostWindow).startHost = start;
