/* How much of a message is read. What is not read is said, because a list that was cut would look like the whole one. */

/** Characters of a message that a model reads: as many as Slack's composer takes. */
export const READ_BY_MODEL = 12_000;
/** Characters of a message that the catalogue reads. */
export const READ_BY_CATALOGUE = 2_000;

/** The part of a message that is read, which ends with a whole word. `notice` says how much it is, if it is not all. */
export function readPart(text: string, most: number): { text: string; notice?: string } {
  if (text.length <= most) return { text };
  const part =
    text
      .slice(0, most + 1)
      .replace(/\S+$/, '')
      .trim() || text.slice(0, most);
  const notice = `Only the first ${part.length} of the ${text.length} characters of this message were read. Give a long list as a batch.`;
  return { text: part, notice };
}
