// Renders Slack's mrkdwn as HTML. All input is escaped, so the output contains only tags that are written here.

import { dateFormat } from '../../lib/clock.ts';

export interface Reader {
  /** IANA time zone of the reader. */
  tz: string;
  now: number;
  userName(id: string): string | undefined;
  channelName(id: string): string | undefined;
  groupName(id: string): string | undefined;
}

export const plainReader: Reader = {
  tz: 'UTC',
  now: 0,
  userName: () => undefined,
  channelName: () => undefined,
  groupName: () => undefined,
};

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Escapes the three characters that have a meaning in Slack's markup. */
export function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Decodes Slack's three entities. */
export function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const EMOJI: Record<string, string> = {
  white_check_mark: '✅',
  heavy_check_mark: '✔️',
  x: '❌',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  warning: '⚠️',
  rotating_light: '🚨',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  information_source: 'ℹ️',
  question: '❓',
  lock: '🔒',
  unlock: '🔓',
  bell: '🔔',
  phone: '☎️',
  telephone_receiver: '📞',
  iphone: '📱',
  calling: '📲',
  speech_balloon: '💬',
  envelope: '✉️',
  incoming_envelope: '📨',
  mag: '🔍',
  gear: '⚙️',
  tada: '🎉',
  wave: '👋',
  eyes: '👀',
  moneybag: '💰',
  credit_card: '💳',
  red_circle: '🔴',
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  large_orange_circle: '🟠',
  large_blue_circle: '🔵',
  white_circle: '⚪',
  black_circle: '⚫',
  arrow_right: '➡️',
  arrows_counterclockwise: '🔄',
  clock1: '🕐',
  pencil: '📝',
  memo: '📝',
  bar_chart: '📊',
  chart_with_upwards_trend: '📈',
  satellite_antenna: '📡',
  signal_strength: '📶',
  globe_with_meridians: '🌐',
  robot_face: '🤖',
  zap: '⚡',
  key: '🔑',
  link: '🔗',
  package: '📦',
  wastebasket: '🗑️',
  skull: '💀',
  bulb: '💡',
  '+1': '👍',
  '-1': '👎',
};

export function emoji(escaped: string): string {
  return escaped.replace(
    /:([a-z0-9_+-]+):/g,
    (whole, name: string) => (Object.hasOwn(EMOJI, name) ? EMOJI[name] : undefined) ?? whole,
  );
}

const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const DATE_STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

function datePart(name: string, at: number, reader: Reader): string {
  const { tz, now } = reader;
  const day = (ms: number) => dateFormat('en-CA', { timeZone: tz }).format(ms);
  if (name === 'date_num') return day(at);
  if (name === 'ago') {
    const minutes = Math.round((at - now) / 60_000);
    if (Math.abs(minutes) < 60) return AGO.format(minutes, 'minute');
    if (Math.abs(minutes) < 1440) return AGO.format(Math.round(minutes / 60), 'hour');
    return AGO.format(Math.round(minutes / 1440), 'day');
  }
  if (name.endsWith('_pretty')) {
    for (const [shift, word] of [
      [0, 'Today'],
      [-1, 'Yesterday'],
      [1, 'Tomorrow'],
    ] as const) {
      if (day(at) === day(now + shift * 86_400_000)) return word;
    }
  }
  const known = name.replace('_pretty', '');
  const style = Object.hasOwn(DATE_STYLES, known) ? DATE_STYLES[known] : undefined;
  return style ? dateFormat('en-US', { timeZone: tz, ...style }).format(at) : `{${name}}`;
}

function link(url: string, label: string): string {
  const safe = /^(https?:|mailto:|tel:)/i.test(url);
  if (!safe) return escapeHtml(label);
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${escapeHtml(label)}</a>`;
}

/** Renders the text between `<` and `>`. */
function reference(body: string, reader: Reader): string {
  const [head = '', ...rest] = body.split('|');
  const label = rest.length > 0 ? decoded(rest.join('|')) : undefined;
  const mention = (text: string) => `<span class="mention">${escapeHtml(text)}</span>`;
  if (head.startsWith('@')) return mention(`@${reader.userName(head.slice(1)) ?? label ?? head.slice(1)}`);
  if (head.startsWith('#')) return mention(`#${reader.channelName(head.slice(1)) ?? label ?? head.slice(1)}`);
  if (head.startsWith('!subteam^')) {
    const id = head.slice('!subteam^'.length);
    return mention(`@${reader.groupName(id) ?? (label ?? id).replace(/^@/, '')}`);
  }
  if (head.startsWith('!date^')) {
    const [, seconds = '', format = '', url] = head.split('^');
    const at = Number(seconds) * 1000;
    if (!Number.isFinite(at) || seconds === '') return escapeHtml(label ?? '');
    const shown = decoded(format).replace(/\{(\w+)\}/g, (_, name: string) => datePart(name, at, reader));
    const title = escapeHtml(new Date(at).toISOString());
    return url ? link(decoded(url), shown) : `<time title="${title}">${escapeHtml(shown)}</time>`;
  }
  if (head.startsWith('!')) return `<span class="mention loud">@${escapeHtml(label ?? head.slice(1))}</span>`;
  return link(decoded(head), label ?? decoded(head).replace(/^(mailto|tel):/, ''));
}

