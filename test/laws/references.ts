import { jsonSchema, type Tool } from '../../src/catalogue/operation.ts';

/** A field that takes the id of a record, by its accepted prefixes. */
export interface IdField {
  /** Path of the field: `PackageItems.ProductId`. */
  path: string;
  ids: readonly string[];
  required: boolean;
}

/** The part of a JSON schema that is searched for ids. */
interface Node {
  ids?: readonly string[];
  properties?: Readonly<Record<string, Node>>;
  required?: readonly string[];
  items?: Node;
  anyOf?: readonly Node[];
}

/** The fields of a tool's input that take ids, at any depth. */
export function idFields(tool: Pick<Tool, 'input'>): IdField[] {
  return fieldsIn(jsonSchema(tool.input, 'input') as Node);
}

/** The kinds of records whose ids a tool's answer has: the members that its definition marks with `out.key`. */
export function foundIds(tool: Pick<Tool, 'output'>): (readonly string[])[] {
  const answer = jsonSchema(tool.output, 'output') as Node;
  return fieldsIn(answer).map(({ ids }) => ids);
}

/**
 * The id fields of these tools that no read among them finds. A read finds the ids of its answer if the ids that it
 * requires can be found too; phone numbers and texts come from people.
 */
export function deadEnds(tools: readonly Tool[]): { tool: string; field: IdField }[] {
  const reads = tools
    .filter(({ risk }) => risk === 'read')
    .map((tool) => ({ needs: idFields(tool).filter(({ required }) => required), finds: foundIds(tool) }));
  const found: (readonly string[])[] = [];
  const isFound = ({ ids }: Pick<IdField, 'ids'>) => found.some((kind) => ids.some((id) => kind.includes(id)));
  for (let waiting = reads, before = -1; waiting.length !== before; ) {
    before = waiting.length;
    const ready = waiting.filter(({ needs }) => needs.every(isFound));
    found.push(...ready.flatMap(({ finds }) => finds));
    waiting = waiting.filter((read) => !ready.includes(read));
  }
  return tools.flatMap((tool) =>
    idFields(tool)
      .filter((field) => !isFound(field))
      .map((field) => ({ tool: tool.id, field })),
  );
}

function fieldsIn(node: Node, path = '', required = true): IdField[] {
  if (node.ids !== undefined) return [{ path, ids: node.ids, required }];
  const members = Object.entries(node.properties ?? {}).flatMap(([name, member]) =>
    fieldsIn(member, path === '' ? name : `${path}.${name}`, required && (node.required ?? []).includes(name)),
  );
  const inside = [...(node.items ? [node.items] : []), ...(node.anyOf ?? [])];
  return [...members, ...inside.flatMap((one) => fieldsIn(one, path, required))];
}
