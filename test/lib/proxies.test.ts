import { expect, it } from 'vitest';
import { loadConfig } from '../../src/lib/config.ts';
import { Proxies } from '../../src/lib/proxies.ts';
import { settingSecrets } from '../../src/lib/settings.ts';

const BOTH = { HTTPS_PROXY: 'http://secure.test:1', HTTP_PROXY: 'http://plain.test:2' };
const settings = (env: Record<string, string>) => loadConfig({ DATA_DIR: '/tmp/none', ...env });
const via = (env: Record<string, string>, url: string) => new Proxies(settings(env)).of(url);

it.each([
  ['https://api.test/v1', { setting: 'HTTPS_PROXY', url: 'http://secure.test:1' }],
  ['wss://api.test', { setting: 'HTTPS_PROXY', url: 'http://secure.test:1' }],
  ['http://model.test', { setting: 'HTTP_PROXY', url: 'http://plain.test:2' }],
  ['http://localhost:3901', undefined],
  ['https://127.8.0.1', undefined],
  ['http://[::1]:80', undefined],
])('%s goes through %j', (url, proxy) => {
  expect(via(BOTH, url)).toEqual(proxy);
});

it.each([
  ['api.test', ['https://api.test', 'https://v2.api.test', 'https://API.test.'], ['https://myapi.test']],
  ['.api.test', ['https://api.test', 'https://v2.api.test'], ['https://test']],
  ['*.api.test', ['https://v2.api.test'], ['https://test']],
  ['api.test:8443', ['https://api.test:8443'], ['https://api.test']],
  ['api.test:443', ['https://api.test'], ['https://api.test:8443']],
  ['10.0.0.0/8', ['https://10.1.2.3'], ['https://11.1.2.3', 'https://api.test']],
  ['192.0.2.7', ['https://192.0.2.7:1'], ['https://192.0.2.8']],
  ['fd00::/8', ['https://[fd00::7]'], ['https://[2001:db8::1]']],
  ['one.test other.test,third.test', ['https://one.test', 'https://other.test', 'https://third.test'], []],
  ['*', ['https://api.test', 'https://192.0.2.7'], []],
  ['10.0.0.0/64', [], ['https://10.0.0.1']],
])('NO_PROXY=%s leaves out what it names, and nothing else', (NO_PROXY, direct, through) => {
  for (const url of direct) expect([url, via({ ...BOTH, NO_PROXY }, url)]).toEqual([url, undefined]);
  for (const url of through) expect([url, via({ ...BOTH, NO_PROXY }, url)?.setting]).toEqual([url, 'HTTPS_PROXY']);
});

it('reads either case, that in lower case first, and a proxy without a scheme', () => {
  expect(via({ https_proxy: 'low.test:8080', HTTPS_PROXY: 'http://up.test' }, 'https://api.test')).toEqual({
    setting: 'HTTPS_PROXY',
    url: 'http://low.test:8080',
  });
  expect(via({ HTTP_PROXY: 'https://only.test' }, 'https://api.test')).toEqual({
    setting: 'HTTP_PROXY',
    url: 'https://only.test',
  });
  expect(via({ HTTPS_PROXY: 'http://a.test', no_proxy: 'api.test' }, 'https://api.test')).toBeUndefined();
  expect(settings({ https_proxy: 'http://a.test', no_proxy: 'b' }).unknownSettings).toEqual([]);
});

it.each(['nonsense', 'socks5://proxy.test:1080', 'http://', 'http://user:hunter2@proxy.test/path', 'ftp://proxy.test'])(
  'stops the start with a reason that does not show the value: %s',
  (HTTPS_PROXY) => {
    expect(() => settings({ HTTPS_PROXY })).toThrow(/^HTTPS_PROXY must be http:\/\/host:port or https:\/\/host:port/);
    expect(() => settings({ HTTPS_PROXY })).not.toThrow(/hunter2/);
  },
);

it('holds the password as a secret, and shows an address without it', () => {
  const config = settings({ HTTPS_PROXY: 'http://ann:p%40ss@proxy.test:8080' });
  expect(settingSecrets(config)).toEqual(expect.arrayContaining(['p%40ss', 'p@ss']));
  expect(new Proxies(config).of('https://api.test')?.url).toBe('http://proxy.test:8080');
});
