import path from 'node:path';
import fc from 'fast-check';
import { themeOf } from '../../antd/theme';
import { brandShades, contrast } from './brand';
import { lookVariables, paletteOf } from './look';
import { PALETTES, variableOf } from './palette';
import { paintedBy } from './provider';
import { PALETTE_STYLES } from './variables';
import { readdirSync, readFileSync } from 'node:fs';

test('every colour is used, and what is used is defined', () => {
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
  const names = new Set([...PALETTE_STYLES.matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name));
  // Colours are used by a style sheet or by antd's theme.
  const used = new Set(
    [...sources.matchAll(/(?:var\(|')(--[\w-]+)|\bp\.(\w+)/g)].map(
      ([, name, colour = '']) => name ?? variableOf(colour),
    ),
  );
  expect([...names].filter((name) => !used.has(name))).toEqual([]);
  // A variable is defined by the palette, by a style sheet, or by a component as a style.
  const defined = new Set(
    [...(PALETTE_STYLES + sources).matchAll(/(--[\w-]+)['"]?:|'(--[\w-]+)'/g)].map(([, css, name]) => css ?? name),
  );
  const read = [...sources.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(read.filter((name) => !defined.has(name))).toEqual([]);
});

test.each(['dark', 'light'] as const)('contrast in %s: texts, marks, and white on the filled button', (name) => {
  const p = PALETTES[name];
  const fills = [p.brandFill, p.brandFillHover, p.brandFillActive].map((fill) => ['#FFFFFF', fill] as const);
  const texts = [p.ink, p.ink2, p.ink3, p.blue, p.ok, p.warn, p.bad, p.idle, p.orange];
  const onGrounds = texts.flatMap((ink) => [p.surface, p.bg, p.rowSelected].map((ground) => [ink, ground] as const));
  const marks = [p.okG, p.warnG, p.badG, p.on, p.box].map((mark) => [mark, p.surface] as const);
  const below = (pairs: (readonly [string, string])[], least: number) =>
    pairs.filter(([one, other]) => contrast(one, other) < least);
  expect([below([...fills, ...onGrounds], 4.5), below(marks, 3)]).toEqual([[], []]);
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

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast as WCAG 2 has it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#ed4540', '#ffffff')).toBeCloseTo(3.8, 1);
});

test('any colour: white text can be read on its fills, its marks stand out from the panel in both modes', () => {
  fc.assert(
    fc.property(colour, fc.constantFrom('dark', 'light'), (given, mode) => {
      const { surface } = PALETTES[mode as 'dark' | 'light'];
      const { brand, brandFill, brandFillHover, brandFillActive } = brandShades(given, surface);
      return (
        [brandFill, brandFillHover, brandFillActive].every((fill) => contrast('#ffffff', fill) >= 4.5) &&
        contrast(brand, surface) >= 3
      );
    }),
  );
});

test('a colour that is dark enough is used as it is', () => {
  expect(brandShades('#0b7a5e', '#ffffff')).toMatchObject({ brand: '#0b7a5e', brandFill: '#0b7a5e' });
});

test('without a choice nothing differs from the design; with one, theme and CSS variables agree', () => {
  expect(paletteOf('dark', {})).toEqual(PALETTES.dark);
  expect(lookVariables('dark', { themeColor: '#ed4540', skin: 'default' })).toEqual({});
  expect(themeOf('dark')).toBe(themeOf('dark'));
  const look = { themeColor: '#1b6ad6', skin: 'bordered' } as const;
  expect(lookVariables('light', look)).toMatchObject({ '--brand-fill': '#1b6ad6', '--line': PALETTES.light.line2 });
  expect(themeOf('light', look).components?.Button?.colorPrimary).toBe('#1b6ad6');
});
