import type { Settings } from '@pool/shared';
import { tried } from '../tried';

/**
 * What the user chose. The language has its own key (the language detector's). `themeColor`: `#rrggbb`. `direction`: of
 * the last chosen language, unless the user chose another since; null: the language's. `lastLayout`: the chosen layout,
 * which narrow screens replace by the vertical one.
 */
export type ChosenSettings = Required<Pick<Settings, 'mode' | 'timeZone' | 'themeColor' | 'skin' | 'currency'>> & {
  direction: Settings['direction'] | null;
  navCollapsed: boolean;
  /** Whether one of the groups beside each other is open, or any number. */
  verticalNavToggleType: 'accordion' | 'collapse';
  /** A cross in the tab's icon while workers are offline. */
  alarm: boolean;
  /** Keys without Ctrl or Cmd do something. */
  singleKeys: boolean;
  appBarBlur: boolean;
  contentWidth: 'boxed' | 'full';
  appBar: 'fixed' | 'static' | 'hidden';
  footer: 'fixed' | 'static' | 'hidden';
  lastLayout: 'vertical' | 'horizontal';
  navHidden: boolean;
} & Required<Pick<Settings, 'toastPosition'>>;

export const SETTINGS_KEY = 'settings';

/** The values of each setting that is one of a few words. */
export const CHOICES = {
  mode: ['light', 'dark', 'semi-dark', 'system'],
  skin: ['default', 'bordered'],
  direction: ['ltr', 'rtl'],
  contentWidth: ['boxed', 'full'],
  verticalNavToggleType: ['accordion', 'collapse'],
  timeZone: ['utc', 'local'],
  currency: ['usd', 'none'],
  lastLayout: ['vertical', 'horizontal'],
  appBar: ['fixed', 'static', 'hidden'],
  footer: ['fixed', 'static', 'hidden'],
  toastPosition: ['top-left', 'top-center', 'top-right', 'bottom-left', 'bottom-center', 'bottom-right'],
} as const;

export const DEFAULT_COLOR = '#ed4540';
export const DEFAULT_SETTINGS: ChosenSettings = {
  mode: 'dark',
  themeColor: DEFAULT_COLOR,
  skin: 'default',
  direction: null,
  contentWidth: 'boxed',
  timeZone: 'utc',
  currency: 'usd',
  navCollapsed: false,
  verticalNavToggleType: 'accordion',
  alarm: true,
  singleKeys: true,
  appBarBlur: true,
  lastLayout: 'vertical',
  navHidden: false,
  appBar: 'fixed',
  footer: 'static',
  toastPosition: 'top-right',
};

/** Specification 4: they last as long as the page. */
const UNSTORED: readonly (keyof ChosenSettings)[] = ['lastLayout', 'navHidden', 'appBar', 'footer', 'toastPosition'];
export const isStored = (name: keyof ChosenSettings): boolean => !UNSTORED.includes(name);
const STORED = (Object.keys(DEFAULT_SETTINGS) as (keyof ChosenSettings)[]).filter(isStored);

function isValid(name: keyof ChosenSettings, value: unknown): boolean {
  if (name in CHOICES) return (CHOICES[name as keyof typeof CHOICES] as readonly unknown[]).includes(value);
  if (name === 'themeColor') return typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value);
  return typeof value === 'boolean';
}

/** Reads field by field, so that invalid or outdated storage only resets the invalid fields. */
export function parseSettings(text: string | null): Partial<ChosenSettings> {
  const stored = tried(() => JSON.parse(text ?? 'null') as unknown);
  const from = new Map(Object.entries(Object(stored) as object));
  return Object.fromEntries(
    STORED.map((name) => [name, isValid(name, from.get(name)) ? from.get(name) : DEFAULT_SETTINGS[name]]),
  );
}

/** Storage may be forbidden (private windows, policies): then settings last as long as the page. */
export const loadSettings = (): ChosenSettings => ({
  ...DEFAULT_SETTINGS,
  ...parseSettings(tried(() => localStorage.getItem(SETTINGS_KEY))),
});

export function saveSettings(settings: ChosenSettings): void {
  const stored = Object.fromEntries(STORED.map((name) => [name, settings[name]]));
  tried(() => localStorage.setItem(SETTINGS_KEY, JSON.stringify(stored)));
}

/** The settings the page is drawn with. */
export type ShownSettings = Omit<ChosenSettings, 'direction' | 'lastLayout'> & {
  layout: ChosenSettings['lastLayout'];
};

/** `wide`: from 1200 px. Narrower pages are vertical, with an app bar that has their menu button. */
export function shownSettings({ direction: _, lastLayout, ...chosen }: ChosenSettings, wide: boolean): ShownSettings {
  const layout = wide ? lastLayout : 'vertical';
  const horizontal = layout === 'horizontal';
  const appBar = chosen.appBar === 'hidden' && (horizontal || !wide) ? 'fixed' : chosen.appBar;
  return {
    ...chosen,
    layout,
    appBar,
    mode: horizontal && chosen.mode === 'semi-dark' ? 'light' : chosen.mode,
    // Without both there would be no way back.
    navHidden: chosen.navHidden && appBar !== 'hidden',
  };
}
