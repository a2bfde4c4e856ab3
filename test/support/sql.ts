import pg from 'pg';

/** Runs statements on a server. Resolves to the rows of a single one. */
export async function execute(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
