/** antd component tokens: colours of the palette, and measures of the design. */
import type { ThemeConfig } from 'antd/es/config-provider';
import type { Palette } from '../core/theme/palette';

export function componentTokens(p: Palette): NonNullable<ThemeConfig['components']> {
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
      contentFontSizeSM: 13,
      borderRadiusLG: 6,
      contentFontSizeLG: 15,
    },
    Input: { ...field, borderRadiusLG: 6, inputFontSizeLG: 15, colorBgContainer: p.field },
    InputNumber: field,
    Select: { ...field, optionSelectedBg: p.press, selectorBg: p.field },
    Checkbox: { ...checked, colorPrimaryBorder: p.on, colorBgContainer: 'transparent', colorBorder: p.box },
    Radio: checked,
    Switch: { ...checked, handleBg: '#FFFFFF', colorTextQuaternary: p.off, colorTextTertiary: p.offHover },
    Drawer: { colorBgElevated: p.surface, paddingLG: 24 },
    Modal: { contentBg: p.raised, headerBg: p.raised },
  };
}
