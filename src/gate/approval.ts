import type { Level } from '../catalogue/operation.ts';
import type { Action, DecidedBy } from '../ledger/action.ts';
import { hasRole, type Role, type Surface, WAYS, type Way } from '../lib/actor.ts';
import type { Config } from '../lib/config.ts';
import { type Effect, SwitchboardError } from '../lib/errors.ts';
import { withoutTypedSecrets } from '../lib/hide.ts';
import { cleanText } from '../lib/values.ts';

/*
 * Rules for who may decide about an action, and by which way. They are pure functions over the settings. Surfaces pass
 * the person and the way they answered, and the gate applies the rules.
 */

/** A person confirms, declines, or states how an action with an unknown outcome ended. */
export type Decision = 'confirm' | 'decline' | 'settle';

/** A person who decides, as identified by the surface they used. */
export interface Decider extends DecidedBy {
  role: Role;
}

/** The rules of an installation. */
export type Approval = ReturnType<typeof approvalOf>;

/**
 * True for the person who requested or confirmed an action. They see the activation code in its result without asking.
 *
 * @param person identity (`personOf`)
 */
export function isOwn(action: Pick<Action, 'person' | 'decidedPerson'>, person: string): boolean {
  return action.person === person || action.decidedPerson === person;
}

/**
 * True if the requesters took their own request back in Slack. The user of a client or of a terminal who answers no
 * declines: there the requester is the program that called.
 */
export function isWithdrawn({ state, person, decidedPerson, decidedVia }: Partial<Action>): boolean {
  return state === 'declined' && decidedVia === 'slack' && person !== undefined && decidedPerson === person;
}

/** True for a question that ended without a decision: it was withdrawn or replaced. */
export function isUndecided({ decidedVia }: Partial<Pick<Action, 'decidedVia'>>): boolean {
  return decidedVia === 'withdrawn' || decidedVia === 'replaced';
}

/** The reason why a person may not decide. `message` says what that person can do instead. */
export interface Refusal {
  why: 'way' | 'role' | 'same_person' | 'unnamed';
  message: string;
}

const PLACES: Record<Way, string> = {
  slack: 'in Slack',
  page: 'on the confirmation page',
  client: "by the MCP client's user",
  terminal: 'on the terminal',
};

/** Every kind of person who can confirm if the settings allow it, as part of a sentence. */
const WHO_COULD =
  '(SLACK_APPROVERS) or on the confirmation page (a token of MCP_HTTP_TOKENS or a sign-in by MCP_OAUTH_ROLES with the role approver)';
const WHO_COULD_OWN = `an operator in Slack (SLACK_OPERATORS), or an approver there ${WHO_COULD}`;

/**
 * The role that a yes needs. Only Slack and the terminal tell an operator from an assistant: a token that an operator
 * holds is one that an assistant holds.
 */
function roleFor(way: Way, level: Level): 'operator' | 'approver' {
  return level === 'own' && (way === 'slack' || way === 'terminal') ? 'operator' : 'approver';
}

/**
 * Returns the reason why this person may not decide about an action by this way; undefined if they may. Requesters may
 * always withdraw their own request; everything else needs the way, the role and, under two-person approval of the level
 * `approver`, another person.
 */
export function refusalOf(
  decision: Decision,
  { requester, level }: { requester: string; level: Level },
  { person, name, role, way }: Decider,
  approval: Approval,
): Refusal | undefined {
  const { via, twoPerson } = approval;
  if (decision === 'decline' && person === requester) return undefined;
  if (!via.includes(way)) {
    const allowed = via.length === 0 ? 'no way' : via.join(', ');
    // It may have been asked when other ways were allowed.
    const out = 'If nobody can decide it there, its requester can withdraw it and ask for it again.';
    return { why: 'way', message: `This cannot be decided ${PLACES[way]}: CONFIRM_VIA allows ${allowed}. ${out}` };
  }
  // Only an approver may state an outcome that no reading shows, for a change of any level.
  const needed = decision === 'settle' ? 'approver' : roleFor(way, level);
  if (!hasRole({ role }, needed)) {
    const what = decision === 'settle' ? 'Saying how it ended' : 'Confirming';
    return { why: 'role', message: `${what} needs the role ${needed}; ${name} has ${role}.` };
  }
  if (decision === 'decline' || !twoPerson || level === 'own') return undefined;
  if (way === 'client' || way === 'terminal')
    return {
      why: 'same_person',
      message: `The user of the ${way} is the requester, and CONFIRM_TWO_PERSON requires another approver.`,
    };
  // A person may have been named by another workspace when they asked: nobody's two identities count as two people.
  if (person === requester || (person.startsWith('slack:') && slackUserOf(person) === slackUserOf(requester)))
    return {
      why: 'same_person',
      message: 'You asked for this yourself; another approver must confirm it (CONFIRM_TWO_PERSON).',
    };
  // Anyone at this computer can use a paired browser, including the requester.
  if (!person.startsWith('local:')) return undefined;
  return {
    why: 'unnamed',
    message:
      'A browser paired with this computer does not identify a person, and CONFIRM_TWO_PERSON requires someone other than the requester.',
  };
}

