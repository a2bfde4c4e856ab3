/* A strict reader of the small XML documents of webhooks with `DataFormat: xml`: elements and text. */

export class XmlError extends Error {}

export interface XmlDocument {
  /** The name of the outermost element. */
  root: string;
  value: unknown;
}

const MAX_DEPTH = 8;
const MAX_ELEMENTS = 20_000;
const NAME = /[A-Za-z_][\w.-]{0,127}/y;
/** This is a Map because `&constructor;` must find nothing. */
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
 * Reads a whole document. It refuses document types, entity declarations, more than eight levels, truncated documents
 * and content after the end. Attributes are skipped. An element with child elements becomes an object, and `Item`s
 * become a list.
 *
 * It is written by hand because a general XML library does much more than these deliveries need, and would have to be
 * restricted to be safe.
 *
 * @throws XmlError
 */
export function readXml(source: string): XmlDocument {
  return new XmlReader(source).document();
}

class XmlReader {
  readonly #source: string;
  #at = 0;
  #elements = 0;

  constructor(source: string) {
    this.#source = source;
  }

  document(): XmlDocument {
    this.#misc();
    if (this.#char() !== '<') this.#fail('this is not XML');
    const { element, isClosed } = this.#startTag();
    if (!isClosed) this.#content(element);
    this.#misc();
    if (this.#at < this.#source.length) this.#fail('something follows the end of the document');
    return { root: element.name, value: this.#valueOf(element) };
  }

  /** Reads up to the end tag of the outermost element. */
  #content(root: Element): void {
    const stack: Element[] = [root];
    for (let element = stack.at(-1); element !== undefined; element = stack.at(-1)) {
      element.text += this.#text(element);
      if (this.#skipIf('<![CDATA[')) {
        element.text += this.#past(']]>');
      } else if (this.#skipIf('</')) {
        this.#endTag(element);
        stack.pop();
        stack.at(-1)?.children.push([element.name, this.#valueOf(element)]);
      } else if (!this.#skipMarkup()) {
        const { element: child, isClosed } = this.#startTag();
        if (isClosed) element.children.push([child.name, '']);
        else if (stack.push(child) > MAX_DEPTH) this.#fail(`more than ${MAX_DEPTH} levels`);
      }
    }
  }

  #text(element: Element): string {
    const next = this.#source.indexOf('<', this.#at);
    if (next < 0) return this.#fail(`<${element.name}> is not closed`);
    const text = decode(this.#source.slice(this.#at, next), (why) => this.#fail(why));
    this.#at = next;
    return text;
  }

  #startTag(): { element: Element; isClosed: boolean } {
    this.#at += 1;
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) this.#fail(`more than ${MAX_ELEMENTS} elements`);
    const element: Element = { name: this.#name(), text: '', children: [] };
    return { element, isClosed: this.#attributes() };
  }

  /** Reads the rest of a start tag. Returns true if the tag also closes the element. */
  #attributes(): boolean {
    for (;;) {
      this.#space();
      if (this.#skipIf('/>')) return true;
      if (this.#skipIf('>')) return false;
      this.#attribute();
    }
  }

  #attribute(): void {
    this.#name('a start tag is not complete');
    if (this.#skipIf(':')) this.#name();
    this.#space();
    if (!this.#skipIf('=')) this.#fail('an attribute has no value');
    this.#space();
    const quote = this.#char();
    if (quote !== '"' && quote !== "'") this.#fail('an attribute has no quotes');
    this.#at += 1;
    if (this.#past(quote).includes('<')) this.#fail('an attribute is not closed');
  }

  #endTag(element: Element): void {
    if (this.#name() !== element.name) this.#fail(`<${element.name}> is closed by another name`);
    this.#space();
    if (!this.#skipIf('>')) this.#fail('an end tag is not complete');
  }

  /** Skips space, comments and processing instructions around the outermost element. */
  #misc(): void {
    do this.#space();
    while (this.#skipMarkup());
  }

  /** Skips a comment or a processing instruction. Returns false if there is none. */
  #skipMarkup(): boolean {
    if (this.#skipIf('<!--')) {
      this.#past('-->');
      return true;
    }
    if (this.#skipIf('<?')) {
      this.#past('?>');
      return true;
    }
    if (/^<!(DOCTYPE|ENTITY)/i.test(this.#source.slice(this.#at, this.#at + 9)))
      this.#fail('document types and entities are not accepted');
    return false;
  }

  #skipIf(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #space(): void {
    while (this.#at < this.#source.length && ' \t\r\n'.includes(this.#char())) this.#at += 1;
  }

  #name(problem = 'an element has no readable name'): string {
    NAME.lastIndex = this.#at;
    const name = NAME.exec(this.#source)?.[0];
    if (name === undefined) return this.#fail(problem);
    this.#at += name.length;
    return name;
  }

  /** Returns the text up to `end` and moves behind it. */
  #past(end: string): string {
    const stop = this.#source.indexOf(end, this.#at);
    if (stop < 0) return this.#fail(`the document ends before ${end}`);
    const text = this.#source.slice(this.#at, stop);
    this.#at = stop + end.length;
    return text;
  }

  #char(): string {
    return this.#source.charAt(this.#at);
  }

  #valueOf(element: Element): unknown {
    return contentOf(element, (why) => this.#fail(why));
  }

  #fail(why: string): never {
    throw new XmlError(`${why} (at character ${this.#at})`);
  }
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
