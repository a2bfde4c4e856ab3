import type { Surface, SurfaceContext } from '../surface.ts';

/** The conversation, which other surfaces show. It has metrics, and its turns are stopped before the surfaces close. */
export function openConversation({ assistant, config }: SurfaceContext): Surface {
  return {
    name: 'conversation',
    lines: [`  Conversation   ${modelText(config)}`],
    metrics: () => assistant.metrics(),
    warmUp: () => assistant.warmUp(),
    close: () => assistant.close(),
  };
}

/** Says which model answers plain words, or how to set one. */
function modelText({ ASSISTANT_MODEL: model }: Pick<SurfaceContext['config'], 'ASSISTANT_MODEL'>): string {
  if (model !== undefined) return `plain words are answered by the model ${model}`;
  return 'without a model; Ollama on this computer: ASSISTANT_MODEL=qwen3 ASSISTANT_URL=http://127.0.0.1:11434/v1';
}
