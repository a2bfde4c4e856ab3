import type { Tool } from '../../../catalogue/operation.ts';
import { scopesIn } from '../answers/account-scope.ts';
import { answer, type GuidedAnswer, help } from '../answers/answer.ts';
import type { Reader } from '../answers/readings.ts';
import { newCustomerIn } from '../facts/new-customer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * Questions of people who port numbers in and set customers up: until when a port-in can be corrected or cancelled, whether
 * one certain number can be had, which route a new line gets, where to begin.
 */

type Read = (asked: Asked, reader: Reader) => GuidedAnswer | undefined;

const ASKS =
  /\?\s*$|^\W*(?:(?:hi|hey|so|and|ok|but|quick|question|pls|please)[\s,:]+)*(?:can|could|may|is|are|do|does|how|what|which|when|until|till|where|will|would)\b|\bhow\s+(?:do|can|to|could)\b/iu;
const PORT = /\bport(?:s|ed|ing|[\s-]?ins?)?\b(?![\s-]*(?:out|away)\b)/iu;
const CORRECTS = /\b(?:chang\w+|correct\w*|updat\w+|edit\w*|amend\w*|fix\w*|modif\w+|adjust\w*)\b/iu;
const ENDS =
  /\b(?:cancel\w*|stop\w*|revers\w+|undo\w*|undone|pull\w*|call\w*\s+(?:it\s+)?off|abort\w*|withdraw\w*)\b/iu;
/** The order is there already. */
const IS_SENT =
  /\b(?:after|once|when|already|since|still|afterwards|later|until|till|before|while)\b[^.;!?]*\b(?:submit\w*|sent|order(?:ed)?|placed|filed|in\s+progress|running|pending|under\s*way|started|open|complet\w*|rejected)\b|\b(?:submitted|running|pending|open)\s+port/iu;
