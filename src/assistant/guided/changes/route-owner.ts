import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * "Lines on the acme sms route" names the account that has the route, and no route of that name. Whether a name is one of
 * an account is decided by surfaces: a search that finds nothing would say that the route is used by no line.
 */

const KIND = /\s+(?:(?:inbound|outbound|voice|calls?|sip|sms|mms|texts?|messages?|messaging)\s+)*(?:route|trunk)$/iu;

/** The search for the lines of a route, with that for the lines of the account which its name may mean. */
export function withRouteOwner(guided: GuidedAnswer): GuidedAnswer {
  const { operation, input, orAccount } = guided;
  const route = input.Route;
  if (operation !== 'numbers_find' || typeof route !== 'string' || input.Query !== undefined || orAccount)
    return guided;
  const name = route.replace(KIND, '').replace(/(?<=\p{L}{2})['’]s$|(?<=\p{L}{2}[^s\P{L}])s$/u, '');
  const words = wordsOf(name);
  if (name === route || words.length !== 1 || words[0]?.isUnknown !== true) return guided;
  return {
    ...guided,
    orAccount: {
      name,
      operation,
      input: { Query: name, Full: true },
      understood: `“${name}” is an account, so these are its lines, each with its plan and its routes.`,
    },
  };
}
