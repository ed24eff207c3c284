/** What the server must know of a browser to render its page: a cookie that the shell writes. */
import type { Settings } from '../contract';

export const FACTS_COOKIE = 'pool-facts';

export type BrowserFacts = Required<Pick<Settings, 'language' | 'direction' | 'themeColor' | 'skin' | 'currency'>> & {
  mode: 'light' | 'dark';
  /** Width of the window, CSS pixels. */
  width: number;
  height: number;
  /** Width of the page's content, CSS pixels. */
  content: number;
  /** Width of the page's first chart, CSS pixels. */
  plot: number;
};

/** Times are in UTC: the server does not know the browser's zone. */
export const FACTS_ZONE = 'utc';

const FIELDS = [
  'language',
  'direction',
  'mode',
  'currency',
  'themeColor',
  'skin',
  'width',
  'height',
  'content',
  'plot',
] as const;

/** `en.ltr.dark.usd.ed4540.default.1440.900.1132.790`: short, because it comes with every request. */
export const writeFacts = (facts: BrowserFacts): string =>
  FIELDS.map((name) => String(facts[name]).replace('#', '')).join('.');

/** Null: not the cookie's form. The values are as they came. */
export function readFacts(cookie: string): Record<(typeof FIELDS)[number], string | number> | null {
  const parts = cookie.split('.');
  if (parts.length !== FIELDS.length) return null;
  const [language = '', direction = '', mode = '', currency = '', themeColor = '', skin = '', ...pixels] = parts;
  const [width, height, content, plot] = pixels.map(Number);
  return {
    language,
    direction,
    mode,
    currency,
    themeColor: `#${themeColor}`,
    skin,
    width: width!,
    height: height!,
    content: content!,
    plot: plot!,
  };
}
