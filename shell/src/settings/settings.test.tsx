import { DEFAULT_SETTINGS, loadSettings, parseSettings, saveSettings, SETTINGS_KEY, shownSettings } from './settings';
import { renderPage, type RenderOptions } from '@pool/shared/testing';
import { act, screen, within } from '@testing-library/react';
import { useEffect } from 'react';
import { SettingsProvider, useSettingsStore } from './settings-context';
import { SettingsForm } from '../pages/settings/settings-form';

const stored = () => JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? '{}') as object;
const put = (settings: object) => localStorage.setItem(SETTINGS_KEY, JSON.stringify(settings));
beforeEach(() => localStorage.clear());

it.each([
  ['nothing', null],
  ['not JSON', '{"mode":'],
  ['an array', '[1]'],
  ['a string', '"dark"'],
  ['null', 'null'],
  [
    'markup and wrong types',
    '{"mode":"<img onerror=alert(1)>","timeZone":7,"navCollapsed":"yes","themeColor":"red;x","skin":{},"direction":"up",' +
      '"contentWidth":null,"verticalNavToggleType":"all","currency":"eur","appBarBlur":1,"__proto__":{"mode":"light"}}',
  ],
])('falls back to the defaults on %s', (_, text) => {
  expect({ ...DEFAULT_SETTINGS, ...parseSettings(text) }).toEqual(DEFAULT_SETTINGS);
});

it('keeps the valid fields beside an invalid one', () => {
  expect(
    parseSettings('{"mode":"semi-dark","timeZone":"mars","navCollapsed":true,"themeColor":"#00ff00"}'),
  ).toMatchObject({
    mode: 'semi-dark',
    timeZone: 'utc',
    navCollapsed: true,
    themeColor: '#00ff00',
  });
});

it('neither stores nor reads the six settings of the page alone', () => {
  const changed = {
    appBar: 'hidden',
    footer: 'fixed',
    lastLayout: 'horizontal',
    navHidden: true,
    toastPosition: 'top-left',
  } as const;
  saveSettings({ ...DEFAULT_SETTINGS, ...changed, mode: 'light' });
  expect(Object.keys(stored())).toHaveLength(12);
  expect(Object.keys(stored()).filter((name) => name in changed)).toEqual([]);
  put({ ...changed, layout: 'horizontal', mode: 'light' });
  expect(loadSettings()).toEqual({ ...DEFAULT_SETTINGS, mode: 'light' });
});

it('works without storage', () => {
  const getItem = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(loadSettings()).toEqual(DEFAULT_SETTINGS);
  getItem.mockRestore();
});

describe('what is shown', () => {
  const horizontal = { ...DEFAULT_SETTINGS, lastLayout: 'horizontal' } as const;

  it('is vertical on a narrow page, and the chosen layout again on a wide one', () => {
    expect(shownSettings(horizontal, false).layout).toBe('vertical');
    expect(shownSettings(horizontal, true).layout).toBe('horizontal');
  });

  it('horizontal turns semi-dark into light and a hidden app bar into a fixed one', () => {
    const chosen = { ...horizontal, mode: 'semi-dark', appBar: 'hidden' } as const;
    expect(shownSettings(chosen, true)).toMatchObject({ mode: 'light', appBar: 'fixed' });
    expect(shownSettings({ ...chosen, lastLayout: 'vertical' }, true)).toMatchObject({
      mode: 'semi-dark',
      appBar: 'hidden',
    });
  });

  it('always leaves a way to the navigation', () => {
    expect(shownSettings({ ...DEFAULT_SETTINGS, appBar: 'hidden', navHidden: true }, true).navHidden).toBe(false);
    expect(shownSettings({ ...DEFAULT_SETTINGS, appBar: 'hidden' }, false).appBar).toBe('fixed');
  });
});

describe('the form', () => {
  type Store = ReturnType<typeof useSettingsStore>;
  const store: { current: Store | null } = { current: null };
  function Watch({ onStore }: { onStore(now: Store): void }) {
    const now = useSettingsStore();
    useEffect(() => onStore(now), [now, onStore]);
    return null;
  }
  const remember = (now: Store) => {
    store.current = now;
  };
  const open = (options: RenderOptions = {}) =>
    renderPage(
      <SettingsProvider>
        <Watch onStore={remember} />
        <SettingsForm />
      </SettingsProvider>,
      options,
    );
  const kept = () => JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? '{}') as Record<string, unknown>;
  const choose = async (user: Awaited<ReturnType<typeof open>>['user'], group: string, option: string) =>
    user.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name: option }));

  beforeEach(() => localStorage.clear());

  test('a choice is in effect and kept at once', async () => {
    const { user } = await open();
    await choose(user, 'Theme', 'Semi-dark');
    await choose(user, 'Times', 'Local time');
    await choose(user, 'Show amounts in', 'BTC only');
    await user.click(screen.getByRole('switch', { name: 'Narrow navigation' }));
    expect(store.current?.settings).toMatchObject({ mode: 'semi-dark', timeZone: 'local', currency: 'none' });
    expect(kept()).toMatchObject({ mode: 'semi-dark', timeZone: 'local', currency: 'none', navCollapsed: true });
  });

  test('a pale colour is said to be darkened for text, a dark one is not', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Orange' }));
    expect(screen.getByRole('status')).toHaveTextContent(
      /contrast of 2\.\d:1.*Buttons use the darker #\w{6} \([45]\.\d:1\)/,
    );
    expect(kept().themeColor).toBe('#f39a4a');
    await user.click(screen.getByRole('button', { name: 'Blue' }));
    expect(screen.queryByRole('status')).toBeNull();
  });

  test('the direction can differ from that of the language, until another language is chosen', async () => {
    const { user, services } = await open();
    await choose(user, 'Direction', 'Right to left');
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
    expect(kept().direction).toBe('rtl');
    await act(() => services.i18n.changeLanguage('fr'));
    expect(document.documentElement).toHaveAttribute('dir', 'ltr');
    await act(() => services.i18n.changeLanguage('ar'));
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  });

  test('reset brings the defaults back', async () => {
    const { container, user } = await open();
    expect(container.textContent).not.toMatch(/settings\.[a-z]/);
    await choose(user, 'Theme', 'Light');
    await choose(user, 'Footer', 'Hidden');
    await user.click(screen.getByRole('button', { name: 'Reset all' }));
    expect(store.current?.chosen).toMatchObject({ mode: 'dark', footer: 'static' });
  });

  test('each setting that is not kept says so beside its name, the others do not', async () => {
    const { user } = await open();
    const { chosen } = store.current!;
    const notes = screen.getAllByText('Until the page is reloaded');
    expect(
      notes.map(
        (note) => note.parentElement?.firstElementChild?.textContent || note.previousElementSibling?.textContent,
      ),
    ).toEqual(['Navigation', 'App bar', 'Navigation only in the menu', 'Footer', 'Notification position']);
    await choose(user, 'Footer', 'Hidden');
    await choose(user, 'Content width', 'Full');
    expect(chosen.footer).toBe('static');
    expect(kept()).toMatchObject({ contentWidth: 'full' });
    expect(kept()).not.toHaveProperty('footer');
  });

  test('another tab changes the settings of this one', async () => {
    await open();
    act(() => {
      dispatchEvent(new StorageEvent('storage', { key: SETTINGS_KEY, newValue: '{"mode":"light","skin":"bordered"}' }));
    });
    expect(store.current?.settings).toMatchObject({ mode: 'light', skin: 'bordered' });
  });
});
