/** Maximum length of a reason, in characters. */
export const MAX_REASON = 500;

/** A person's reason as it is kept: in one line, at most `MAX_REASON` characters; undefined if it is empty. */
export function reasonText(given: string | undefined): string | undefined {
  const text = [...(given ?? '').replace(/\s+/g, ' ').trim()].slice(0, MAX_REASON).join('');
  return text === '' ? undefined : text;
}
