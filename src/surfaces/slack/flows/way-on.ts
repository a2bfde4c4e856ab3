import { inputWith } from '../../../cards/line-actions.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { mayAsk } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/command-words.ts';
import { parseLine } from '../../../language/parse.ts';
import type { Role } from '../../../lib/actor.ts';
import type { Failure } from '../../../lib/errors.ts';
import type { Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import { joined, plainText } from '../../../lib/words.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { actions, type Block, button, MAX_BUTTON_VALUE } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';

const MOST_STEPS = 2;
/** An operation in our own words, with the fields that they give it: "numbers_update MessageEnabled=true". */
const NAMED = /\b([a-z]+(?:_[a-z]+)+)((?: [A-Z]\w*=[\w+.-]+)*)/g;
const QUOTED = /“[^”]*”/g;

/** The operations that a failure names as the way on, as buttons with the record of the failed call. */
export function wayOn(
  slack: SlackContext,
  failed: { tool: Tool; input: Fields },
  face: Failure,
  role: Role,
): Block | undefined {
  // Quoted texts are of others and name no step.
  const own = plainText(joined([face.message, face.next])).replace(QUOTED, '');
  const steps = new Map(
    [...own.matchAll(NAMED)].flatMap(([, id, values = '']) => {
      const tool = slack.tools.find((one) => one.id === id);
      return tool && tool.id !== failed.tool.id && mayAsk(role, tool) ? [[tool, values] as const] : [];
    }),
  );
  const given = jsonText(failed.input);
  const phone = phonesIn(own).find((one) => given.includes(one)) ?? phonesIn(given)[0];
  const buttons = [...steps].slice(0, MOST_STEPS).flatMap(([tool, values], i) => {
    const parsed = parseLine(tool.group, `${wordsOf(tool).join(' ')}${values}`, slack.tools);
    const typed = parsed.kind === 'call' ? parsed.input : {};
    const input = {
      ...sameFields(tool, failed.input),
      ...(phone === undefined ? {} : inputWith(tool, phone)),
      ...typed,
    };
    const value = `${tool.id}|${JSON.stringify(input)}`;
    const isWhole = fieldProblems(tool, input, new Date(slack.clock.now())).length === 0;
    return value.length > MAX_BUTTON_VALUE ? [] : [button(`${isWhole ? IDS.run : IDS.fill}_${i}`, tool.title, value)];
  });
  return buttons.length === 0 ? undefined : actions('way_on', ...buttons);
}

/** The ids of the failed call that the next operation takes too. */
function sameFields(tool: Tool, input: Fields): Fields {
  const names = fieldsOf(tool).flatMap(({ name, kind }) => (kind === 'id' ? [name] : []));
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
}
