import { XMLParser, XMLValidator } from 'fast-xml-parser';

/* Reads the small XML documents of webhooks with `DataFormat: xml`: elements and text. */

export class XmlError extends Error {}

const MAX_DEPTH = 8;
/** Start tags, end tags, comments and CDATA sections of one document. */
const MAX_TAGS = 40_000;
/** A Map, because `&constructor;` must find nothing. */
const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }));

/** An element, a text or a CDATA section, as the parser returns it: `{ name: children }`. */
type Node = Record<string, Node[] | string>;

const parser = new XMLParser({
  preserveOrder: true,
  processEntities: false,
  parseTagValue: false,
  trimValues: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * Reads a whole document. Attributes are skipped. An element with child elements becomes an object, and `Item`s become
 * a list. Document types, unknown entities, more than eight levels and truncated documents are refused.
 *
 * @returns the name of the outermost element, and its value
 * @throws XmlError
 */
export function readXml(source: string): { root: string; value: unknown } {
  if (source.split('<', MAX_TAGS + 1).length > MAX_TAGS) throw new XmlError(`more than ${MAX_TAGS} tags`);
  const roots = parsed(source).filter((node) => !('#text' in node));
  const [root = ''] = Object.keys(roots[0] ?? {});
  if (roots.length !== 1) throw new XmlError('there is not exactly one outermost element');
  return { root, value: contentOf(root, roots[0]?.[root] as Node[], 1) };
}

function parsed(source: string): Node[] {
  try {
    const checked = XMLValidator.validate(source);
    if (checked !== true) throw new XmlError(checked.err.msg);
    // An open section ends with the text: a pattern that looks on for its end would read the rest again for each one.
    if (/<!/.test(source.replace(/<!\[CDATA\[[\s\S]*?(\]\]>|$)|<!--[\s\S]*?(-->|$)/g, '')))
      throw new XmlError('document types and entities are not accepted');
    return parser.parse(source);
  } catch (error) {
    throw error instanceof XmlError ? error : new XmlError((error as Error).message);
  }
}

function contentOf(name: string, children: readonly Node[], depth: number): unknown {
  if (depth > MAX_DEPTH) throw new XmlError(`more than ${MAX_DEPTH} levels`);
  let text = '';
  const fields = new Map<string, unknown[]>();
  for (const child of children) {
    const [member = '', content = ''] = Object.entries(child)[0] ?? [];
    if (member === '#text') text += decoded(String(content));
    else if (member === '#cdata') text += (content as Node[]).map((part) => part['#text']).join('');
    else {
      const value = contentOf(member, content as Node[], depth + 1);
      const same = fields.get(member);
      if (same) same.push(value);
      else fields.set(member, [value]);
    }
  }
  if (fields.size === 0) return text;
  if (text.trim() !== '') throw new XmlError(`<${name}> mixes text and elements`);
  const items = fields.get('Item');
  if (items && fields.size === 1) return items;
  return Object.fromEntries([...fields].map(([member, values]) => [member, values.length === 1 ? values[0] : values]));
}

/** The text with the five named and the numeric references replaced. */
function decoded(text: string): string {
  return text.replace(/&([^;&\s]{0,12});?/g, (reference, name: string) => {
    const code = /^#(x[\da-f]{1,6}|\d{1,7})$/i.test(name) ? Number(name.slice(1).replace(/^x/i, '0x')) : -1;
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    const found = isCharacter ? String.fromCodePoint(code) : ENTITIES.get(name);
    if (found === undefined || !reference.endsWith(';')) throw new XmlError(`${reference} is no known entity`);
    return found;
  });
}
