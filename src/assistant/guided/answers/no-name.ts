/* Questions of which lines have no caller name. */

const NO_NAME =
  /\b(?:caller[\s-]*(?:id|name)(?:\s+name)?|cnam|display\s+name)s?\b[^.;!?]*\b(?:blank|empty|missing|unset|not\s+set|none)\b|\b(?:no|without(?:\s+an?)?|missing|blank|empty)\s+(?:caller[\s-]*(?:id|name)(?:\s+name)?|cnam|display\s+name)s?\b/iu;
const ASKS_WHICH =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|can|could|you|show|list|give|find|get|me|us|all|the|our)[\s,]+)*(?:which|who(?:['’]?s)?|what|any(?:one|body)?|lines|numbers|customers|people|how\s+many|is\s+there|are\s+there|do\s+(?:we|any)|caller)\b/iu;

/** True for a question of which lines have no caller name. */
export function asksWhoHasNoName(said: string): boolean {
  return (ASKS_WHICH.test(said) || /\bon\s+which\b/i.test(said)) && NO_NAME.test(said) && !/\b\d{4}\b/.test(said);
}

/** The same question in words that are not read as a name: "who has caller name blank" has no name “blank”. */
export function withoutBlank(said: string): string {
  return asksWhoHasNoName(said)
    ? said
        .replace(/(?<![\p{L}])(?:is\s+|are\s+|left\s+)?(?:blank|empty|missing|unset|not\s+set|none)\b/giu, ' ')
        .replace(/\b(caller[\s-]*(?:id|name)|cnam|display\s+name)/iu, 'no $1')
        .replace(/\bno\s+no\b|\bwithout\s+(?:an?\s+)?no\b/giu, 'no')
    : said;
}
