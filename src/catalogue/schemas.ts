import * as z from 'zod';
import { type Rules, raising } from './risk.ts';
import type { Shape } from './spec.ts';

/** The part of a definition that is not made before it is needed. */
export interface Schemas {
  input: () => Shape;
  output: () => Shape;
}

/** The members of a tool that are made when they are first read. */
interface Made {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly raisedBy: string | undefined;
}

/**
 * Completes a tool by its schemas and by what follows from the rules of its members. Making the schemas of all
 * operations takes longer than running one of them, so each is made when it is first read.
 */
export function completed<T extends { id: string }>(
  members: T,
  { input, output }: Schemas,
  rules: Rules,
): Readonly<T & Made> {
  const schema = once(() => z.strictObject(whole(members, input())));
  const { raisedBy, ...derived } = raising(schema, rules);
  const tool = Object.assign(members, derived);
  const made = {
    input: schema,
    output: once(() => z.looseObject(whole(members, output()))),
    ...(raisedBy && { raisedBy: once(raisedBy) }),
  };
  for (const [name, get] of Object.entries(made)) Object.defineProperty(tool, name, { enumerable: true, get });
  return Object.freeze(tool) as Readonly<T & Made>;
}

/** Refuses a member that is no field, such as one that `out` does not have, before the schemas of all tools are read. */
function whole({ id }: { id: string }, shape: Shape): Shape {
  const missing = Object.keys(shape).find((name) => shape[name] === undefined);
  if (missing !== undefined) throw new Error(`${id}: ${missing} has no type. npm run types names the line.`);
  return shape;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
