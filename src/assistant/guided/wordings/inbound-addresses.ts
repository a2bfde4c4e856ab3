import { wordsOf } from '../../../language/sentence.ts';

/*
 * "Move the acme inbound sms over to https://…" changes the address of the route by which a customer's or an account's texts
 * or calls come in. Other lines may use that route too, and the answer says so.
 */

const MOVES =
  /\b(?:move|send|point|switch|forward|redirect|direct|deliver|shift|push|get|aim|repoint)\s+(?:(?:all|the|our)\s+)*(?<name>\p{L}[\p{L}\d-]*?)(?:['’]?s)?\s+(?:(?:inbound|incoming)\s+)?(?<what>sms|texts?|messages?|calls?)\s+(?:over\s+)?(?:to|at|into|towards)\s+(?=https?:)/iu;
const REFUSES = /\?\s*$|\b(?:not|never|if|unless)\b|n['’]t\b/iu;
const SHARED = '. Other lines may use this route too';

/** The order for the route of the name, and a remark for the answer. */
export function withInboundAddress(text: string): { text: string; told: readonly string[] } {
  const match = MOVES.exec(text);
  const { name = '', what = '' } = match?.groups ?? {};
  const isName = name.length > 1 && wordsOf(name).every(({ isUnknown }) => isUnknown);
  if (!match || !isName || REFUSES.test(text.replace(/https?:\S+/giu, ''))) return { text, told: [] };
  const kind = /^call/iu.test(what) ? 'voice' : 'sms';
  return { text: text.replace(match[0], `point the ${name} ${kind} route at `), told: [SHARED] };
}
