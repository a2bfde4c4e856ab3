import { secretMembers, writableMembers } from '../../tools/member-names.ts';
import type { Config } from '../lib/config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { settingSecrets } from '../lib/setting-secrets.ts';
import { createRedactor, type Redactor } from '../platform/dialect/redact.ts';

/** Opens the redactor and the log of this process. Without `write`, lines go to stderr. */
export function openLog(config: Config, write?: (line: string) => void): { redactor: Redactor; log: Log } {
  const redactor = createRedactor(secretMembers, writableMembers);
  const secrets = settingSecrets(config);
  // Callers do not read the log, so the short secrets of the settings are removed from it too.
  const redaction = {
    strip: <T>(fields: T) => redactor.strip(fields, { secrets }),
    text: (text: string) => redactor.text(text, { secrets }),
  };
  const log = createLog(config.LOG_LEVEL, redaction, write);
  redactor.hold(() => secrets);
  return { redactor, log };
}
