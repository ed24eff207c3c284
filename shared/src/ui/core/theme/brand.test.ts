import fc from 'fast-check';
import { brandShades, contrast } from './brand';
import { PALETTES } from './palette';
import { themeOf } from '../../antd/theme';
import { lookVariables, paletteOf } from './look';

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
