/** Styles Clerk's forms by the palette's CSS variables, so that they follow dark and light mode. */
import type { ClerkProviderProps } from '@clerk/clerk-react';
import { PHONE } from '@pool/shared/ui/core';

/** Clerk draws its borders as several shadows: these replace them all. */
const edge = {
  borderWidth: '1px',
  borderStyle: 'solid',
  borderColor: 'var(--line2)',
  boxShadow: 'none',
  borderRadius: '6px',
  backgroundColor: 'var(--field)',
};
const focused = { borderColor: 'var(--blue)', boxShadow: '0 0 0 3px var(--focus-ring)', outline: 'none' };
const typed = {
  padding: '0 12px',
  fontSize: '0.9375rem',
  color: 'var(--ink)',
  [`@media ${PHONE}`]: { fontSize: '1rem' },
};

const ARROW_SVG =
  `%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' ` +
  `stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'%3E` +
  `%3Cpath d='M5 12h14M12 5l7 7-7 7'/%3E%3C/svg%3E`;
const ARROW = `url("data:image/svg+xml,${ARROW_SVG}") center / contain no-repeat`;

export const appearance = {
  layout: {
    logoPlacement: 'none',
    showOptionalFields: false,
    shimmer: false,
    unsafe_disableDevelopmentModeWarnings: true,
  },
  variables: {
    fontFamily: 'var(--font)',
    fontFamilyButtons: 'var(--font)',
    fontSize: '0.875rem',
    borderRadius: '6px',
    spacing: '16px',
    colorPrimary: 'var(--brand-fill)',
    colorPrimaryForeground: '#FFFFFF',
    colorForeground: 'var(--ink)',
    colorMutedForeground: 'var(--ink2)',
    colorNeutral: 'var(--ink)',
    colorBackground: 'var(--surface)',
    colorInput: 'var(--field)',
    colorInputForeground: 'var(--ink)',
    colorBorder: 'var(--line2)',
    colorDanger: 'var(--bad)',
    colorSuccess: 'var(--ok)',
    colorWarning: 'var(--warn)',
    colorRing: 'var(--blue)',
  },
  elements: {
    rootBox: { width: '100%' },
    cardBox: {
      width: '100%',
      maxWidth: '100%',
      boxShadow: 'none',
      border: 'none',
      borderRadius: 0,
      overflow: 'visible',
    },
    card: {
      padding: 0,
      gap: '28px',
      background: 'transparent',
      boxShadow: 'none',
      border: 'none',
      borderRadius: 0,
      textAlign: 'start',
    },
    header: { gap: '4px', textAlign: 'start' },
    headerTitle: {
      fontSize: '1.5rem',
      lineHeight: '2rem',
      fontWeight: 600,
      letterSpacing: '-0.01em',
      color: 'var(--ink)',
    },
    headerSubtitle: { fontSize: '0.875rem', lineHeight: '1.375rem', color: 'var(--ink2)' },
    main: { gap: '16px' },
    form: { gap: '16px' },
    formFieldLabel: { fontSize: '0.8125rem', fontWeight: 500, color: 'var(--ink)' },
    formFieldInput: {
      minHeight: '44px',
      '&&': edge,
      ...typed,
      '&&::placeholder': { color: 'var(--ink3)' },
      '&&&:hover': { borderColor: 'var(--line3)', boxShadow: 'none' },
      '&&&:focus': focused,
      '&&&[aria-invalid="true"]': { borderColor: 'var(--bad)' },
    },
    formFieldInputGroup: {
      minHeight: '44px',
      '&&': edge,
      overflow: 'hidden',
      '&&&:hover': { borderColor: 'var(--line3)', boxShadow: 'none' },
      '&&&:focus-within': focused,
      '&&&:has([aria-invalid="true"])': { borderColor: 'var(--bad)' },
      '&& input, && input:hover, && input:focus': {
        minHeight: '42px',
        border: 'none',
        borderRadius: 0,
        boxShadow: 'none',
        background: 'transparent',
      },
    },
    otpCodeFieldInputs: { justifyContent: 'flex-start', gap: '8px' },
    otpCodeFieldInput: {
      inlineSize: '44px',
      blockSize: '44px',
      '&&': { ...edge, borderColor: 'var(--line3)' },
      fontSize: '1.125rem',
      color: 'var(--ink)',
      '&&[data-focus-within="true"]': focused,
    },
    formFieldErrorText: { fontSize: '0.8125rem', lineHeight: '1.25rem', color: 'var(--bad)' },
    formFieldAction: { fontSize: '0.8125rem', color: 'var(--blue)' },
    // The way back below a mailed code has no text.
    formButtonReset: { '&:empty': { display: 'none' } },
    formButtonPrimary: {
      minHeight: '44px',
      fontSize: '0.9375rem',
      fontWeight: 500,
      borderRadius: '6px',
      border: 'none',
      boxShadow: 'none',
      textTransform: 'none',
      background: 'var(--brand-fill)',
      color: '#FFFFFF',
      '&::after': { display: 'none' },
      '&&:hover': { background: 'var(--brand-fill-hover)', boxShadow: 'none' },
      '&&:active': { background: 'var(--brand-fill-active)' },
      '&&:focus-visible': { outline: '2px solid var(--blue)', outlineOffset: '2px', boxShadow: 'none' },
    },
    buttonArrowIcon: {
      inlineSize: '16px',
      blockSize: '16px',
      marginInlineStart: '8px',
      color: 'inherit',
      opacity: 1,
      backgroundColor: 'currentColor',
      mask: ARROW,
      '& *': { display: 'none' },
    },
    identityPreview: { justifyContent: 'flex-start', border: 'none', padding: 0, background: 'transparent' },
    identityPreviewText: { color: 'var(--ink2)' },
    identityPreviewEditButton: { color: 'var(--blue)' },
    alternativeMethodsBlockButton: { minHeight: '44px', '&&': edge, '&&:hover': { borderColor: 'var(--line3)' } },
    alternativeMethodsBlockButtonText: { color: 'var(--ink)', fontSize: '0.875rem' },
    alert: { borderRadius: '6px' },
    footer: {
      background: 'transparent',
      marginTop: '24px',
      padding: 0,
      '& > :not(.cl-footerAction)': { display: 'none' },
    },
    footerAction: { margin: 0, padding: '16px 0', justifyContent: 'center' },
    footerActionText: { fontSize: '0.875rem', color: 'var(--ink2)' },
    footerActionLink: {
      fontSize: '0.875rem',
      fontWeight: 400,
      color: 'var(--blue)',
      '&:hover': { color: 'var(--blue)' },
    },
    badge: { color: 'var(--ink2)', boxShadow: 'none', border: '1px solid var(--line2)' },
  },
} satisfies ClerkProviderProps['appearance'];

