// The one request of the bare servers.
import { Pool } from 'undici';

/**
 * Signs in to the platform and returns a function that reads one number.
 * @param {string} base
 */
export async function openPlatform(base) {
  const pool = new Pool(base);
  const answer = await pool.request({
    method: 'POST',
    path: '/v1.0/oauth2/tokens',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      AccountKey: 'DID-sandbox',
      AccountSecret: 'sandbox-secret',
      ApiEndpoint: `${base}/v1.0/numbers`,
    }),
  });
  const { token } = await answer.body.json();
  return async (/** @type {string} */ number) => {
    const reply = await pool.request({
      method: 'GET',
      path: `/v1.0/numbers?PhoneNumber=${encodeURIComponent(number)}`,
      headers: { authorization: `Bearer ${token}` },
    });
    return reply.body.json();
  };
}
