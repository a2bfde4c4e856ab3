import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SqliteFile } from '../../src/store/sqlite.ts';
import { makeFolder } from '../support/folder.ts';

it.each(['all', 'run'] as const)('writes again after a write that met the lock of another process (%s)', (kind) => {
  const path = join(makeFolder(), `${kind}.db`);
  const mine = new SqliteFile(path);
  const others = new SqliteFile(path);
  mine.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)', []);
  mine.run("INSERT INTO notes VALUES (1, 'a')", []);

  others.begin();
  others.run("UPDATE notes SET text = 'b'", []);
  expect(() => mine[kind]("UPDATE notes SET text = 'c' WHERE id = 1 RETURNING text", [])).toThrow('not available');
  expect(mine.all('SELECT text FROM notes', [])).toEqual([{ text: 'a' }]);
  others.commit();
  // Unless the refused statement is reset, the read above stays open, and a connection that reads an old state cannot
  // write.
  others.run("UPDATE notes SET text = 'd'", []);

  expect(mine.all('SELECT text FROM notes', [])).toEqual([{ text: 'd' }]);
  expect(mine.run("UPDATE notes SET text = 'e'", [])).toBe(1);
  mine.close();
  others.close();
});
