import { membersAsSent } from '../../catalogue/as-sent.ts';
import type { Fields } from '../../lib/json.ts';
import { batchTools } from './batch-tools.ts';
import { confirmationTools } from './confirmation-tools.ts';
import { discoverTools } from './listed.ts';

/** The tools that are no operations, by name. */
const BESIDE = new Map([...batchTools, ...discoverTools, ...confirmationTools].map((tool) => [tool.name, tool]));

/** The input of a tool that is no operation, as its client means it. That of an operation is read with the operation. */
export function toolInput(name: string, given: Fields): Fields {
  const tool = BESIDE.get(name);
  return tool ? membersAsSent(tool.inputSchema, given) : given;
}
