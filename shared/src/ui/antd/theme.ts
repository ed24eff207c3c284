/** Makes antd's theme from the palette: seed and alias tokens, exact map values, component tokens. */
import type { ThemeConfig } from 'antd/es/config-provider';
import darkAlgorithm from 'antd/es/theme/themes/dark';
import defaultAlgorithm from 'antd/es/theme/themes/default';
import { paletteOf, type Look } from '../core/theme/look';
import { FONT_FAMILY, type Palette, type PaletteName } from '../core/theme/palette';
import { scaled } from '../core/theme/rem';

function componentTokens(p: Palette): NonNullable<ThemeConfig['components']> {
  const field = { activeBorderColor: p.blue, hoverBorderColor: p.line3, activeShadow: `0 0 0 3px ${p.focusRing}` };
  const checked = { colorPrimary: p.on, colorPrimaryHover: p.on };
  return {
    Button: {
      colorPrimary: p.brandFill,
      colorPrimaryHover: p.brandFillHover,
      colorPrimaryActive: p.brandFillActive,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      fontWeight: 500,
      defaultBg: p.raised,
      defaultBorderColor: p.line2,
      defaultColor: p.ink,
      defaultHoverBg: p.raisedHover,
      defaultHoverColor: p.ink,
      defaultHoverBorderColor: p.line3,
      textHoverBg: p.hover,
      contentFontSizeSM: scaled(13),
      borderRadiusLG: 6,
      contentFontSizeLG: scaled(15),
    },
    Input: { ...field, borderRadiusLG: 6, inputFontSizeLG: scaled(15), colorBgContainer: p.field },
    InputNumber: field,
    Select: { ...field, optionSelectedBg: p.press, selectorBg: p.field },
    Checkbox: { ...checked, colorPrimaryBorder: p.on, colorBgContainer: 'transparent', colorBorder: p.box },
    Radio: checked,
    Switch: { ...checked, handleBg: '#FFFFFF', colorTextQuaternary: p.off, colorTextTertiary: p.offHover },
    Drawer: { colorBgElevated: p.surface, paddingLG: 24 },
    Modal: { contentBg: p.raised, headerBg: p.raised },
  };
}

const states = (p: Palette) => ({
  colorSuccess: p.ok,
  colorWarning: p.warn,
  colorError: p.bad,
  colorInfo: p.blue,
  colorLink: p.blue,
});

const tokens = (p: Palette): ThemeConfig['token'] => ({
  colorPrimary: p.brand,
  ...states(p),
  fontFamily: FONT_FAMILY,
  fontSize: scaled(14),
  fontSizeSM: scaled(12),
  fontSizeLG: scaled(16),
  fontSizeHeading1: scaled(32),
  fontSizeHeading2: scaled(24),
  fontSizeHeading3: scaled(20),
  fontSizeHeading4: scaled(16),
  fontWeightStrong: 600,
  borderRadius: 6,
  borderRadiusLG: 8,
  borderRadiusSM: 4,
  controlHeight: scaled(36),
  controlHeightSM: scaled(28),
  controlHeightLG: scaled(44),
  sizeUnit: 4,
  sizeStep: 4,
  wireframe: false,
  colorTextDisabled: p.disabled,
  colorTextPlaceholder: p.ink3,
  colorTextDescription: p.ink2,
  colorSplit: p.line,
  colorIcon: p.ink2,
  colorIconHover: p.ink,
  controlItemBgHover: p.hover,
  controlItemBgActive: p.press,
  controlItemBgActiveHover: p.press,
  controlOutline: p.focusRing,
  boxShadow: p.shadow,
  boxShadowSecondary: p.shadow,
  motionDurationFast: '0.1s',
  motionDurationMid: '0.16s',
  motionDurationSlow: '0.24s',
});

/** Values set after antd's algorithm, which would otherwise derive other shades. */
const mapOverrides = (p: Palette) => ({
  colorPrimary: p.brand,
  colorPrimaryHover: p.brandFillHover,
  colorPrimaryActive: p.brandFillActive,
  colorBgBase: p.bg,
  colorBgLayout: p.bg,
  colorBgContainer: p.surface,
  colorBgElevated: p.raised,
  colorBorder: p.line2,
  colorBorderSecondary: p.line,
  colorText: p.ink,
  colorTextSecondary: p.ink2,
  colorTextTertiary: p.ink3,
  colorTextQuaternary: p.disabled,
  colorFill: p.press,
  colorFillSecondary: p.press,
  colorFillTertiary: p.hover,
  colorFillQuaternary: p.hover,
  ...states(p),
});

type Algorithm = typeof darkAlgorithm;

function makeTheme(name: PaletteName, look: Look, key: string): ThemeConfig {
  const palette = paletteOf(name, look);
  const overrides = mapOverrides(palette);
  const base: Algorithm = name === 'dark' ? darkAlgorithm : defaultAlgorithm;
  const override: Algorithm = (seed, map) => ({ ...(map ?? base(seed)), ...overrides });
  return {
    algorithm: [base, override],
    token: tokens(palette),
    components: componentTokens(palette),
    hashed: false,
    cssVar: { key },
  };
}

const made = new Map<string, ThemeConfig>();

/** Each made once: antd keys its style cache by the identity of the algorithm functions. */
export function themeOf(name: PaletteName, look: Look = {}): ThemeConfig {
  const key = ['pool', name, look.themeColor?.slice(1), look.skin].filter(Boolean).join('-');
  const theme = made.get(key) ?? makeTheme(name, look, key);
  made.set(key, theme);
  return theme;
}
