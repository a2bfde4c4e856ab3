import { COURTESY } from '../facts/beginnings.ts';

/*
 * Wishes for the texts or the calls of a line in words that name no switch: "give 0104 texting back", "sms back on for Ava",
 * "let 0104 call again", "0106 sms still off?".
 */

const LEAD = String.raw`^\W*${COURTESY}`;
const LINE = String.raw`(?:(?:number|line)\s+)?[#…*]*(?:\+?\d[\d().\s-]{8,}\d|\d{4})(?![\w-])`;
const NAME = String.raw`(?!(?:me|us|the|an?|it|her|him|them|his|their|its|all|back|some|no|this|that|those|these|for|on|of|to|any|who|what|which)\b)\p{L}[\p{L}'’-]*`;
const WHOSE = `(?<whose>${LINE}|${NAME})`;
const SERVICE = '(?<service>texts?|texting|sms|messages|messaging|calls|calling|voice)';
const OWN = String.raw`(?:(?:have|get|use|her|his|its|their|the)\s+)*`;
const BACK = String.raw`(?:back|again)(?:\s+on)?`;
const END = String.raw`(?:[\s,]+(?:please|pls|plz|now|today|again|thanks|thx))*[\s.!]*$`;

const BACK_ON: readonly RegExp[] = [
  String.raw`(?:give|let|get|bring)\s+${WHOSE}\s+${OWN}${SERVICE}\s+${BACK}`,
  String.raw`(?:give|get|bring)\s+(?:the\s+)?${SERVICE}\s+back\s+(?:to|on|for)\s+${WHOSE}`,
  String.raw`let\s+(?<whose>${LINE})\s+(?:(?:send|make)\s+)?(?<service>text|sms|message|call|texts|calls)\s+(?:out\s+)?again`,
  String.raw`${WHOSE}\s+(?:needs|wants|gets|should\s+(?:get|have))\s+${OWN}${SERVICE}\s+${BACK}`,
  String.raw`${SERVICE}\s+back\s+on\s+(?:for|on|at)\s+${WHOSE}`,
  String.raw`(?:restore|re-?enable|bring\s+back|reinstate|reopen)\s+(?:the\s+)?${SERVICE}\s+(?:on|for|of|to|at)\s+${WHOSE}`,
].map((order) => new RegExp(`${LEAD}${order}${END}`, 'iu'));
/** "Turn on calls for Ava" */
const TURNS_ON = new RegExp(
  String.raw`${LEAD}(?:turn|switch|put)\s+(?:(?<service>texts|texting|sms|calls|calling)\s+(?:back\s+)?on|(?:back\s+)?on\s+(?<other>texts|texting|sms|calls|calling))\s+(?=(?:for|at|of)\s+\S)`,
  'iu',
);
/** "Texts off for all parked lines" */
const VERBLESS = new RegExp(
  String.raw`${LEAD}(?<service>texts|texting|sms|calls|calling|voice)\s+(?<way>on|off)\s+(?=(?:for|on|at|of)\s+\S)`,
  'iu',
);
const STATE = new RegExp(
  String.raw`^\W*(?:(?:and|so|hey|hi|ok)[\s,]+)*(?:(?:is|are)\s+)?(?<whose>${LINE})(?:['’]s)?\s+${SERVICE}\s+(?:(?:is|are|still|already|back|now)\s+)*(?:on|off|enabled|disabled|blocked)(?:\s+(?:now|again|yet))*\s*\?\s*$`,
  'iu',
);

const STATED = String.raw`(?:(?:is|are|['’]s|seems?|looks?|was|were|still|now|turned|switched|currently)\s+)*`;
const SERVICES = SERVICE.replace('voice)', 'voice|data|internet)');
const TURN =
  String.raw`(?:turn|switch|put|get|flip|set)\s+(?:it|that|this|them|those|['’]?em|the\s+service|SERVICE)\s+(?:back\s+)?(?<way>on|off)|(?:(?<on>enable|activate|re-?enable)|(?<off>disable|deactivate))\s+(?:it|that|them|['’]?em)`.replace(
    'SERVICE',
    SERVICE.replace('?<service>', '?:'),
  );
const JOINT = String.raw`[\s?.,;!–-]+(?:(?:so|and|but|please|pls|plz|can|could|would|you|u|we|kindly|just)[\s,]+)*(?:${TURN})(?:\s+(?:back|again|for\s+(?:him|her|them|me)|there))*`;
/** "Voice is off on 0106? can you switch it on", "0106 has calls off, turn them back on": the order is about the service. */
const OF_STATE: readonly RegExp[] = [
  String.raw`${SERVICES}\s*${STATED}(?:on|off|disabled|enabled|dead|out)\s+(?:on|for|at|of|with)\s+${WHOSE}(?:['’]s)?(?:\s+(?:line|number|phone))?`,
  String.raw`${SERVICES}\s+(?:on|for|at|of)\s+${WHOSE}(?:['’]s\s+(?:line|number|phone))?\s+${STATED}(?:off|on|disabled|enabled|dead|out)`,
  String.raw`${WHOSE}(?:['’]s)?\s+(?:has|got|have)\s+(?:(?:his|her|its|their|the)\s+)?${SERVICES}\s+(?:(?:turned|switched)\s+)?(?:on|off|disabled|enabled)`,
  String.raw`${WHOSE}(?:['’]s)?\s+${SERVICES}\s*${STATED}(?:on|off|disabled|enabled)`,
].map((state) => new RegExp(`${LEAD}(?:the\\s+)?${state}${JOINT}${END.replace('[\\s.!]', '[\\s.!?]')}`, 'iu'));

/** The sentence with such a wish as an order to switch the service on, or with the question of its state. */
export function withServiceBack(text: string): string {
  for (const one of OF_STATE) {
    const { whose, service, way, on } = one.exec(text)?.groups ?? {};
    if (whose === undefined) continue;
    const isOn = way === undefined ? on !== undefined : /^on$/iu.test(way);
    return `${isOn ? 'enable' : 'turn off'} ${plain(service)} for ${whose.replace(/['’]s$/u, '')}`;
  }
  const state = STATE.exec(text)?.groups;
  if (state) return `is ${plain(state.service)} on for ${state.whose}?`;
  for (const order of BACK_ON) {
    const { whose, service } = order.exec(text)?.groups ?? {};
    if (whose !== undefined) return `enable ${plain(service)} for ${whose.replace(/['’]s$/u, '')}`;
  }
  const { service, other = service } = TURNS_ON.exec(text)?.groups ?? {};
  if (other !== undefined) return text.replace(TURNS_ON, `enable ${plain(other)} `);
  return text.replace(VERBLESS, (...found) => {
    const { service: verbless, way } = found.at(-1);
    return `turn ${way} ${plain(verbless)} `;
  });
}

function plain(service = ''): string {
  if (/^(?:data|internet)$/iu.test(service)) return 'data';
  return /^[cv]/iu.test(service) ? 'calls' : 'texts';
}