/** Characters that need converting or escaping. Most texts have none of them and are returned unchanged. */
const MARKED = /[`*_~:<>&"'\uE000\uE001]/;

/** Renders bold, italic, strike, emoji and references of one run of text. */
function inline(text: string, reader: Reader): string {
  if (!MARKED.test(text)) return text;
  const kept: string[] = [];
  const keep = (html: string) => `\uE000${kept.push(html) - 1}\uE001`;
  const clean = text.replace(/[\uE000\uE001]/g, '');
  const marked = clean
    .replace(/`([^`\n]+)`/g, (_, code: string) => {
      const shown = code.replace(/<([^<>\n]+)>/g, (_w, body: string) => decoded(body.split('|').at(-1) ?? ''));
      return keep(`<code>${escapeHtml(decoded(shown))}</code>`);
    })
    .replace(/<([^<>\n]+)>/g, (_, body: string) => keep(reference(body, reader)));
  const safe = emoji(escapeHtml(decoded(marked)));
  const styled = withTag(withTag(withTag(safe, '*', 'b'), '_', 'i'), '~', 's');
  return styled.replace(/\uE000(\d+)\uE001/g, (_, i: string) => kept[Number(i)] ?? '');
}

/** Characters that may precede the mark that opens a style. */
const BEFORE_STYLE = /[\s([{"'.,:;!?*_~—–-]/;

/**
 * Converts `*text*` within one line to a tag. The opening mark is at the start or after a space or punctuation, and
 * neither mark has a space on its inner side. The text is read once: if an opening mark has no closing mark in its
 * line, no later mark in that line has one either.
 */
function withTag(html: string, mark: string, tag: string): string {
  let out = '';
  let done = 0;
  let at = html.indexOf(mark);
  while (at >= 0) {
    // The preceding character must not be the mark that closed the previous style.
    const opens = at === 0 || (at > done && BEFORE_STYLE.test(html.charAt(at - 1)));
    const end = opens && isInk(html, at + 1) ? closingMark(html, at + 2, mark) : undefined;
    if (end !== undefined && end >= 0) {
      out += `${html.slice(done, at)}<${tag}>${html.slice(at + 1, end)}</${tag}>`;
      done = end + 1;
      at = html.indexOf(mark, done);
      continue;
    }
    // -1 means that no mark closes in this line.
    const line = end === -1 ? html.indexOf('\n', at) : at;
    at = line < 0 ? -1 : html.indexOf(mark, line + 1);
  }
  return out + html.slice(done);
}

function closingMark(html: string, from: number, mark: string): number {
  for (let at = from; at < html.length; at += 1) {
    const char = html.charAt(at);
    if (char === '\n') return -1;
    if (char === mark && isInk(html, at - 1) && !/\w/.test(html.charAt(at + 1))) return at;
  }
  return -1;
}

function isInk(html: string, at: number): boolean {
  return at < html.length && !/\s/.test(html.charAt(at));
}

export function renderMrkdwn(text: string, reader: Reader = plainReader): string {
  const pieces = text.split(/```\n?/);
  return pieces
    .map((piece, i) => {
      const code = i % 2 === 1 && i < pieces.length - 1;
      if (code) {
        const shown = piece.replace(/<([^<>\n]+)>/g, (_, body: string) => body.split('|').at(-1) ?? '');
        return `<pre>${escapeHtml(decoded(shown).replace(/\n$/, ''))}</pre>`;
      }
      return quotes(piece, reader);
    })
    .join('');
}

function quotes(text: string, reader: Reader): string {
  const out: string[] = [];
  let quoted: string[] = [];
  const flush = () => {
    if (quoted.length > 0) out.push(`<blockquote>${quoted.join('<br>')}</blockquote>`);
    quoted = [];
  };
  const lines = text.replace(/\n$/, '').split('\n');
  lines.forEach((line, i) => {
    const quote = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quote) {
      quoted.push(inline(quote[1] ?? '', reader));
      return;
    }
    flush();
    out.push(inline(line, reader) + (i < lines.length - 1 ? '<br>' : ''));
  });
  flush();
  return out.join('');
}

/** Renders plain_text: escapes it and replaces emoji names, but converts no markup. */
export function renderPlain(text: string): string {
  return emoji(escapeHtml(text)).replaceAll('\n', '<br>');
}