// Twice the class: Clerk's own rules for small screens count for more than a single one.
const hidden = { '&&': { display: 'none' } };
const grown = { blockSize: 'auto', minBlockSize: 0, maxBlockSize: 'none', overflow: 'visible' };
/** Styles of a button whose Russian text is longer than a phone is wide. */
const startButton = {
  color: 'var(--blue)',
  marginInlineStart: '-12px',
  blockSize: 'auto',
  // Twice the class: Clerk's own rule for the text comes later.
  '&& *': { whiteSpace: 'normal', textAlign: 'start' },
};
/** The user's profile at the sign-in service, of which a page shows this one part under its own title. */
export const twoStepOnly = {
  // Its links are in this colour; its button has its own.
  variables: { colorPrimary: 'var(--blue)' },
  elements: {
    cardBox: { ...grown, display: 'block' },
    scrollBox: { ...grown, background: 'transparent', border: 'none', borderRadius: 0, boxShadow: 'none' },
    pageScrollBox: { ...grown, '&&': { padding: 0 } },
    navbar: hidden,
    navbarMobileMenuRow: hidden,
    profilePage: { gap: 0, '& > .cl-header': { display: 'none' } },
    profileSection: { border: 'none', padding: 0 },
    profileSection__password: hidden,
    // Below the second step, which comes first here, with a title of its own.
    profileSection__passkeys: {
      order: 1,
      marginBlockStart: '16px',
      '&&': { flexDirection: 'column-reverse', gap: '4px' },
    },
    profileSection__activeDevices: hidden,
    profileSection__danger: hidden,
    profileSectionHeader: hidden,
    profileSectionHeader__passkeys: { '&&': { display: 'flex' } },
    // The menu stays in the page, where the service would lay it over the next panel; it looks like the pages' menus.
    menuList: {
      position: 'static !important',
      transform: 'none !important',
      flex: '0 0 auto',
      marginBlockStart: '8px',
      padding: '4px',
      background: 'var(--raised)',
      border: '1px solid var(--line2)',
      borderRadius: '8px',
      boxShadow: 'none',
    },
    menuItem: {
      minHeight: '32px',
      padding: '5px 12px',
      borderRadius: '4px',
      fontSize: '0.875rem',
      '&:hover, &:focus': { background: 'var(--hover)' },
    },
    profileSectionPrimaryButton: startButton,
    menuButton: startButton,
    // Its menu stays beside it.
    profileSectionItem__passkeys: { '&&&': { flexWrap: 'nowrap' } },
    profileSectionItemList: { '& > div': { flexWrap: 'wrap' } },
    actionCard: { padding: '16px 0 0', border: 'none', boxShadow: 'none', background: 'transparent', borderRadius: 0 },
    headerTitle: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    formButtonReset: { color: 'var(--ink2)' },
  },
} satisfies ClerkProviderProps['appearance'];
