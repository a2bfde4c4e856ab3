import { expect, it } from 'vitest';
import { stage, U_AGENT, U_VIEW, until } from '../support.ts';

it('offers guides to those who may ask for changes, and to no viewer', async () => {
  const s = await stage();
  const home = async (user: string) => {
    await s.ws.openHome({ user });
    await until(() => s.ws.home(user) !== undefined, 'the Home');
    return JSON.stringify(s.ws.home(user)?.definition);
  };
  expect(await home(U_AGENT)).toContain('sb_guide_0');
  const viewers = await home(U_VIEW);
  expect(viewers).toContain('Your role: viewer');
  expect(viewers).not.toContain('sb_guide_');
});