/**
 * The ways by which a call of this person could be confirmed, each with the reason if it cannot be used. `asked` is the
 * person who can be asked in the same call (the user of the client or of the terminal). Slack and the page count if the
 * settings provide for them, even if another process serves them.
 */
export function waysFor(requester: string, asked: Decider | undefined, settings: Approval, level: Level = 'approver') {
  // Two-person approval concerns the level `approver` only.
  const approval = level === 'own' ? { ...settings, twoPerson: false } : settings;
  const { via, twoPerson, slackApprovers, slackOperators, pageApprovers, oauth, pairing } = approval;
  const askedReason = (way: 'client' | 'terminal', absent: string) => {
    if (twoPerson) return 'its user is the requester (CONFIRM_TWO_PERSON)';
    if (asked?.way !== way) return absent;
    return refusalOf('confirm', { requester, level }, asked, approval) && `${asked.name} has the role ${asked.role}`;
  };
  const slackReason = () => {
    if (slackApprovers === undefined) return 'Slack is not configured (SLACK_BOT_TOKEN)';
    if (level === 'own') return slackOperators ? undefined : 'SLACK_OPERATORS and SLACK_APPROVERS name nobody';
    if (slackApprovers.length === 0) return 'SLACK_APPROVERS names nobody';
    const isAlone = twoPerson && slackApprovers.every((id) => id === slackUserOf(requester));
    return isAlone ? 'SLACK_APPROVERS names only the requester (CONFIRM_TWO_PERSON)' : undefined;
  };
  const pageReason = () => {
    if (oauth || (!twoPerson && (pairing || pageApprovers.length > 0))) return undefined;
    if (!twoPerson) return 'no token of MCP_HTTP_TOKENS has the role approver';
    const isOther = pageApprovers.some((person) => person !== requester);
    return isOther ? undefined : 'MCP_HTTP_TOKENS has no approver other than the requester (CONFIRM_TWO_PERSON)';
  };
  const reasons: Record<Way, () => string | undefined> = {
    slack: slackReason,
    page: pageReason,
    client: () => askedReason('client', 'no client that can ask its user'),
    terminal: () => askedReason('terminal', 'not called on a terminal'),
  };
  return WAYS.map((way) => ({ way, reason: via.includes(way) ? reasons[way]() : 'not in CONFIRM_VIA' }));
}

/** The error for a call that no person can confirm; undefined if someone can. */
export function nobodyCan(requester: string, asked: Decider | undefined, approval: Approval, level: Level) {
  const ways = waysFor(requester, asked, approval, level);
  if (ways.some(({ reason }) => reason === undefined)) return undefined;
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  return forbidden(
    `Nobody can confirm this call, so it was refused (${reasons}). It could be confirmed by ${level === 'own' ? WHO_COULD_OWN : `an approver in Slack ${WHO_COULD}`}. Change CONFIRM_VIA or the setting named.`,
    'nothing_sent',
  );
}

/** The user id in an identity of Slack. */
function slackUserOf(person: string): string | undefined {
  return /^slack:[^/]*\/(.+)$/.exec(person)?.[1];
}

/**
 * Names the people who can confirm, as part of a sentence: "an operator in Slack or an approver on the confirmation
 * page".
 */
export function whoCan(requester: string, approval: Approval, level: Level = 'approver'): string {
  const approver = approval.twoPerson && level === 'approver' ? 'another approver' : 'an approver';
  const open = waysFor(requester, undefined, approval, level).filter(({ reason }) => reason === undefined);
  const named = Object.entries({ operator: 'an operator', approver }).flatMap(([role, who]) => {
    const places = open.flatMap(({ way }) => (roleFor(way, level) === role ? [PLACES[way]] : []));
    return places.length === 0 ? [] : [`${who} ${places.join(' or ')}`];
  });
  return named.join(' or ') || 'nobody';
}

/** True if the user of a terminal may confirm their own call: by answering there, or with `--yes`. */
export function terminalDecides(approval: Pick<Approval, 'via' | 'twoPerson'>): boolean {
  return approval.via.includes('terminal') && !approval.twoPerson;
}

