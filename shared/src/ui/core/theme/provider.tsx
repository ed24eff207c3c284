import ConfigProvider from 'antd/es/config-provider';
import type { Locale } from 'antd/es/locale';
import { LucideProvider } from 'lucide-react';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppProvider } from '../app';
import { FormatProvider, type TimeZone } from '../format/context';
import { useMediaQuery } from '../use-media-query';
import { PALETTES, type Palette, type PaletteName } from './palette';
import { THEMES } from './theme';

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

const PaintedContext = createContext<Painted>({ page: 'dark', nav: 'dark' });
const usePainted = (): Painted => useContext(PaintedContext);
/** Colours where CSS variables do not work: canvas charts, the browser's theme colour. */
export const usePalette = (): Palette => PALETTES[usePainted().page];

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
  nonce = nonceOfPage(),
  children,
}: ThemeProviderProps) {
  const { i18n } = useTranslation();
  const lng = language ?? i18n.resolvedLanguage ?? 'en';
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const { page, nav } = usePaint(mode);
  const painted = useMemo(() => ({ page, nav }), [page, nav]);
  const theme = useMemo(
    () => (still ? { ...THEMES[page], token: { ...THEMES[page].token, motion: false } } : THEMES[page]),
    [page, still],
  );
  const csp = useMemo(() => (nonce ? { nonce } : undefined), [nonce]);
  return (
    <PaintedContext value={painted}>
      <FormatProvider language={lng} timeZone={timeZone}>
        <ConfigProvider theme={theme} direction={direction} locale={useAntdLocale(lng)} csp={csp} wave={NO_WAVE}>
          <LucideProvider size={16} strokeWidth={1.75}>
            <AppProvider>{children}</AppProvider>
          </LucideProvider>
        </ConfigProvider>
      </FormatProvider>
    </PaintedContext>
  );
}
const NO_WAVE = { disabled: true };

/** Theme of the navigation: dark in semi-dark, else like the page. */
export function NavTheme({ className, children }: { className?: string; children: ReactNode }) {
  const { page, nav } = usePainted();
  const region = (
    <div className={className} data-mode={nav}>
      {children}
    </div>
  );
  return nav === page ? region : <ConfigProvider theme={THEMES[nav]}>{region}</ConfigProvider>;
}

/** Applies the theme to `<html>`: CSS variables, form controls, the browser's bar. The shell calls it once. */
export function useDocumentMode(mode: Mode): void {
  const { page } = usePaint(mode);
  useEffect(() => {
    document.documentElement.dataset.mode = page;
    document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute('content', PALETTES[page].bg);
  }, [page]);
}
