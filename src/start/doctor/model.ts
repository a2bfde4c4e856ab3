import { failureText } from '../../language/outcome.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Failure } from '../../lib/errors.ts';
import { modelOf } from '../assistant.ts';
import type { Finding } from './report.ts';

const ANOTHER = 'set ASSISTANT_MODEL to a model that calls tools';

/** Asks the model for one call of a tool, so that address, key, name and tools are checked together. */
export async function* checkAssistant(config: Config): AsyncIterable<Finding> {
  const model = modelOf(config);
  if (!model) return yield ['ok', 'no model is set (ASSISTANT_MODEL): the catalogue answers plain words'];
  const { probeModel } = await import('../../assistant/model.ts');
  const result = await probeModel(model, systemClock);
  const answers = `${model.model} answers`;
  if (result.kind === 'calls') yield ['ok', `${answers}, and calls tools`];
  if (result.kind === 'words')
    yield ['warn', `${answers}, but called no tool when it was asked to, so it may answer without a look; ${ANOTHER}`];
  if (result.kind === 'no_tools')
    yield [
      'FAIL',
      `${answers}, but its endpoint refuses tools (${result.status}), so the catalogue answers instead; ${ANOTHER}`,
    ];
  if (result.kind === 'failed') {
    // Its next step is for users of the assistant, and leads to this command.
    const { next: _, ...failure } = result.failure;
    const where = model.url === undefined ? "Anthropic's own address" : new URL(model.url).origin;
    yield ['FAIL', `${model.model} (${model.api}): ${failureText(failure, 'terminal')} ${lookAt(failure.code, where)}`];
  }
  return undefined;
}

/** The settings to look at. */
function lookAt(code: Failure['code'], address: string): string {
  if (code === 'unauthorized') return `Check ASSISTANT_KEY (for ${address}).`;
  if (code === 'not_found') return `Check ASSISTANT_MODEL, and the path of ASSISTANT_URL (${address}).`;
  if (code === 'rate_limited') return 'Try again later.';
  return `Check ASSISTANT_URL (${address}), ASSISTANT_API, and that the model runs.`;
}
