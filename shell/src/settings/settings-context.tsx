import type { Settings } from '@pool/shared';
import { directionOf, useTranslation } from '@pool/shared/i18n';
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { loadSettings, saveSettings, SETTINGS_KEY, parseSettings, type StoredSettings } from './settings';

type SettingsStore = Omit<StoredSettings, keyof Settings> & {
  settings: Settings;
  change(change: Partial<StoredSettings>): void;
};
const SettingsContext = createContext<SettingsStore | null>(null);

export function SettingsProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const [stored, setStored] = useState(loadSettings);
  const language = (i18n.resolvedLanguage ?? 'en') as Settings['language'];

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === SETTINGS_KEY) setStored(parseSettings(event.newValue));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);

  const change = useCallback((part: Partial<StoredSettings>) => {
    setStored((before) => {
      const next = { ...before, ...part };
      saveSettings(next);
      return next;
    });
  }, []);

  const store = useMemo<SettingsStore>(
    () => ({
      settings: {
        mode: stored.mode,
        timeZone: stored.timeZone,
        language,
        direction: directionOf(language),
      },
      navCollapsed: stored.navCollapsed,
      alarm: stored.alarm,
      change,
    }),
    [stored, language, change],
  );
  return <SettingsContext value={store}>{children}</SettingsContext>;
}

export function useSettingsStore(): SettingsStore {
  const store = useContext(SettingsContext);
  if (!store) throw new Error('useSettingsStore() needs a SettingsProvider above it');
  return store;
}
