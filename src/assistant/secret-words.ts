/*
 * The words around a secret that a person types, in the languages that people write to a support tool. A secret is found
 * by its place beside them, so a missing word shows a secret to the model, and one too many only hides a word.
 */

/** Names of secrets that are whole words: "PIN", "pass". */
const WHOLE = [
  ...[
    'pins?',
    'p\\.i\\.n\\.',
    'nip',
    'puk',
    't?otp(?:[\\s_-]?codes?)?',
    'cvv',
    'cvc',
    'ssn',
    'pass(?=\\s*[:=]|\\s+is\\b|\\s+(?=\\S*\\d)(?=\\S*\\p{L})\\S+)',
    'pw',
    'p/w',
    'pwd',
    'pwds',
    'mdp',
  ],
  ...[
    'passwd',
    'pass\\s?codes?',
    'pass\\s?phrases?',
    'pass\\s?keys?',
    'pass\\s?words?',
    'secrets?',
    'tokens?',
    'credentials?',
    'creds',
  ],
  ...['api[\\s_-]?keys?', '(?:private|secret|access|account|master|security|encryption)[\\s_-]?keys?', 'bearer'],
  '(?:auth|authori[sz]ation|authentication|security|access|verification|confirmation|secret|transfer|port(?:ing)?|port[\\s-]?out|login|log[\\s-]?in|sign[\\s-]?in|one[\\s-]?time|2fa|mfa|sms|unlock|unlocking|activation|recovery|backup|voicemail|reset|pin)[\\s_-]?codes?',
  ...[
    'client[\\s_-]?secrets?',
    'account[\\s_-]?secrets?',
    'logins?',
    'log[\\s-]?in details',
    'maiden name',
    '(?:security|secret) answers?',
  ],
  ...[
    'codigo de seguridad',
    'código de (?:seguridad|acceso|verificación)',
    "code (?:secret|de sécurité|d[’']accès|confidentiel|rio)",
  ],
  ...['clave', 'claves', 'senha', 'senhas', 'heslo', 'hesla', 'jelszó', 'hasło', 'hasła', 'hasłem', 'sandi', 'rio'],
  ...['geheimzahl', 'geheimcode', 'geheimnis', 'pincode', 'pinkod', 'pin[\\s-]?codes?', 'tunnusluku', 'codice segreto'],
];
/** Names of secrets that are found inside longer words too: "Kundenkennwort", "пароля". */
const STEMS = [
  ...[
    'password',
    'passwort',
    'kennwort',
    'losungswort',
    'zugangscode',
    'wachtwoord',
    'toegangscode',
    'lösenord',
    'losenord',
  ],
  ...['adgangskode', 'kodeord', 'passord', 'salasana', 'contraseña', 'contrasena', 'contrasenya', 'palavra-passe'],
  ...[
    'mots? de passe',
    "parole? d[’']ordine",
    'parol[aăe]',
    'şifre',
    'sifre',
    'lozink',
    'geslo',
    'slaptažod',
    'parool',
  ],
  ...['парол', 'пин-?код', '(?<!\\p{L})пин(?!\\p{L})', 'κωδικ', 'kata laluan', 'mật khẩu', 'mat khau'],
  ...['كلمة (?:المرور|السر)', 'الرقم السري', 'رمز المرور', 'رمز عبور', 'סיסמה', 'סיסמא', 'पासवर्ड', 'পাসওয়ার্ড'],
];
/** Names of secrets in scripts that put no spaces between words. */
const UNSPACED = [
  ...[
    '密码',
    '密碼',
    '口令',
    '暗証番号',
    'パスワード',
    'パスコード',
    'ピン番号',
    '暗号',
    '비밀번호',
    '암호',
    '비번',
    'รหัสผ่าน',
  ],
];

