import { DEFAULT_SETTINGS, loadSettings, parseSettings, saveSettings, SETTINGS_KEY, shownSettings } from './settings';

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
  expect(Object.keys(stored()).sort()).toEqual([
    'alarm',
    'appBarBlur',
    'contentWidth',
    'currency',
    'direction',
    'mode',
    'navCollapsed',
    'singleKeys',
    'skin',
    'themeColor',
    'timeZone',
    'verticalNavToggleType',
  ]);
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
