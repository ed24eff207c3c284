/** Component tokens. Where a value is not a palette colour it is a measure of the design (look.md). */
import type { ThemeConfig } from 'antd/es/config-provider';
import type { Palette } from './palette';

export function componentTokens(p: Palette): NonNullable<ThemeConfig['components']> {
  const field = { activeBorderColor: p.blue, hoverBorderColor: p.line3, activeShadow: `0 0 0 3px ${p.focusRing}` };
  const checked = { colorPrimary: p.on, colorPrimaryHover: p.on };
  return {
    Layout: { bodyBg: p.bg, headerBg: p.bg, siderBg: p.nav, headerHeight: 64, headerPadding: '0 24px', footerBg: p.bg, footerPadding: '16px 24px' },
    // What is chosen shows by its fill; red is never small text.
    Dropdown: { colorPrimary: p.ink },
    Menu: {
      itemBg: 'transparent', itemColor: p.ink2, itemHoverColor: p.ink, itemHoverBg: p.hover,
      itemSelectedBg: p.press, itemSelectedColor: p.ink, itemActiveBg: p.press,
      itemHeight: 40, itemMarginInline: 12, itemMarginBlock: 2, itemPaddingInline: 12, itemBorderRadius: 6,
      iconSize: 18, iconMarginInlineEnd: 12, activeBarBorderWidth: 0, groupTitleColor: p.ink3, groupTitleFontSize: 12, collapsedWidth: 68,
    },
    Button: {
      colorPrimary: p.brandFill, colorPrimaryHover: p.brandFillHover, colorPrimaryActive: p.brandFillActive,
      primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500,
      defaultBg: p.raised, defaultBorderColor: p.line2, defaultColor: p.ink,
      defaultHoverBg: p.raisedHover, defaultHoverColor: p.ink, defaultHoverBorderColor: p.line3, textHoverBg: p.hover,
      contentFontSizeSM: 13, borderRadiusLG: 6, contentFontSizeLG: 15,
    },
    Card: { colorBorderSecondary: p.line, bodyPadding: 20, headerPadding: 20, headerHeight: 52, headerFontSize: 14 },
    Input: { ...field, borderRadiusLG: 6, inputFontSizeLG: 15, colorBgContainer: p.field },
    InputNumber: field,
    Select: { ...field, optionSelectedBg: p.press, selectorBg: p.field },
    DatePicker: { ...field, colorBgContainer: p.field, colorPrimary: p.ink, cellActiveWithRangeBg: p.press },
    Tabs: {
      itemColor: p.ink2, itemHoverColor: p.ink, itemActiveColor: p.ink, itemSelectedColor: p.ink, inkBarColor: p.brand,
      horizontalItemPadding: '12px 0', horizontalItemGutter: 24, horizontalMargin: '0 0 16px 0', titleFontSize: 14,
    },
    Table: {
      headerBg: p.surface, headerColor: p.ink3, headerSortActiveBg: p.surface, headerSortHoverBg: p.hover, bodySortBg: 'transparent',
      headerSplitColor: 'transparent', borderColor: p.line, rowHoverBg: p.row, rowSelectedBg: p.rowSelected, rowSelectedHoverBg: p.rowSelectedHover,
      cellPaddingBlock: 0, cellPaddingInline: 12, cellFontSize: 13, headerBorderRadius: 8, selectionColumnWidth: 44,
    },
    Segmented: {
      trackBg: p.track, itemColor: p.ink2, itemHoverColor: p.ink, itemSelectedColor: p.ink, itemSelectedBg: p.thumb, itemHoverBg: p.hover, trackPadding: 2,
    },
    Checkbox: { ...checked, colorPrimaryBorder: p.on, colorBgContainer: 'transparent', colorBorder: p.box },
    Radio: checked,
    Switch: { ...checked, handleBg: '#FFFFFF', colorTextQuaternary: p.off, colorTextTertiary: p.offHover },
    Slider: {
      trackBg: p.on, trackHoverBg: p.on, handleColor: p.on, handleActiveColor: p.onActive, dotActiveBorderColor: p.on,
      railBg: p.line2, handleActiveOutlineColor: 'transparent',
    },
    Progress: { defaultColor: p.blue, remainingColor: p.meter },
    Pagination: {
      itemActiveBg: 'transparent', itemActiveColor: p.ink, itemActiveColorHover: p.ink, colorPrimary: p.line2, colorPrimaryHover: p.ink3, itemSize: 32,
    },
    Drawer: { colorBgElevated: p.surface, paddingLG: 24 },
    Modal: { contentBg: p.raised, headerBg: p.raised },
    Tooltip: { colorBgSpotlight: p.tooltip },
    Tag: { defaultBg: p.hover, defaultColor: p.ink2 },
    Badge: { colorError: p.brandFill },
    Steps: { colorPrimary: p.ink },
  };
}
