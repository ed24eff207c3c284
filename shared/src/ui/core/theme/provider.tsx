import ConfigProvider from 'antd/es/config-provider';
import type { Locale } from 'antd/es/locale';
import { LucideProvider } from 'lucide-react';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppProvider } from '../app';
import type { ToastPosition } from '../../../contract';
import { FormatProvider, type Currency, type TimeZone } from '../format/context';
import { useMediaQuery } from '../use-media-query';
import { PALETTES, type Palette, type PaletteName } from './palette';
import { lookVariables, paletteOf, themeOf, type Look } from './theme';

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

const PaintedContext = createContext<Painted & { look: Look }>({ page: 'dark', nav: 'dark', look: {} });
/** Colours where CSS variables do not work: canvas charts. */
export function usePalette(): Palette {
  const { page, look } = useContext(PaintedContext);
  return paletteOf(page, look);
}

const LOCALES: Record<string, () => Promise<{ default: Locale }>> = {
  ru: () => import('antd/es/locale/ru_RU'),
  fr: () => import('antd/es/locale/fr_FR'),
  ar: () => import('antd/es/locale/ar_EG'),
};

/** antd's texts; English until the language's file is loaded (the first paint shows none of them). */
function useAntdLocale(language: string): Locale | undefined {
  const [loaded, setLoaded] = useState<{ language: string; locale: Locale }>();
  useEffect(() => {
    let current = true;
    LOCALES[language]?.()
      .then((file) => current && setLoaded({ language, locale: file.default }))
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [language]);
  return loaded?.language === language ? loaded.locale : undefined;
}

let pageNonce: string | undefined;
/** The page's CSP nonce, from one of its scripts; browsers hide the attribute but keep the property. */
const nonceOfPage = (): string | undefined =>
  (pageNonce ??= document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined);

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

/**
 * Provides antd's theme, texts and direction, toasts and confirmations, and formats. One at the top of each React root.
 */
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
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const { page, nav } = usePaint(mode);
  const painted = useMemo(() => ({ page, nav, look: { themeColor, skin } }), [page, nav, themeColor, skin]);
  const theme = useMemo(() => {
    const made = themeOf(page, painted.look);
    return still ? { ...made, token: { ...made.token, motion: false } } : made;
  }, [page, painted, still]);
  const csp = useMemo(() => (nonce ? { nonce } : undefined), [nonce]);
  return (
    <PaintedContext value={painted}>
      <FormatProvider language={lng} timeZone={timeZone} currency={currency}>
        <ConfigProvider theme={theme} direction={direction} locale={useAntdLocale(lng)} csp={csp} wave={NO_WAVE}>
          <LucideProvider size={16} strokeWidth={1.75}>
            <AppProvider toastPosition={toastPosition}>{children}</AppProvider>
          </LucideProvider>
        </ConfigProvider>
      </FormatProvider>
    </PaintedContext>
  );
}
const NO_WAVE = { disabled: true };

/** Theme of the navigation: dark in semi-dark, else like the page. */
export function NavTheme({ className, children }: { className?: string; children: ReactNode }) {
  const { page, nav, look } = useContext(PaintedContext);
  const region = (
    <div className={className} data-mode={nav} style={lookVariables(nav, look)}>
      {children}
    </div>
  );
  return nav === page ? region : <ConfigProvider theme={themeOf(nav, look)}>{region}</ConfigProvider>;
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
