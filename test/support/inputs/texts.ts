/* Texts as clipboards and Slack hand them over. The tests of every way in read these tables. */

/** A text with invisible characters, and the text that is sent. */
export const unseenTexts: readonly { what: string; given: string; sent: string }[] = [
  { what: 'a zero-width space, from a web page', given: 'Ava\u200b Stone', sent: 'Ava Stone' },
  { what: 'a left-to-right mark, from the contacts of a phone', given: '\u200eAva Stone', sent: 'Ava Stone' },
  { what: 'a right-to-left mark', given: 'Ava Stone\u200f', sent: 'Ava Stone' },
  { what: 'an override of the direction', given: 'Ava \u202eStone\u202c', sent: 'Ava Stone' },
  { what: 'isolates of the direction', given: '\u2066Ava Stone\u2069', sent: 'Ava Stone' },
  { what: 'soft hyphens, from a PDF', given: 'A\u00adva Sto\u00adne', sent: 'Ava Stone' },
  { what: 'a byte order mark', given: '\ufeffAva Stone', sent: 'Ava Stone' },
  { what: 'a word joiner', given: 'Ava\u2060 Stone', sent: 'Ava Stone' },
  { what: 'a joiner between Latin letters', given: 'Av\u200da Stone', sent: 'Ava Stone' },
  { what: 'tags, which hide text', given: 'Ava Stone\u{e0070}\u{e0061}\u{e0079}', sent: 'Ava Stone' },
  { what: 'a variation selector', given: 'Ava\ufe0f Stone', sent: 'Ava Stone' },
  { what: 'a filler of Hangul', given: 'Ava Stone\u3164', sent: 'Ava Stone' },
  { what: 'a control character', given: 'Ava\u0007 Stone', sent: 'Ava Stone' },
  { what: 'the place of an attachment', given: 'Ava Stone\ufffc', sent: 'Ava Stone' },
];

/** Texts that stay as they are, because every character of them is seen. */
export const seenTexts: readonly { what: string; text: string }[] = [
  { what: 'a family of three emoji joined into one', text: 'Hi 👩‍👩‍👧!' },
  { what: 'an emoji with a tone and a profession', text: 'Thanks 👩🏽‍🚒' },
  { what: 'a heart shown as a picture', text: 'We ❤️ you' },
  { what: 'a key', text: 'Press 1️⃣' },
  { what: 'the flag of England, which is spelled with tags', text: 'Go 🏴󠁧󠁢󠁥󠁮󠁧󠁿' },
  { what: 'the flag of the US', text: 'Hello 🇺🇸' },
  { what: 'Persian with a joiner that keeps letters apart', text: 'می‌خواهم' },
  { what: 'Devanagari with a joiner', text: 'क्‍ष' },
  { what: 'accents and typographic quotation marks', text: '“Žluťoučký” – café…' },
];

/** Texts as Slack sends them, with the text that a person typed. */
export const slackTexts: readonly { what: string; slack: string; typed: string }[] = [
  { what: 'an emoji', slack: 'Hello :wave:', typed: 'Hello 👋' },
  { what: 'an emoji right behind a word', slack: 'Thanks:wave:', typed: 'Thanks👋' },
  { what: 'an emoji with a tone', slack: 'OK :+1::skin-tone-3:', typed: 'OK 👍🏼' },
  { what: 'a person with a tone', slack: ':woman-raising-hand::skin-tone-6:', typed: '🙋🏿‍♀️' },
  { what: 'a tone on an emoji that has none', slack: ':car::skin-tone-2:', typed: '🚗🏻' },
  { what: 'a sign that is shown as a picture', slack: 'We :heart: you', typed: 'We ❤️ you' },
  { what: 'a flag', slack: ':flag-us: :us:', typed: '🇺🇸 🇺🇸' },
  { what: 'a key', slack: 'Press :one:', typed: 'Press 1️⃣' },
  { what: 'a family', slack: ':man-woman-boy:', typed: '👨‍👩‍👦' },
  { what: 'an emoji of the workspace, which has no character', slack: 'Go :our-logo:', typed: 'Go :our-logo:' },
  { what: 'times, ratios and addresses, which are no emoji', slack: '10:100:1 aa:ab:ac', typed: '10:100:1 aa:ab:ac' },
  { what: 'an address with a code in it', slack: 'See http://a.example/:id:/x', typed: 'See http://a.example/:id:/x' },
  { what: 'a linked number', slack: 'Call <tel:18005550100|1-800-555-0100>', typed: 'Call 1-800-555-0100' },
  { what: 'a linked site', slack: 'See <http://example.com|example.com>', typed: 'See example.com' },
  {
    what: 'a linked address',
    slack: 'See <https://example.com/a?b=1&amp;c=2>',
    typed: 'See https://example.com/a?b=1&c=2',
  },
  {
    what: 'words that are a link',
    slack: '<https://example.com/a|Our offer>',
    typed: 'Our offer (https://example.com/a)',
  },
  { what: 'a linked mail address', slack: '<mailto:a@b.example|a@b.example>', typed: 'a@b.example' },
  { what: 'a person', slack: 'Ask <@U0AVA|ava>', typed: 'Ask @ava' },
  { what: 'everybody', slack: '<!here> please', typed: '@here please' },
  { what: 'a channel', slack: 'In <#C0HELP|help>', typed: 'In #help' },
  { what: 'a group', slack: '<!subteam^S01|@support> helps', typed: '@support helps' },
  { what: 'an ampersand and a comparison', slack: 'Tom &amp; Jo: 1 &lt; 2', typed: 'Tom & Jo: 1 < 2' },
  { what: 'an escape that was typed', slack: 'Write &amp;amp;', typed: 'Write &amp;' },
];
