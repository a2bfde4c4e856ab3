import { failureText } from '../../language/failure.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Failure } from '../../lib/errors.ts';
import { modelOf } from '../assistant.ts';
import type { Say } from './report.ts';

/** Asks the model for one call of a tool, so that address, key, name and tools are checked together. */
export async function checkAssistant(config: Config, say: Say): Promise<void> {
  const model = modelOf(config);
  if (!model) return say('ok', 'assistant', 'no model is set (ASSISTANT_MODEL): the catalogue answers plain words');
  const { probeModel } = await import('../../assistant/model-failure.ts');
  const result = await probeModel(model, systemClock);
  switch (result.kind) {
    case 'calls':
      return say('ok', 'assistant', `${model.model} answers, and calls tools`);
    case 'words':
      return say(
        'warn',
        'assistant',
        `${model.model} answers, but called no tool when it was asked to, so it may answer without looking anything up; set ASSISTANT_MODEL to a model that calls tools`,
      );
    case 'no_tools':
      return say(
        'FAIL',
        'assistant',
        `${model.model} answers, but its endpoint refuses tools (${result.status}), so the catalogue answers instead; set ASSISTANT_MODEL to a model that calls tools`,
      );
    case 'failed': {
      const { next: _, ...failure } = result.failure;
      const what = `${model.model} (${model.api}): ${failureText(failure, 'terminal')}`;
      return say('FAIL', 'assistant', `${what} ${lookAt(failure.code, model.url)}`);
    }
  }
}

/** The settings to look at. The failure itself, which users of the assistant see too, leads to this command. */
function lookAt(code: Failure['code'], url: string | undefined): string {
  const address = url === undefined ? "Anthropic's own address" : new URL(url).origin;
  switch (code) {
    case 'unauthorized':
      return `Check ASSISTANT_KEY (for ${address}).`;
    case 'not_found':
      return `Check ASSISTANT_MODEL, and the path of ASSISTANT_URL (${address}).`;
    case 'rate_limited':
      return 'Try again later.';
    default:
      return `Check ASSISTANT_URL (${address}), ASSISTANT_API, and that the model runs.`;
  }
}