const IS_DONE =
  /^(?!.*\b(?:before|until|till|til|unless|not|isnt|wasnt|hasnt|yet)\b)(?!.*n['’]t\b).*\b(?:completed|went\s+thr\w+|gone\s+thr\w+|finished|done|closed|already\s+(?:complete|ported|ours|here|active))\b|\bafter\s+(?:it\s+)?(?:is\s+|has\s+|was\s+)?(?:complet\w+|done|finished)/isu;

/** "Can I change the name on a port after it's submitted", "how do I cancel a port that is completed". */
const ofPortRules: Read = ({ said, facts }) => {
  if (!PORT.test(said) || !ASKS.test(said) || facts.mentions.length + facts.ids.length > 0) return undefined;
  if (ENDS.test(said) && IS_DONE.test(said))
    return help(
      'A port-in that is completed cannot be cancelled any more: its number is a line here. To end the line, write “cancel NUMBER”; to let the number move away, “port-out PIN for NUMBER”. Nothing was done',
    );
  if (!CORRECTS.test(said) || !IS_SENT.test(said) || facts.details.postal !== undefined) return undefined;
  const told =
    'Yes: until a port-in is completed, its name, address, ZIP, carrier, account number, PIN and date can be corrected. Write “correct the zip of the port of NUMBER to 60614”, with the number or the id of the order. Nothing was done';
  return { ...help(told), nearest: [{ operation: 'numbers_portin_update', input: {} }] };
};

const CERTAIN =
  /\b(?:get|have|order|buy|take|reserve|pick|choose|want|grab|give)\b[^.;!?]*\d[^.;!?]*\b(?:specifically|exactly|in\s+particular|this\s+(?:exact|very)|as\s+(?:an?|the|his|her|our|their)\s+new\s+(?:number|line))\b|\b(?:that|this|the)\s+(?:exact|very|specific)\s+number\b[^.;!?]*\d/iu;

/** "Can we get the number 201 555 0199 specifically". */
const ofCertainNumber: Read = ({ said, facts }) => {
  const [number, ...others] = facts.numbers;
  if (number === undefined || others.length > 0 || !ASKS.test(said) || !CERTAIN.test(said) || PORT.test(said))
    return undefined;
  const area = number.slice(2, 5);
  const told = `A new number is chosen by its area code or ZIP, and not by its digits, so that ${number} cannot be ordered: write “free numbers in area code ${area}” or “new line in area code ${area}”. A number that the customer has elsewhere is ported in. Nothing was done`;
  const free = { MessageEnabled: true, VoiceEnabled: true, AreaCode: area };
  return {
    ...help(told),
    nearest: [
      { operation: 'numbers_availability', input: free },
      { operation: 'numbers_portin_eligibility', input: { PhoneNumber: number, TargetClassification: 'Mobile' } },
    ],
  };
};

const BEGINS =
  /\b(?:where|how|what)\b[^.;!?]*\b(?:start|begin|first(?:\s+step)?|get\s+going|go\s+about)\b|\b(?:what|which)\s+(?:are\s+the\s+)?steps\b/iu;
const NEW =
  /\b(?:new|signed|sign\s+up|onboard\w*|won)\b[^.;!?]*\b(?:customer|client|account|company|business|subscriber)\b|\b(?:signed|onboard\w*|won)\b/iu;

/** "New customer Delta Freight wants 5 lines, where do I start". */
const ofFirstSteps: Read = ({ said, facts }) => {
  if (!BEGINS.test(said) || !NEW.test(said) || facts.mentions.length > 0 || PORT.test(said)) return undefined;
  const name = newCustomerIn(said)?.name ?? facts.details.customer ?? NAMED.exec(said)?.groups?.name;
  const input = name === undefined ? {} : { AccountName: name };
  const count = /(?<![\d.$])\d{1,3}(?=\s+(?:\p{L}+\s+)?(?:lines?|numbers?|sims?)\b)/iu.exec(said)?.[0];
  const told = `First the account (“new account ${name ?? 'NAME'}, admin E-MAIL, ADDRESS”), then a subscriber in it (“new subscriber NAME, E-MAIL, at ${name ?? 'ACCOUNT'}”), then each ${count === undefined ? 'line' : `of the ${count} lines`} by itself (“new line for NAME in area code 212”). A SIM is named in the order of its line. Nothing was done`;
  return {
    ...help(told),
    nearest: [
      { operation: 'account_create', input },
      { operation: 'subscribers_create', input: {} },
    ],
  };
};
const NAMED =
  /\b(?:customer|client|account|company|signed|onboard(?:ing)?|won)\s+(?<name>\p{Lu}[\p{L}\d&'’-]*(?:\s+\p{Lu}[\p{L}\d&'’-]*){0,3})/u;

const NEW_LINES = /\b(?:new|future|fresh)\s+(?:\p{L}+\s+)?(?:lines?|numbers?)\b/iu;
const ROUTE = /\broutes?\b/iu;

/** "Which route do new lines on Acme get": none by itself. */
const ofNewLinesRoute: Read = ({ said, facts, mayUse }, { byId }) => {
  const tool: Tool | undefined = byId.get('account_message_routes_get');
  if (!tool || !mayUse(tool.id) || !ROUTE.test(said) || !NEW_LINES.test(said) || !ASKS.test(said)) return undefined;
  if (facts.mentions.length > 0 || !/\b(?:which|what|do|does|default)\b/iu.test(said)) return undefined;
  if (/\b(?:create|make|set\s*up|add|use)\b/iu.test(said)) return undefined;
  const account = scopesIn(said)[0]?.name;
  const input = account === undefined ? {} : { AccountId: account };
  const lead =
    'No new line gets a route by itself: its order asks for the message route, and for the voice route if it has one.';
  const text = `${lead} ${tool.title}`;
  return {
    ...answer('lookup', { tool, input, understood: text }),
    ...{ isInstead: true, lead },
    nearest: [{ operation: 'account_voice_routes_get', input }],
  };
};

/** The answer to such a question. Undefined for any other sentence. */
export function ofOnboarding(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  if (asked.facts.message !== undefined) return undefined;
  for (const read of [ofPortRules, ofCertainNumber, ofFirstSteps, ofNewLinesRoute]) {
    const found = read(asked, reader);
    if (found) return found;
  }
  return undefined;
}
