import { LucideProvider } from 'lucide-react';
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ToastProvider } from '../toasts';
import type { ToastPosition } from '../../../contract';
import { FormatProvider, type Currency, type TimeZone } from '../format/context';
import { useMediaQuery } from '../use-media-query';
import { PALETTES, type Palette, type PaletteName } from './palette';
import { lookVariables, paletteOf, type Look } from './look';

export type Mode = 'light' | 'dark' | 'semi-dark' | 'system';
/** Palettes of the content and the navigation: semi-dark is light except for the navigation. */
export type Painted = { page: PaletteName; nav: PaletteName };

export function paintedBy(mode: Mode, systemIsDark: boolean): Painted {
  if (mode === 'semi-dark') return { page: 'light', nav: 'dark' };
  const page = mode === 'dark' || (mode === 'system' && systemIsDark) ? 'dark' : 'light';
  return { page, nav: page };
}

const ON_PAPER: Painted = { page: 'light', nav: 'light' };
function usePaint(mode: Mode): Painted {
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)');
  const paper = useMediaQuery('print');
  return paper ? ON_PAPER : paintedBy(mode, systemIsDark);
}

export type Theme = Painted & { look: Look; language: string; direction: 'ltr' | 'rtl'; nonce?: string };
const ThemeContext = createContext<Theme>({ page: 'dark', nav: 'dark', look: {}, language: 'en', direction: 'ltr' });
/** What antd's parts are themed by (ui/antd/themed). */
export const useTheme = (): Theme => useContext(ThemeContext);
/** Colours where CSS variables do not work: canvas charts. */
export function usePalette(): Palette {
  const { page, look } = useTheme();
  return paletteOf(page, look);
}

let pageNonce: string | undefined;
/** The page's CSP nonce, from one of its scripts; browsers hide the attribute but keep the property. */
const nonceOfPage = (): string | undefined =>
  (pageNonce ??= globalThis.document?.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined);

export type ThemeProviderProps = {
  mode: Mode;
  direction: 'ltr' | 'rtl';
  /** Time zone of all displayed times; UTC unless the user chose local time. */
  timeZone?: TimeZone;
  /** Default: the language of the i18n instance. */
  language?: string;
  look?: Look;
  toastPosition?: ToastPosition;
  /** Whether amounts in bitcoin have one in dollars beside them. */
  currency?: Currency;
  /** CSP nonce for styles that antd inserts; default: the nonce of the page's scripts. */
  nonce?: string;
  children: ReactNode;
};

/** Theme, toasts, confirmations and formats, at the top of each React root; antd takes its theme from here. */
export function ThemeProvider({
  mode,
  direction,
  timeZone = 'utc',
  language,
  look: { themeColor, skin } = {},
  toastPosition,
  currency,
  nonce = nonceOfPage(),
  children,
}: ThemeProviderProps) {
  const { i18n } = useTranslation();
  const lng = language ?? i18n.resolvedLanguage ?? 'en';
  const { page, nav } = usePaint(mode);
  const theme = useMemo(
    () => ({ page, nav, look: { themeColor, skin }, language: lng, direction, nonce }),
    [page, nav, themeColor, skin, lng, direction, nonce],
  );
  return (
    <ThemeContext value={theme}>
      <FormatProvider language={lng} timeZone={timeZone} currency={currency}>
        <LucideProvider size={16} strokeWidth={1.75}>
          <ToastProvider toastPosition={toastPosition}>{children}</ToastProvider>
        </LucideProvider>
      </FormatProvider>
    </ThemeContext>
  );
}

/** Theme of the navigation: dark in semi-dark, else like the page. */
export function NavTheme({ className, children }: { className?: string; children: ReactNode }) {
  const theme = useTheme();
  const { page, nav, look } = theme;
  const region = (
    <div className={className} data-mode={nav} style={lookVariables(nav, look)}>
      {children}
    </div>
  );
  return nav === page ? region : <ThemeContext value={{ ...theme, page: nav }}>{region}</ThemeContext>;
}

/** Applies the theme to `<html>`: CSS variables, form controls, the browser's bar. The shell calls it once. */
export function useDocumentMode(mode: Mode, { themeColor, skin }: Look = {}): void {
  const { page } = usePaint(mode);
  useEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset.mode = page;
    document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute('content', PALETTES[page].bg);
    const variables = Object.entries(lookVariables(page, { themeColor, skin }));
    for (const [name, colour] of variables) style.setProperty(name, colour);
    return () => {
      for (const [name] of variables) style.removeProperty(name);
    };
  }, [page, themeColor, skin]);
}
