export interface Page {
  status: number;
  headers: Headers;
  html: string;
  csrf: string;
  cookie: string;
  /** True if the page was read without a session. Its buttons are then pressed without one too. */
  stranger?: boolean;
}

/** Session cookies of the test's browser, by host name: like a browser, it sends them to every port. */
const jar = new Map<string, Map<string, string>>();

/** Opens a link of `switchboard key` in the test's browser. */
export async function pairBrowser(link: string): Promise<void> {
  await keep(link, await fetch(link, { redirect: 'manual' }), 'the link pairs no browser');
}

/** Signs the test's browser in on a confirmation's page with a token. */
export async function signIn(url: string, token: string): Promise<Page> {
  const page = await lookAsStranger(url);
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: page.cookie },
    body: new URLSearchParams({ csrf: page.csrf, act: 'signin', token }),
  });
  await keep(url, answer, 'the token signs nobody in');
  return readPage(answer);
}

async function keep(url: string, answer: Response, otherwise: string): Promise<void> {
  const session = answer.headers.getSetCookie().find((cookie) => /^sb_session/.test(cookie));
  if (session === undefined) throw new Error(`${otherwise}: ${answer.status} ${await answer.text()}`);
  const [name = '', value = ''] = session.split(';')[0]?.split('=') ?? [];
  const { hostname } = new URL(url);
  const known = jar.get(hostname) ?? new Map<string, string>();
  jar.set(hostname, known.set(name, value));
}

/** Forgets every session, so that later requests come from a stranger's browser. */
export function signOut(): void {
  jar.clear();
}

const sessionsFor = (url: string): string[] =>
  [...(jar.get(new URL(url).hostname) ?? [])].map(([name, value]) => `${name}=${value}`);

/** The page as a browser without JavaScript gets it. */
export async function look(url: string): Promise<Page> {
  return readPage(await fetch(url, { headers: { cookie: sessionsFor(url).join('; ') } }));
}

/** Reads the page as a person does who has its address and nothing else. */
export async function lookAsStranger(url: string): Promise<Page> {
  return { ...(await readPage(await fetch(url))), stranger: true };
}

export const confirm = (url: string): Promise<Page> => press(url, 'confirm');

export const decline = (url: string): Promise<Page> => press(url, 'decline');

/** Presses a button of the page. The press carries the cookies with which the page was seen. */
export async function press(url: string, act: string, more: Record<string, string> = {}, seen?: Page): Promise<Page> {
  const page = seen ?? (await look(url));
  return readPage(
    await fetch(url, {
      method: 'POST',
      headers: {
        cookie: [page.cookie, ...(page.stranger ? [] : sessionsFor(url))].join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf: page.csrf, act, ...more }),
    }),
  );
}

async function readPage(answer: Response): Promise<Page> {
  const html = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    html,
    csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '',
    cookie: (answer.headers.getSetCookie().find((cookie) => cookie.startsWith('sb_csrf')) ?? '').split(';')[0] ?? '',
  };
}