/** A refusal as an error. */
export function forbidden(message: string, effect: Effect = 'nothing_done'): SwitchboardError {
  return new SwitchboardError({ code: 'forbidden_by_role', message, effect, outcome: 'not_done' });
}

/**
 * Reads the rules of an installation from its settings.
 * In demo mode without Slack the playground stands in for Slack beside the other ways.
 */
export function approvalOf(config: Config) {
  const playground = config.demo && config.slack === undefined;
  const named = config.slack && config.SLACK_OPERATORS.length + config.SLACK_APPROVERS.length > 0;
  const ways: readonly Way[] = config.slack
    ? ['slack', 'terminal']
    : WAYS.filter((way) => way !== 'slack' || playground);
  const slackApprovers: readonly string[] | undefined = playground ? ['*'] : config.slack && config.SLACK_APPROVERS;
  const approvers = config.MCP_HTTP_TOKENS.filter(({ role }) => role === 'approver');
  return {
    via: config.CONFIRM_VIA ?? ways,
    twoPerson: config.CONFIRM_TWO_PERSON,
    /** False lets changes of the level `own` run without a question. */
    asksOwn: config.CONFIRM_OWN,
    /** True if SLACK_OPERATORS or SLACK_APPROVERS names a person, or the playground takes the place of Slack. */
    slackOperators: playground || named === true,
    /** User ids, group ids, `*`; undefined without Slack and playground. */
    slackApprovers,
    /** Identities that may confirm on the page with their own credentials: `token:<name>`. */
    pageApprovers: approvers.map(({ name }) => `token:${name}`),
    /** True if MCP_OAUTH_ROLES can give the role approver. The identities of these people are not known in advance. */
    oauth: config.MCP_OAUTH_ROLES?.some(({ role }) => role === 'approver') ?? false,
    /** True if a browser can be paired with this computer (the server is local). */
    pairing: config.local,
  };
}

/** Maximum length of a reason, in characters. */
export const MAX_REASON = 500;

/**
 * A person's reason as it is kept: in one line, without secrets that were typed into it, at most `MAX_REASON` characters;
 * undefined if it is empty. What is chained into the trail can never be taken out again.
 */
export function reasonText(given: string | undefined): string | undefined {
  // A database stores neither NUL nor half a character, and a seal is over what is stored.
  const stored = cleanText(given ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ');
  const open = withoutTypedSecrets(stored.replace(/\s+/g, ' ').trim()).text;
  const text = [...open].slice(0, MAX_REASON).join('');
  return text === '' ? undefined : text;
}

/** The traits of a surface that the rest of the program has to know. */
interface SurfaceTraits {
  /** The words for the surface after "Asked by Ana"; '' if the name of the person says it. */
  words: string;
  /** The way by which a caller decides if no other decider is named. */
  way: Way;
  /** True if what it is given goes on to a model, so that an eSIM's activation code is withheld. */
  isAssistant: boolean;
  /**
   * True if it shows the end of a call only when asked, so that its changes are shown in the channel of approvers. Cards and
   * pages are drawn again by themselves.
   */
  asksForEnd: boolean;
  /** True if the repeat of a requester's own finished call gets a warning too, because scripts repeat calls (`--again`). */
  warnsOfOwn?: true;
  /** It opens forms and windows from a card, for an edit, a next step or the rows of a batch. */
  hasForms?: true;
}

/** Every surface. A new one is added to `Surface` and has its row here. */
const SURFACES: Readonly<Record<Surface, SurfaceTraits>> = {
  mcp: { words: ' over MCP', way: 'client', isAssistant: true, asksForEnd: true },
  slack: { words: '', way: 'slack', isAssistant: false, asksForEnd: false, hasForms: true },
  cli: { words: ' in the terminal', way: 'terminal', isAssistant: false, asksForEnd: true, warnsOfOwn: true },
  page: { words: ' on the page', way: 'page', isAssistant: false, asksForEnd: false },
  assistant: { words: ' in a conversation', way: 'client', isAssistant: true, asksForEnd: true },
  background: { words: '', way: 'terminal', isAssistant: false, asksForEnd: false },
};

const UNKNOWN: SurfaceTraits = { ...SURFACES.background, isAssistant: true };

/** The traits of a surface by its stored name. One that is not known may be read by a model. */
export function traitsOf(surface: string): SurfaceTraits {
  return Object.entries(SURFACES).find(([name]) => name === surface)?.[1] ?? UNKNOWN;
}
