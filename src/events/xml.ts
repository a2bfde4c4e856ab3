import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isRecord } from '../lib/json.ts';

/* Reads the small XML documents of webhooks with `DataFormat: xml`: elements and text. */

export class XmlError extends Error {}

const MAX_DEPTH = 8;
/** Start tags, end tags, comments and CDATA sections of one document. */
const MAX_TAGS = 40_000;
const APART = /<!\[CDATA\[[\s\S]*?(\]\]>|$)|<!--[\s\S]*?(-->|$)/g;
/** Anything but the five named references and numeric ones. */
const UNKNOWN_REFERENCE = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)\S{0,12}/i;

const parser = new XMLParser({
  processEntities: { enabled: true, maxExpandedLength: Number.MAX_SAFE_INTEGER },
  htmlEntities: true,
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (name) => name === 'Item',
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
  try {
    const checked = XMLValidator.validate(source);
    if (checked !== true) throw new XmlError(checked.err.msg);
    const plain = source.replace(APART, '');
    if (/<!/.test(plain)) throw new XmlError('document types and entities are not accepted');
    const [reference] = UNKNOWN_REFERENCE.exec(plain) ?? [];
    if (reference !== undefined) throw new XmlError(`${reference} is no known entity`);
    const document: unknown = parser.parse(source);
    const [[root, value] = ['', ''], ...others] = Object.entries(document ?? {}).filter(([name]) => name !== '#text');
    if (root === '' || others.length > 0 || Array.isArray(value))
      throw new XmlError('there is not exactly one outermost element');
    return { root, value: contentOf(value, 1) };
  } catch (error) {
    throw error instanceof XmlError ? error : new XmlError((error as Error).message);
  }
}

/** The content without the white space between elements. */
function contentOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new XmlError(`more than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((one) => contentOf(one, depth));
  if (!isRecord(value)) return value;
  const { '#text': text = '', ...fields } = value;
  if (String(text).trim() !== '') throw new XmlError('an element mixes text and elements');
  const members = Object.entries(fields).map(([name, one]) => [name, contentOf(one, depth + 1)]);
  return members.length === 1 && members[0]?.[0] === 'Item' ? members[0][1] : Object.fromEntries(members);
}
