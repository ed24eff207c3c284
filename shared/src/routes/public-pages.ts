/** The shell's pages that are open to everybody, signed in or not. */
export const CALCULATOR_PATH = '/pages/calculator';
export const HASHPRICE_PATH = '/pages/hashprice';
export const FAQ_PATH = '/pages/faq';
export const SETUP_PATH = '/pages/setup';
export const TERMS_PATH = '/pages/terms';
export const PRIVACY_PATH = '/pages/privacy';

export const isPublicPage = (path: string): boolean =>
  /^\/pages\/(calculator|hashprice|faq|setup|terms|privacy|security)\/?$/.test(path);

/** Where the pages of a watcher link begin: `/watch/<token>`; undefined elsewhere. */
export const watchBase = (path: string): string | undefined => /^\/watch\/[^/]+/.exec(path)?.[0];
