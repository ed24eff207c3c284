import { DEFAULT_SETTINGS, loadSettings, parseSettings, saveSettings, SETTINGS_KEY } from './settings';

it.each([
  ['nothing', null],
  ['not JSON', '{"mode":'],
  ['an array', '[1]'],
  ['a string', '"dark"'],
  ['null', 'null'],
  [
    'markup and wrong types',
    '{"mode":"<img onerror=alert(1)>","timeZone":7,"navCollapsed":"yes","__proto__":{"mode":"light"}}',
  ],
])('falls back to the defaults on %s', (_, stored) => {
  expect(parseSettings(stored)).toEqual(DEFAULT_SETTINGS);
});

it('keeps the valid fields beside an invalid one', () => {
  expect(parseSettings('{"mode":"semi-dark","timeZone":"mars","navCollapsed":true}')).toEqual({
    mode: 'semi-dark',
    timeZone: 'utc',
    navCollapsed: true,
    alarm: true,
  });
});

it('neither reads nor writes unknown fields', () => {
  const { mode, timeZone, navCollapsed, alarm } = parseSettings(
    JSON.stringify({
      appBar: 'hidden',
      footer: 'fixed',
      layout: 'horizontal',
      navHidden: true,
      lastLayout: 'horizontal',
      toastPosition: 'top-left',
      mode: 'light',
    }),
  );
  saveSettings({ mode, timeZone, navCollapsed, alarm });
  expect(Object.keys(JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? '{}') as object).sort()).toEqual([
    'alarm',
    'mode',
    'navCollapsed',
    'timeZone',
  ]);
  expect(loadSettings().mode).toBe('light');
});

it('works without storage', () => {
  const getItem = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(loadSettings()).toEqual(DEFAULT_SETTINGS);
  getItem.mockRestore();
});
