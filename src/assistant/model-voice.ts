/** Characters of a line that tell whether it imitates the product. */
const HEAD = 40;
/** The product's own lines about effects. */
const OWN =
  /^[\s>*_#-]*(?:[✅☑✔❓🔐🔒❌⛔⏹⚠]\uFE0F?|:[a-z_]{1,40}:)?[\s*_]*(?:done|partly done|outcome unknown|withdrawn|declined|expired|confirmed by|approved by|waits for (?:an approver|a person|a yes)|nothing was (?:changed|done|sent))\s*[:.]/iu;
const SAYS = 'The model writes: ';

/** Writes a line of a model that looks like the product's own about an effect as the model's. */
export class ModelVoice {
  #line = '';
  #isKnown = false;

  /** The part of the text that can be shown now. */
  push(delta: string): string {
    let shown = '';
    for (const piece of delta.split(/(?<=\n)/)) {
      if (this.#isKnown) shown += piece;
      else {
        this.#line += piece;
        if (this.#line.length >= HEAD || this.#line.endsWith('\n')) shown += this.#decide();
      }
      if (piece.endsWith('\n')) this.#isKnown = false;
    }
    return shown;
  }

  /** The rest. */
  flush(): string {
    const rest = this.#decide();
    this.#isKnown = false;
    return rest;
  }

  #decide(): string {
    const line = this.#line;
    this.#line = '';
    this.#isKnown = true;
    return OWN.test(line) ? `${SAYS}${line}` : line;
  }
}
