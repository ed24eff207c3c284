/** antd's components, each with antd's theme, texts and direction: the page's root and first view need none of it. */
import ConfigProvider from 'antd/es/config-provider';
import type { Locale } from 'antd/es/locale';
import { createContext, use, useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react';
import { ofLanguage, type Language } from '../../i18n/languages';
import { useTheme } from '../core/theme/provider';
import { useMediaQuery } from '../core/use-media-query';
import { themeOf } from './theme';

/** English is antd's own. */
const LOCALES: Record<Language, (() => Promise<{ default: Locale }>) | null> = {
  en: null,
  ru: () => import('antd/es/locale/ru_RU'),
  fr: () => import('antd/es/locale/fr_FR'),
  ar: () => import('antd/es/locale/ar_EG'),
};
const loaded = new Map<string, Locale>();

/** antd's texts; English until the language's file is loaded. */
function useLocale(language: string): Locale | undefined {
  const [, setCount] = useState(0);
  useEffect(() => {
    let current = true;
    if (!loaded.has(language))
      ofLanguage(LOCALES, language)?.()
        .then((file) => {
          loaded.set(language, file.default);
          if (current) setCount((count) => count + 1);
        })
        .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [language]);
  return loaded.get(language);
}

const NO_WAVE = { disabled: true };
const WithinTheme = createContext(false);

export function AntTheme({ children }: { children: ReactNode }) {
  const { page, look, direction, language, nonce } = useTheme();
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const theme = useMemo(() => {
    const made = themeOf(page, look);
    return still ? { ...made, token: { ...made.token, motion: false } } : made;
  }, [page, look, still]);
  const csp = useMemo(() => (nonce ? { nonce } : undefined), [nonce]);
  return (
    <ConfigProvider theme={theme} direction={direction} locale={useLocale(language)} csp={csp} wave={NO_WAVE}>
      <WithinTheme value>{children}</WithinTheme>
    </ConfigProvider>
  );
}

const isComponent = (name: string, value: unknown): boolean =>
  /^[A-Z]/.test(name) && (typeof value === 'function' || '$$typeof' in Object(value));

/** What React and antd know a component by; the wrapper has its own. */
const OWN = new Set(['$$typeof', 'render', 'type', 'compare', 'displayName']);

/** Themed components by the component without a theme: one that refers to itself would be themed without end. */
const known = new Map<unknown, unknown>();

/** `component` with antd's theme around it, and so the components it carries (`Input.Password`). */
export function themed<C>(component: C): C {
  if (known.has(component)) return known.get(component) as C;
  const Component = component as ComponentType<object>;
  function Themed(props: object) {
    const shown = <Component {...props} />;
    return use(WithinTheme) ? shown : <AntTheme>{shown}</AntTheme>;
  }
  known.set(component, Themed);
  const statics = Object.entries(component as object).filter(([name]) => !OWN.has(name));
  return Object.assign(Themed, themedParts(Object.fromEntries(statics))) as C;
}

/** `parts` with the theme around each that is a component. */
export const themedParts = <P extends object>(parts: P): P =>
  Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, isComponent(name, value) ? themed<unknown>(value) : value]),
  ) as P;
