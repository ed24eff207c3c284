import type { Settings } from '@pool/shared';

/**
 * Stored by the browser under `settings`. The language has its own key (the language detector's); the direction follows
 * it.
 */
export type StoredSettings = Pick<Settings, 'mode' | 'timeZone'> & {
  navCollapsed: boolean;
  /** A cross in the tab's icon while workers are offline. */
  alarm: boolean;
};

export const SETTINGS_KEY = 'settings';
export const MODES = ['light', 'dark', 'semi-dark', 'system'] as const;
export const DEFAULT_SETTINGS: StoredSettings = { mode: 'dark', timeZone: 'utc', navCollapsed: false, alarm: true };

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((v) => v === value);

/** Reads field by field, so that invalid or outdated storage only resets the invalid fields. */
export function parseSettings(text: string | null): StoredSettings {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return DEFAULT_SETTINGS;
  }
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return DEFAULT_SETTINGS;
  const { mode, timeZone, navCollapsed, alarm } = stored as Record<string, unknown>;
  return {
    mode: oneOf(MODES, mode) ?? DEFAULT_SETTINGS.mode,
    timeZone: oneOf(['utc', 'local'] as const, timeZone) ?? DEFAULT_SETTINGS.timeZone,
    navCollapsed: typeof navCollapsed === 'boolean' ? navCollapsed : DEFAULT_SETTINGS.navCollapsed,
    alarm: typeof alarm === 'boolean' ? alarm : DEFAULT_SETTINGS.alarm,
  };
}

/** Storage may be forbidden (private windows, policies): then settings last as long as the page. */
export function loadSettings(): StoredSettings {
  try {
    return parseSettings(localStorage.getItem(SETTINGS_KEY));
  } catch {
    return DEFAULT_SETTINGS;
  }
}

export function saveSettings(settings: StoredSettings): void {
  try {
    localStorage.setItem(SETTINGS_KEY, JSON.stringify(settings));
  } catch {
    // See loadSettings.
  }
}
