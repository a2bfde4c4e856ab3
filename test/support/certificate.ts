import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeFolder } from './folder.ts';

/** A self-signed certificate for a name, in files. `more`: further arguments of `openssl req`. */
export function selfSigned(openssl: string, name: string, more: readonly string[] = []) {
  const folder = makeFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const made = ['-subj', `/CN=${name}`, ...more, '-keyout', key, '-out', cert];
  execFileSync(openssl, ['req', '-x509', ...kind, ...made], { stdio: 'pipe' });
  return { key, cert };
}
