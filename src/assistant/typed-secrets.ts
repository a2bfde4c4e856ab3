const REMOVED = '[secret removed]';

/** Words before a secret, and the value after them. The value is the last group. */
const NAMED: readonly RegExp[] = [
  /\b((?:port[\s-]?out\s+|voicemail\s+|account\s+)?(?:pin|passcode|pass\s?code|puk|otp)\b(?:\s+(?:code|number))?\s*(?:is|was|are|=|:|#|to)?\s*["'“]?)(\d[\d -]{2,14}\d)\b/gi,
  /\b((?:password|passwd|passphrase|pwd|secret|token|api[\s_-]?key|auth[\s_-]?code|client[\s_-]?secret)\b\s*(?:is|was|=|:)\s*["'“]?)([^\s"'”,;]{4,})/gi,
  // Without "is", only a value that no word looks like.
  /\b((?:password|passwd|pwd|secret|token|api[\s_-]?key|auth[\s_-]?code)\s+["'“]?)((?=[^\s]*\d)(?=[^\s]*[a-z!@#$%^&*_])[^\s"'”,;]{6,})/gi,
  /\b((?:bearer|basic)\s+)([\w.~+/=-]{12,})/gi,
];
/** Values that are secrets by their form. */
const SHAPED: readonly RegExp[] = [
  /\bxox[a-z]-[\w-]{8,}/g,
  /\bxapp-[\w-]{8,}/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\bgh[a-z]_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bAKIA[0-9A-Z]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bLPA:1\$\S+/gi,
  // Ids of the platform have hyphens, and numbers have no letters.
  /\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{32,}\b/g,
  /\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{32,}\b/gi,
];

/** A text without the secrets that a person typed into it, and whether there were any. */
export function withoutTypedSecrets(text: string): { text: string; found: boolean } {
  let kept = text;
  for (const pattern of SHAPED) kept = kept.replace(pattern, REMOVED);
  for (const pattern of NAMED) kept = kept.replace(pattern, (_whole, before: string) => `${before}${REMOVED}`);
  return { text: kept, found: kept !== text };
}
