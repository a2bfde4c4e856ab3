import type { OpenSurface, Surface, SurfaceContext } from '../surface.ts';
import { openConfirmPages } from './confirm-pages.ts';
import { openConversation } from './conversation.ts';
import { openEvents } from './events.ts';
import { openMcp } from './mcp.ts';
import { openOAuthMetadata } from './oauth.ts';
import { openPlayground } from './playground.ts';
import { openSandboxControl } from './sandbox-control.ts';
import { openSlack } from './slack.ts';
import { openDatabaseStatus, openStatus } from './status.ts';

/**
 * Every surface of `switchboard start`, in the order they are opened. A new surface is a folder in `src/surfaces` and
 * one line in this list, before `openEvents` if it shows events.
 */
const OPENERS: readonly OpenSurface[] = [
  openSlack,
  openPlayground,
  openEvents,
  openMcp,
  openOAuthMetadata,
  openSandboxControl,
  openStatus,
  openDatabaseStatus,
  openConfirmPages,
  // Closed first, so that the surfaces still show the end of its turns.
  openConversation,
];

/** Opens every surface that the settings ask for. */
export async function openSurfaces(context: Omit<SurfaceContext, 'surfaces'>): Promise<Surface[]> {
  const surfaces: Surface[] = [];
  for (const open of OPENERS) {
    const surface = await open({ ...context, surfaces });
    if (surface) surfaces.push(surface);
  }
  return surfaces;
}

/** Closes the surfaces in reverse order: events are still shown while the surfaces that show them are open. */
export async function closeSurfaces(surfaces: readonly Surface[]): Promise<void> {
  for (const surface of [...surfaces].reverse()) await surface.close?.();
}
