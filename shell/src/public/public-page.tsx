import { useTranslation } from '@pool/shared/i18n';
import {
  CALCULATOR_PATH,
  FAQ_PATH,
  HASHPRICE_PATH,
  PRIVACY_PATH,
  SETUP_PATH,
  TERMS_PATH,
} from '@pool/shared/public-pages';
import { lazyPart, usePageTitle } from '@pool/shared/remote';
import { useLocation } from '@pool/shared/router';
import type { ComponentType } from 'react';
import { ShellPart } from '../pages/shell-part';

const PAGES: Record<string, { title: string; Page: ComponentType }> = {
  [CALCULATOR_PATH]: {
    title: 'public.calculator',
    Page: lazyPart('calculator', () => import(/* webpackChunkName: "public" */ './calculator/calculator-page')),
  },
  [HASHPRICE_PATH]: {
    title: 'public.hashprice',
    Page: lazyPart('calculator', () => import(/* webpackChunkName: "public" */ './hashprice/hashprice-page')),
  },
  [FAQ_PATH]: {
    title: 'public.faq',
    Page: lazyPart('faq', () => import(/* webpackChunkName: "public" */ './faq/faq-page')),
  },
  [SETUP_PATH]: {
    title: 'public.setup',
    Page: lazyPart('setup', () => import(/* webpackChunkName: "setup" */ './setup/setup-page')),
  },
  [TERMS_PATH]: {
    title: 'footer.terms',
    Page: lazyPart('legal', () => import(/* webpackChunkName: "public" */ './legal/terms-page')),
  },
  [PRIVACY_PATH]: {
    title: 'footer.privacy',
    Page: lazyPart('legal', () => import(/* webpackChunkName: "public" */ './legal/privacy-page')),
  },
  '/pages/security': {
    title: 'public.security',
    Page: lazyPart('legal', () => import(/* webpackChunkName: "public" */ './legal/security-page')),
  },
};

/** One of the public pages (shared/src/routes/public-pages.ts), by the path. */
export default function PublicPage() {
  const { t } = useTranslation();
  const path = useLocation().pathname.replace(/\/$/, '');
  const { title, Page } = PAGES[path] ?? {};
  usePageTitle(title && t(title));
  return Page ? (
    <ShellPart key={path}>
      <Page />
    </ShellPart>
  ) : null;
}
