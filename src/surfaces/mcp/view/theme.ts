// The look of the host: its colours, its fonts that are installed, its language of times.
import { isRecord, type Members } from './shapes.ts';

/** Variables of the host that the stylesheet uses. */
const VARIABLE = /^--(color|font|border)-[\w-]+$/;
/** Functions of colours and lengths. Others, such as `url()`, could load something; the host's policy forbids it too. */
const FUNCTIONS = new Set(
  'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var calc min max clamp'.split(' '),
);
/** A backslash can spell any name of a function. */
const ESCAPES = /[\\@]/;

/** The locale and the zone of times. */
export interface TimeStyle {
  locale: string | undefined;
  timeZone: string | undefined;
}

/** The reader's own colour scheme, for a host that names none. */
export function applyOwnTheme(): void {
  document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Takes over the host's theme. Members that are missing or have another shape stay as they are. */
export function applyTheme({ theme, styles }: Members): void {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const variables = isRecord(styles) && isRecord(styles.variables) ? styles.variables : {};
  for (const [name, value] of Object.entries(variables))
    if (VARIABLE.test(name) && typeof value === 'string' && value.length <= 300 && loadsNothing(value))
      root.style.setProperty(name, value);
}

function loadsNothing(value: string): boolean {
  const names = [...value.matchAll(/([^\s(),/]*)\(/g)].map(([, name = '']) => name.toLowerCase());
  return !ESCAPES.test(value) && names.every((name) => name === '' || FUNCTIONS.has(name));
}

/** The host's way of writing times; English words, because the view's texts are English. */
export function timeStyleOf({ locale, timeZone }: Members): TimeStyle {
  const isEnglish = typeof locale === 'string' && /^en\b/i.test(locale);
  return {
    locale: isEnglish ? locale : undefined,
    timeZone: typeof timeZone === 'string' ? timeZone : undefined,
  };
}

/** "26 Nov 2026, 09:30 UTC". A time that the browser cannot write stays as it is. */
export function timeText(iso: string, { locale = 'en-GB', timeZone }: TimeStyle): string {
  const words = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  try {
    const options = { ...words, timeZoneName: 'short', ...(timeZone !== undefined && { timeZone }) } as const;
    return new Intl.DateTimeFormat(locale, options).format(new Date(iso));
  } catch {
    return iso;
  }
}
