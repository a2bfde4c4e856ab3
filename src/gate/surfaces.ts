import type { Surface, Way } from '../lib/actor.ts';

/** The traits of a surface that the rest of the program has to know. */
export interface SurfaceTraits {
  /** The words for the surface after "Asked by Ana"; '' if the name of the person says it. */
  words: string;
  /** The way by which a caller decides if no other decider is named. */
  way: Way;
  /** True if what it is given goes on to a model, so that an eSIM's activation code is withheld. */
  isAssistant: boolean;
  /** True if it shows the end of a call only when asked. Cards and pages are drawn again by themselves. */
  asksForEnd: boolean;
  /** It opens forms and windows from a card, for an edit, a next step or the rows of a batch. */
  hasForms?: true;
  /** True if its changes are shown in the channel of approvers although Slack did not ask for them. */
  shownToApprovers: boolean;
}

/** Every surface. A new one is added to `Surface` and has its row here. */
const SURFACES: Readonly<Record<Surface, SurfaceTraits>> = {
  mcp: { words: ' over MCP', way: 'client', isAssistant: true, asksForEnd: true, shownToApprovers: true },
  slack: { words: '', way: 'slack', isAssistant: false, asksForEnd: false, hasForms: true, shownToApprovers: false },
  cli: { words: ' in the terminal', way: 'terminal', isAssistant: false, asksForEnd: true, shownToApprovers: true },
  page: { words: ' on the page', way: 'page', isAssistant: false, asksForEnd: false, shownToApprovers: false },
  assistant: {
    words: ' in a conversation',
    way: 'client',
    isAssistant: true,
    asksForEnd: true,
    shownToApprovers: true,
  },
  background: { words: '', way: 'terminal', isAssistant: false, asksForEnd: false, shownToApprovers: false },
};

const UNKNOWN: SurfaceTraits = { ...SURFACES.background, isAssistant: true };

/** The traits of a surface by its stored name. One that is not known may be read by a model. */
export function traitsOf(surface: string): SurfaceTraits {
  return Object.entries(SURFACES).find(([name]) => name === surface)?.[1] ?? UNKNOWN;
}
