/** A strict reader of the small XML that webhooks with `DataFormat: xml` carry: elements and text, nothing clever. */

export class XmlError extends Error {}

export interface XmlDocument {
  /** The name of the outermost element. */
  root: string;
  value: unknown;
}

const MAX_DEPTH = 8;
const MAX_ELEMENTS = 20_000;
const NAME = /[A-Za-z_][\w.-]{0,127}/y;
/** A Map: `&constructor;` must find nothing. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

interface Element {
  name: string;
  text: string;
  children: [string, unknown][];
}

/**
 * Reads a whole document. Refused: document types and entity declarations, more than eight levels, anything cut off,
 * anything after the end. Attributes are skipped; an element with elements inside becomes an object, `Item`s a list.
 */
export function readXml(source: string): XmlDocument {
  let at = 0;
  let elements = 0;
  const fail = (why: string): never => {
    throw new XmlError(`${why} (at character ${at})`);
  };
  const past = (end: string): string => {
    const stop = source.indexOf(end, at);
    if (stop < 0) return fail(`the document ends before ${end}`);
    const text = source.slice(at, stop);
    at = stop + end.length;
    return text;
  };
  const space = () => {
    while (at < source.length && ' \t\r\n'.includes(source.charAt(at))) at += 1;
  };
  const name = (): string => {
    NAME.lastIndex = at;
    const found = NAME.exec(source)?.[0];
    if (found === undefined) return fail('an element has no readable name');
    at += found.length;
    return found;
  };
  /** Comments and processing instructions; true when there was one. */
  const skip = (): boolean => {
    if (source.startsWith('<!--', at)) {
      at += 4;
      past('-->');
      return true;
    }
    if (source.startsWith('<?', at)) {
      at += 2;
      past('?>');
      return true;
    }
    if (/^<!(DOCTYPE|ENTITY)/i.test(source.slice(at, at + 9))) fail('document types and entities are not accepted');
    return false;
  };
  /** The rest of a start tag; true when the element is already closed. */
  const attributes = (): boolean => {
    for (;;) {
      space();
      if (source.startsWith('/>', at)) {
        at += 2;
        return true;
      }
      if (source.charAt(at) === '>') {
        at += 1;
        return false;
      }
      NAME.lastIndex = at;
      if (!NAME.test(source)) fail('a start tag is not complete');
      at = NAME.lastIndex;
      if (source.charAt(at) === ':') {
        at += 1;
        name();
      }
      space();
      if (source.charAt(at) !== '=') fail('an attribute has no value');
      at += 1;
      space();
      const quote = source.charAt(at);
      if (quote !== '"' && quote !== "'") fail('an attribute has no quotes');
      at += 1;
      if (past(quote).includes('<')) fail('an attribute is not closed');
    }
  };
  const open = (): { element: Element; closed: boolean } => {
    at += 1;
    elements += 1;
    if (elements > MAX_ELEMENTS) fail(`more than ${MAX_ELEMENTS} elements`);
    const element: Element = { name: name(), text: '', children: [] };
    return { element, closed: attributes() };
  };

  const prologue = () => {
    for (;;) {
      space();
      if (!skip()) return;
    }
  };
  prologue();
  if (source.charAt(at) !== '<') fail('this is not XML');
  const first = open();
  const stack: Element[] = first.closed ? [] : [first.element];
  while (stack.length > 0) {
    const element = stack[stack.length - 1] as Element;
    const next = source.indexOf('<', at);
    if (next < 0) fail(`<${element.name}> is not closed`);
    element.text += decode(source.slice(at, next), fail);
    at = next;
    if (source.startsWith('<![CDATA[', at)) {
      at += 9;
      element.text += past(']]>');
    } else if (source.startsWith('</', at)) {
      at += 2;
      if (name() !== element.name) fail(`<${element.name}> is closed by another name`);
      space();
      if (source.charAt(at) !== '>') fail('an end tag is not complete');
      at += 1;
      stack.pop();
      stack[stack.length - 1]?.children.push([element.name, contentOf(element, fail)]);
    } else if (!skip()) {
      const { element: child, closed } = open();
      if (closed) element.children.push([child.name, '']);
      else {
        stack.push(child);
        if (stack.length > MAX_DEPTH) fail(`more than ${MAX_DEPTH} levels`);
      }
    }
  }
  prologue();
  if (at < source.length) fail('something follows the end of the document');
  return { root: first.element.name, value: contentOf(first.element, fail) };
}

function decode(text: string, fail: (why: string) => never): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&\s]{0,12};?)/g, (_, body: string) => {
    const named = ENTITIES.get(body.slice(0, -1));
    if (named !== undefined && body.endsWith(';')) return named;
    const digits = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));$/.exec(body);
    const code = digits ? Number.parseInt(digits[1] ?? digits[2] ?? '', digits[1] === undefined ? 10 : 16) : -1;
    if (code <= 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return fail('an entity is not known');
    return String.fromCodePoint(code);
  });
}

function contentOf(element: Element, fail: (why: string) => never): unknown {
  if (element.children.length === 0) return element.text;
  if (element.text.trim() !== '') return fail(`<${element.name}> mixes text and elements`);
  if (element.children.every(([name]) => name === 'Item')) return element.children.map(([, value]) => value);
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of element.children) {
    const same = fields.get(name);
    if (same) same.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