/** A name of a secret, with the possessive or the noun behind it. */
export const LABEL = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${WHOLE.join('|')})(?![\\p{L}\\p{N}])|[\\p{L}-]{0,24}(?:${STEMS.join('|')})[\\p{L}\\p{M}]*|${UNSPACED.join('|')})`,
  'giu',
);
/** A name of several secrets, whose list may go on behind "and". */
export const PLURAL = /(?:s|creds|wörter)$/i;

const list = (words: string) => new Set(words.split(/\s+/));

/** Words after which the secret follows: "is", "to". */
export const CONNECTORS = list(
  `use using enter take try nutze nimm usa utilise utilisez is are was were be being been become becomes equals equal to as from into now reads says
  ist sei war lautet lautete heißt heisst auf als zu zum von wird
  est sera était etait soit à comme par es era sera será sea a como por é era seja para è era sarà sia come
  is wordt naar als är blir till som er bliver blev til jest brzmi na je bude este olsun olarak
  это есть будет на с является це είναι là ialah adalah هو هي היא הוא
  是 为 為 设为 設為 改成 改为 改為 は を に が 는 은 이 가 를 을 로 คือ है`,
);
/** Words between the name and the secret that are not the secret. */
export const FILLERS = list(
  `the a an my our your his her its their this that these those new old current present same following temporary
  account port-out portout voicemail customer carrier carrier's porting should must will would can could may shall has have had get gets given set changed going please code number word
  der die das den dem ein eine einen mein meine dein unser unsere neue neues neuen alte altes alten soll sollte bitte
  le la les l' un une mon ma notre nouveau nouvelle ancien doit el los las mi nuestro nuestra nuevo nueva debe
  il lo mio nuovo o os meu minha novo nova de van het een mijn nieuwe mitt nytt nya min ny moje nowe мой новый мій
  just simply only exactly currently here it's thats that's`,
);
/** Words behind a name that say how the secret is, or what happens with it. */
export const STATES = list(
  `not no never none n't without what which who why how when where whether if wrong incorrect correct right ok okay fine
  good bad weak strong safe missing required needed necessary invalid valid unknown known expired rejected refused denied
  accepted declined locked blocked disabled enabled reset resets changed lost forgotten stolen leaked shared empty blank
  optional mandatory different ready there here available unavailable working broken secret protected stored saved sent
  shown hidden visible supposed allowed longer shorter something anything nothing unclear doing used useful asked
  port cancel transfer move unlock use enter confirm log sign get change set do make access activate release approve
  continue be call send show see find check know give tell reply swap add remove keep avoid work go
  falsch richtig korrekt ungültig abgelaufen nötig erforderlich unbekannt nicht kein keine gesperrt vergessen
  incorrecta incorrecto correcta correcto necesaria necesario válida inválida faux fausse incorrect nécessaire pas
  field fields policy reset resets question questions holder request requests protection prompt form manager type types
  lock length rule rules error errors problem problems issue issues update updates change changes recovery limit limits`,
);
/** Words that begin another part of the sentence. */
export const BREAKS = list(
  `and or but then than so because for on in at of by with while until since unless after before if when please thanks thank
  they he she we i you it und oder aber dann denn für bei mit damit bitte danke et ou mais puis pour avec merci y o pero
  entonces con gracias e ma poi per grazie и или но для en maar voor met och men för com mas obrigado lub ale dla ve için`,
);
/** Words before the last digits or the number of a line, an order or an account, which is no secret. */
export const REFERENCES = list(
  `for on off line lines number numbers ending ends sim iccid imei order orders account ticket case port-in subscriber extension
  für auf leitung nummer linie kunde línea número numero ligne numéro linha linea voor nummer lijn dla na för`,
);
/** Words right before a name that is followed by its secret alone: "with password swordfish". */
export const GIVING = list('use using with enter try mit nutze avec con com med met używając с через');
/** "of". */
export const OF = list('of von vom de del di van af av od z от за');
/** Words that make "the PIN of 0101" the PIN of a line, where "a PIN of 4821" is a PIN. */
export const DEFINITE = list("the his her their my our its this that der die das den dem le la el il o de het 's");
/** Units behind an amount. */
export const UNITS =
  /^(?:mb|gb|kb|kbps|mbps|usd|eur|dollars?|cents?|days?|hours?|minutes?|seconds?|weeks?|months?|years?|lines?|numbers?|digits?|characters?|attempts?|times?|tries|sims?|stellen|ziffern|tage?n?|stunden?|%)$/i;
