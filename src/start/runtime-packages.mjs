import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that are native or read files at run time. They are loaded from node_modules, and all others are bundled.
 */
export const EXTERNAL = ['libsql', '@slack/bolt', 'pino', 'open', 'pg'];

/**
 * Returns the folders of these packages and of all that they depend on, as npm has installed them: `node_modules/pg`.
 * Packages for other systems are not installed, so they are left out.
 * @param {string} root the folder of package.json
 * @param {readonly string[]} names
 * @returns {string[]}
 */
export function runtimePackages(root, names) {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {string} */ name, /** @type {string} */ from) => {
    const place = placeOf(root, name, from);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(root, place, 'package.json'), 'utf8'),
    );
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, place);
  };
  for (const name of names) visit(name, '');
  // A package inside another package comes with it.
  return [...found].filter((place) => ![...found].some((other) => place.startsWith(`${other}/`))).sort();
}

/**
 * Finds a package for a file of another package, as Node does: in the nearest node_modules on the way up.
 * @param {string} root
 * @param {string} name
 * @param {string} from
 */
function placeOf(root, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (existsSync(join(root, place, 'package.json'))) return place;
    if (folder === '') return undefined;
  }
}
