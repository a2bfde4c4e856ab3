import { failureText } from '../../language/failure.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
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
    case 'failed':
      return say('FAIL', 'assistant', `${model.model} (${model.api}): ${failureText(result.failure, 'terminal')}`);
  }
}
