/*
 * Tells English answers from others. The patterns that find claims of an outcome are English, so an answer in another
 * language is not checked for any.
 */

/** Frequent words of English that none of the lists below has. */
const ENGLISH = wordSet(`
  the it its this that these those there and but or with from for not of to by at if into your you her his their our
  my they she he i we be been being was were is are has have had does did can cannot could will would should may might
  must now yes no only each both all any none what which who when why how it's that's there's i've i'm you'd don't
  doesn't isn't nothing everything line number found done active cancelled customer data message limit until since
  through went out please thanks ok okay sure hello`);

/** Frequent words of other languages, and the words by which they say alone that something was done. */
const OTHERS = wordSet(`
  der die das den dem ein eine einen ist sind wurde wurden wird ich habe haben hat nicht und auf mit für von zu zum zur
  ihre ihr ihnen sie wir jetzt nun nummer leitung erledigt gemacht fertig storniert gekündigt gesperrt gesendet geparkt
  verschickt gelöscht entfernt geändert gesetzt aktiviert
  el la los las un una unos se su sus ha he han fue fueron está están ya y con por para del al lo le que número línea
  hecho listo lista cancelado cancelada enviado enviada bloqueado bloqueada eliminado eliminada actualizado realizado
  les une des du est sont été votre vos sa ses je nous vous pas et à au aux avec pour par numéro ligne c'est j'ai fait
  effectué terminé annulé résilié envoyé bloqué supprimé
  os um uma foi foram seu sua seus suas não já em com está estão da das dos feito pronto enviei cancelei
  concluído
  gli uno è sono stato stata ho hai abbiamo con della del fatto annullato inviato eseguito
  het een en niet van voor ik heb hebben werd zijn uw nu gedaan geannuleerd verzonden klaar`);

/** Letters that English words do not have. Names have them too, so a capital word with one decides nothing. */
const FOREIGN = /[\u00c0-\u024f]/;
/** Scripts other than Latin: each run of letters counts as a word. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/**
 * True if an answer is written in another language than English. Its quotations do not count, and neither do words of
 * `records`, such as names.
 */
export function isForeign(answer: string, records: readonly string[] = []): boolean {
  const named = new Set(records.flatMap(wordsOf));
  const words = wordsOf(answer.replace(/“[^”]*”|"[^"]*"|`[^`]*`/g, ' '));
  let [english, other] = [0, 0];
  for (const [at, written] of words.entries()) {
    const word = written.toLowerCase();
    const isName = at > 0 && word !== written;
    if (ENGLISH.has(word)) english += 1;
    else if (!isName && (OTHERS.has(word) || (!named.has(word) && isUnEnglish(word)))) other += 1;
  }
  return other > english;
}

function isUnEnglish(word: string): boolean {
  return OTHER_SCRIPT.test(word) || FOREIGN.test(word);
}

function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFC')
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu);
  return words ?? [];
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
