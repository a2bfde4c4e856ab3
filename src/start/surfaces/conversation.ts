import type { Surface, SurfaceContext } from '../surface.ts';

/** The conversation, which other surfaces show. It has metrics, and its turns are stopped before the surfaces close. */
export function openConversation({ assistant }: SurfaceContext): Surface {
  return {
    name: 'conversation',
    metrics: () => assistant.metrics(),
    close: () => assistant.close(),
  };
}
