import type { Tool } from '../../../catalogue/operation.ts';
import { respelled } from '../../../language/spelling.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { isGroupQuestion, nameIn } from './group-members.ts';

/* The type of a workgroup in the words of people: "front desk should ring everyone at once", "make reception round robin". */

const GROUP = 'workgroups_update';
const EVERYONE = '(?:everyone|everybody|everything|all(?:\\s+(?:of\\s+them|members|phones|lines))?|them\\s+all|both)';
const TYPES: readonly (readonly [type: string, said: RegExp])[] = [
  [
    'simultaneous',
    new RegExp(
      String.raw`\bsimultaneous(?:ly)?\b|(?:\b${EVERYONE}\s+)?\b(?:all\s+)?at\s+(?:once|the\s+same\s+time)\b`,
      'iu',
    ),
  ],
  [
    'round-robin',
    new RegExp(
      String.raw`\bround[\s-]?robin\b|(?:\b${EVERYONE}\s+)?\b(?:in\s+turns?|one\s+after\s+(?:the\s+other|another)|one\s+by\s+one|by\s+turns|in\s+rotation)\b`,
      'iu',
    ),
  ],
  ['IVR', /\b(?:an?\s+)?(?:ivr|phone\s+menu|voice\s+menu)\b/iu],
];

/** The change of the kind of a workgroup that is named. Undefined for any other sentence. */
export function ofGroupType(
  typed: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const found = TYPES.filter(([, said]) => said.test(typed));
  const [only, ...others] = found;
  const tool = only && toolOf(GROUP);
  if (!tool || others.length > 0 || /\d|["“„]|\b(?:not|never|dont)\b|n['’]t\b/iu.test(typed) || isGroupQuestion(typed))
    return undefined;
  const [Type, said] = only;
  const named = nameIn(respelled(typed).text.replace(said, '…'), []);
  if (!named) return undefined;
  const input = { WorkgroupId: named.name, Type };
  const guided = answer('form', { tool, input, understood: understood(tool, input) });
  if (named.isSure) return guided;
  const { kind, operation = '', understood: text } = guided;
  return {
    ...one(typed),
    orAccount: { ...{ name: named.name, noun: 'workgroup', kind, operation, input, understood: text } },
  };
}
