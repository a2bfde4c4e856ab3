import { ConfigError, loadConfig, readSettingsFile } from '../../src/lib/config.ts';

/** Why these settings are refused; empty if they are not. `settings`: the path of a settings file. */
export function problem(env: Record<string, string>, settings?: string): string {
  try {
    loadConfig(env, settings === undefined ? undefined : readSettingsFile(settings));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}
