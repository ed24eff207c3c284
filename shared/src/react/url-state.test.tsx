import { act, renderHook } from '@testing-library/react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { changeParams, dayText, oneOf, shortText, useUrlState } from './url-state';

const SCHEMA = {
  q: shortText,
  sort: oneOf(['name', '-name'], 'name'),
  year: (text: string | null) => (text === '2025' ? 2025 : undefined),
  group: (text: string | null) => text,
};

const start = (address: string) =>
  renderHook(
    () => {
      const [state, set, searchOf] = useUrlState(SCHEMA);
      return { state, set, searchOf, search: useLocation().search, navigate: useNavigate() };
    },
    {
      wrapper: ({ children }) => <MemoryRouter initialEntries={['/start', address]}>{children}</MemoryRouter>,
    },
  ).result;

test('reads the state from the URL; what is missing or invalid is the default', () => {
  expect(start('/').current.state).toEqual({ q: undefined, sort: 'name', year: undefined, group: null });
  expect(start(`/?q=%20${'x'.repeat(200)}&sort=evil&year=1&group=`).current.state).toEqual({
    q: 'x'.repeat(64),
    sort: 'name',
    year: undefined,
    group: '',
  });
});

test('writes changes without defaults and keeps other parameters; Back restores, replace makes no entry', () => {
  const page = start('/?account=barn&q=old');
  act(() => page.current.set({ q: '', sort: '-name', year: 2025, group: '' }));
  expect(page.current.search).toBe('?account=barn&sort=-name&year=2025&group=');
  expect(page.current.searchOf({ sort: 'name', group: null })).toBe('account=barn&year=2025');
  act(() => page.current.set({ q: 'a' }, { replace: true }));
  expect(page.current.state).toEqual({ q: 'a', sort: '-name', year: 2025, group: '' });
  act(() => void page.current.navigate(-1));
  expect(page.current.search).toBe('?account=barn&q=old');
});

test('what is written after a link was followed is written to its page, though the one before is still drawn', () => {
  const page = renderHook(() => ({ set: useUrlState(SCHEMA)[1], ...useLocation(), navigate: useNavigate() }), {
    wrapper: ({ children }) => <MemoryRouter initialEntries={['/list?sort=-name']}>{children}</MemoryRouter>,
  }).result;
  act(() => {
    void page.current.navigate('/list/12?sort=-name');
    page.current.set({ q: 'a' });
    page.current.set({ year: 2025 }, { replace: true });
  });
  expect(page.current.pathname + page.current.search).toBe('/list/12?sort=-name&q=a&year=2025');
});

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2026-02-31', undefined],
  ['%00', undefined],
  [null, undefined],
])('a day of the URL: %s', (text, day) => {
  expect(dayText(text)).toBe(day);
});

test('null takes a parameter out', () => {
  expect(changeParams(new URLSearchParams('a=1&b=2'), { a: null, c: 3 }).toString()).toBe('b=2&c=3');
});
