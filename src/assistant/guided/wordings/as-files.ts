import { COURTESY } from '../facts/beginnings.ts';

/* "Give me a csv of globex's numbers", "export the list": the list is shown, and no file is made. */

const POLITE = String.raw`^(?<lead>\W*${COURTESY})`;
/** "Export the list", "download all numbers". */
const EXPORTS = new RegExp(String.raw`${POLITE}(?:export|download)\s+(?:me\s+)?(?=\p{L})`, 'iu');
const FORMAT = String.raw`(?:csv|excel|xlsx?|spreadsheet|pdf)(?:\s+(?:file|sheet|export|format|list|dump))*`;
/** "A csv of …" */
const FILE_OF = new RegExp(
  String.raw`${POLITE}(?:(?:give|get|send|show|make|create|pull|have|export|download|generate|build)\s+(?:me\s+|us\s+)?)?(?:an?\s+|the\s+)?${FORMAT}\s+(?:of|with|for|listing)\s+(?=\p{L})`,
  'iu',
);
const NO_FILE =
  '. It is shown here, and no file is made: “JSON” below an answer has its values, and so has the terminal with --json';

/** The sentence as one that asks to see the records. Any other sentence as it is. */
export function withoutFile(sentence: string): { text: string; told: readonly string[] } {
  const text = sentence.replace(FILE_OF, '$<lead>show ').replace(EXPORTS, '$<lead>show ');
  return text === sentence ? { text, told: [] } : { text, told: [NO_FILE] };
}
