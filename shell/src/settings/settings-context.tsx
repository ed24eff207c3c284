import type { Settings } from '@pool/shared';
import { directionOf, useTranslation } from '@pool/shared/i18n';
import { useMediaQuery } from '@pool/shared/ui/core';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { useWindowEvent } from '../use-window-event';
import {
  DEFAULT_SETTINGS,
  loadSettings,
  parseSettings,
  saveSettings,
  SETTINGS_KEY,
  shownSettings,
  type ChosenSettings,
  type ShownSettings,
} from './settings';

type SettingsStore = {
  /** Settings as the pages get them. */
  settings: Settings;
  /** Settings as the layout is drawn. */
  shown: ShownSettings;
  chosen: ChosenSettings;
  change(change: Partial<ChosenSettings>): void;
  reset(): void;
};
const SettingsContext = createContext<SettingsStore | null>(null);

export function SettingsProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const [chosen, setChosen] = useState(loadSettings);
  const wide = useMediaQuery('(min-width: 1200px)');
  const language = (i18n.resolvedLanguage ?? 'en') as Settings['language'];
  const direction = chosen.direction ?? directionOf(language);

  const change = useCallback((part: Partial<ChosenSettings>) => {
    setChosen((before) => {
      const next = { ...before, ...part };
      saveSettings(next);
      return next;
    });
  }, []);

  useEffect(() => {
    // Another language has its own direction again.
    const forget = () => change({ direction: null });
    i18n.on('languageChanged', forget);
    return () => i18n.off('languageChanged', forget);
  }, [i18n, change]);
  useWindowEvent('storage', ({ key, newValue }) => {
    if (key === SETTINGS_KEY) setChosen((before) => ({ ...before, ...parseSettings(newValue) }));
  });
  useLayoutEffect(() => {
    document.documentElement.dir = direction;
  }, [direction, language]);

  const store = useMemo<SettingsStore>(() => {
    const shown = shownSettings(chosen, wide);
    const { mode, timeZone, themeColor, skin, currency, toastPosition } = shown;
    return {
      settings: { mode, timeZone, language, direction, themeColor, skin, currency, toastPosition },
      shown,
      chosen,
      change,
      reset: () => change(DEFAULT_SETTINGS),
    };
  }, [chosen, wide, language, direction, change]);
  return <SettingsContext value={store}>{children}</SettingsContext>;
}

export function useSettingsStore(): SettingsStore {
  const store = useContext(SettingsContext);
  if (!store) throw new Error('useSettingsStore() needs a SettingsProvider above it');
  return store;
}
