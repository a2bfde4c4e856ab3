import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/lib/json.ts';
import { ROOT } from '../support/build.ts';

/** Rooms whose classes call downwards only. */
const ROOMS = ['work', 'platform', 'ledger', 'gate'];
/** Members that may be functions: tests replace the clock, and every room writes to the log. */
const ALLOWED = ['clock', 'log'];

type Node = Readonly<Record<string, unknown>> & { type: string };

const isNode = (value: unknown): value is Node => isRecord(value) && typeof value.type === 'string';
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const within = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(within)];
const nodesAt = (node: Node | undefined, key: string): Node[] => [node?.[key]].flat().filter(isNode);
const nodeAt = (node: Node | undefined, key: string): Node | undefined => nodesAt(node, key)[0];
const nameOf = (node: Node | undefined) => String(node?.name ?? node?.value ?? '');

/** Collects the named types of one source and the parameters of its constructors. */
class Declarations {
  readonly #types = new Map<string, Node>();
  readonly constructors: { name: string; parameters: Node[] }[] = [];

  add(text: string): void {
    for (const node of within(parseAst(text, { lang: 'ts' }) as unknown as Node)) {
      if (node.type === 'TSInterfaceDeclaration') this.#types.set(nameOf(nodeAt(node, 'id')), node);
      if (node.type === 'TSTypeAliasDeclaration')
        this.#types.set(nameOf(nodeAt(node, 'id')), nodeAt(node, 'typeAnnotation') ?? node);
      if (node.type !== 'ClassDeclaration') continue;
      const made = within(node).find(({ type, kind }) => type === 'MethodDefinition' && kind === 'constructor');
      const parameters = nodesAt(nodeAt(made, 'value'), 'params');
      this.constructors.push({ name: nameOf(nodeAt(node, 'id')), parameters });
    }
  }

  /** Functions that a parameter hands over, as "Class: member". */
  callbacks(name: string, parameter: Node): string[] {
    const type = nodeAt(nodeAt(parameter, 'typeAnnotation'), 'typeAnnotation');
    if (this.#isFunction(type)) return [`${name}: ${nameOf(parameter)}`];
    return this.#members(type)
      .filter((member) => member.type === 'TSMethodSignature' || this.#isFunction(this.#typeOf(member)))
      .map((member) => nameOf(nodeAt(member, 'key')))
      .filter((member) => !ALLOWED.includes(member))
      .map((member) => `${name}: ${member}`);
  }

  #typeOf(member: Node): Node | undefined {
    return nodeAt(nodeAt(member, 'typeAnnotation'), 'typeAnnotation');
  }

  /** The members of an options type. The methods of other objects, such as a database, are theirs. */
  #members(type: Node | undefined): Node[] {
    if (type === undefined) return [];
    if (type.type === 'TSTypeLiteral') return nodesAt(type, 'members');
    if (type.type === 'TSIntersectionType') return nodesAt(type, 'types').flatMap((part) => this.#members(part));
    if (type.type === 'TSInterfaceDeclaration')
      return [
        ...nodesAt(nodeAt(type, 'body'), 'body'),
        ...nodesAt(type, 'extends').flatMap((base) =>
          this.#members(this.#types.get(nameOf(nodeAt(base, 'expression')))),
        ),
      ];
    if (type.type !== 'TSTypeReference') return [];
    const name = nameOf(nodeAt(type, 'typeName'));
    const given = nodesAt(nodeAt(type, 'typeArguments'), 'params');
    if (name === 'Pick') {
      const names = given
        .slice(1)
        .flatMap(within)
        .filter((node) => node.type === 'Literal')
        .map(nameOf);
      return this.#members(given[0]).filter((member) => names.includes(nameOf(nodeAt(member, 'key'))));
    }
    return /(Options|Parts)$/.test(name) ? this.#members(this.#types.get(name)) : [];
  }

  #isFunction(type: Node | undefined): boolean {
    if (type === undefined) return false;
    if (type.type === 'TSFunctionType') return true;
    if (type.type === 'TSUnionType') return nodesAt(type, 'types').some((part) => this.#isFunction(part));
    if (type.type === 'TSParenthesizedType') return this.#isFunction(nodeAt(type, 'typeAnnotation'));
    if (type.type !== 'TSTypeReference') return false;
    return this.#isFunction(this.#types.get(nameOf(nodeAt(type, 'typeName'))));
  }
}

/** Functions that the constructors of these sources take. */
function callbacksIn(sources: readonly string[]): string[] {
  const declarations = new Declarations();
  for (const text of sources) declarations.add(text);
  return declarations.constructors.flatMap(({ name, parameters }) =>
    parameters.flatMap((parameter) => declarations.callbacks(name, parameter)),
  );
}

describe('functions handed to constructors', () => {
  it('are none in the rooms that call downwards only, but the clock and the log', () => {
    const files = ROOMS.flatMap((room) =>
      readdirSync(join(ROOT, 'src', room), { recursive: true })
        .filter((file) => String(file).endsWith('.ts'))
        .map((file) => readFileSync(join(ROOT, 'src', room, String(file)), 'utf8')),
    );
    expect(callbacksIn(files)).toEqual([]);
  });

  it('are found as members, methods, aliases and parameters', () => {
    const text = `
      type Alias = (id: string) => void;
      interface Base { changed: Alias }
      interface ThingOptions extends Base { log: () => void; database: { get: () => void }; done?: (() => void) | undefined; told(): void }
      class Thing { constructor(options: ThingOptions) {} }
      class Other { constructor(db: Database, { toolOf }: { toolOf: (id: string) => string }, run: () => void) {} }
      class Picked { constructor(options: Pick<ThingOptions, 'done' | 'log'>) {} }`;
    expect(callbacksIn([text])).toEqual([
      'Thing: done',
      'Thing: told',
      'Thing: changed',
      'Other: toolOf',
      'Other: run',
      'Picked: done',
    ]);
  });
});
