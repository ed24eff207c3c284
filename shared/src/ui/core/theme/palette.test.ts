import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { themeOf } from '../../antd/theme';
import { contrast } from './brand';
import { PALETTES, type PaletteName } from './palette';
import { paintedBy } from './provider';

const css = readFileSync(path.join(__dirname, '../../variables.css'), 'utf8');
const variable = (name: string) => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;

test.each(['dark', 'light'] as const)('the CSS variables of %s are of the palette', (name) => {
  const block = new RegExp(`\\[data-mode='${name}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  // The formatter writes CSS colours so: `rgba(0, 0, 0, 0.5)`, small letters.
  const bare = (colour = '') => colour.toLowerCase().replaceAll(' ', '').replaceAll(',0.', ',.');
  const { '--area-top': opacity, ...colours } = Object.fromEntries(
    [...block.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, key, value]) => [key, bare(value)]),
  );
  expect(Number(opacity)).toBeGreaterThan(0);
  expect(
    Object.fromEntries(Object.entries(PALETTES[name]).map(([key, value]) => [variable(key), bare(value)])),
  ).toMatchObject(colours);
});

test('every CSS variable is used, and what is used is defined', () => {
  const root = path.join(__dirname, '../../../../..');
  const sources = readdirSync(root)
    .filter((unit) => /^(shared|shell|mfe-.+)$/.test(unit))
    .flatMap((unit) => {
      const folder = path.join(root, unit, 'src');
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return names
        .filter((file) => /\.(css|tsx?)$/.test(file))
        .map((file) => readFileSync(path.join(folder, file), 'utf8'));
    })
    .join('\n');
  const names = new Set([...css.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name));
  const used = new Set([...sources.matchAll(/(?:var\(|')(--[\w-]+)/g)].map(([, name]) => name));
  expect([...names].filter((name) => !used.has(name))).toEqual([]);
  // A stylesheet sets it, or a component as a style.
  const defined = new Set([...sources.matchAll(/(--[\w-]+)['"]?:|'(--[\w-]+)'/g)].map(([, css, name]) => css ?? name));
  const read = [...sources.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(read.filter((name) => !defined.has(name))).toEqual([]);
});

describe.each(['dark', 'light'] as const)('contrast in %s', (name: PaletteName) => {
  const p = PALETTES[name];
  test.each([
    ['ink', p.ink],
    ['ink2', p.ink2],
    ['ink3', p.ink3],
    ['blue', p.blue],
    ['ok', p.ok],
    ['warn', p.warn],
    ['bad', p.bad],
    ['idle', p.idle],
    ['orange', p.orange],
  ])('text in %s has enough contrast on every background', (_, colour) => {
    expect(
      Math.min(contrast(colour, p.surface), contrast(colour, p.bg), contrast(colour, p.rowSelected)),
    ).toBeGreaterThanOrEqual(4.5);
  });
  test('white text has enough contrast on the filled button in each state', () => {
    for (const fill of [p.brandFill, p.brandFillHover, p.brandFillActive])
      expect(contrast('#FFFFFF', fill)).toBeGreaterThanOrEqual(4.5);
  });
  test.each([
    ['okG', p.okG],
    ['warnG', p.warnG],
    ['badG', p.badG],
    ['on', p.on],
    ['box', p.box],
  ])('the shape %s has enough contrast to the panel', (_, colour) => {
    expect(contrast(colour, p.surface)).toBeGreaterThanOrEqual(3);
  });
});

test('semi-dark is light except for the navigation; system follows the browser', () => {
  expect(paintedBy('semi-dark', true)).toEqual({ page: 'light', nav: 'dark' });
  expect(paintedBy('system', true)).toEqual({ page: 'dark', nav: 'dark' });
  expect(paintedBy('system', false)).toEqual({ page: 'light', nav: 'light' });
  expect(paintedBy('light', true)).toEqual({ page: 'light', nav: 'light' });
});

test("antd's derived colours are replaced by the palette's, the brand stays red", () => {
  const { algorithm } = themeOf('dark');
  const [, override] = Array.isArray(algorithm) ? algorithm : [];
  expect(override?.({} as never, { colorBgContainer: '#141414', colorPrimary: '#000' } as never)).toMatchObject({
    colorBgContainer: '#14161A',
    colorPrimary: '#ED4540',
  });
});
