import { useTranslation, type i18n } from '@pool/shared/i18n';
import { CALCULATOR_PATH, FAQ_PATH, PRIVACY_PATH, TERMS_PATH } from '@pool/shared/public-pages';
import { usePageTitle } from '@pool/shared/remote';
import { useLocation } from '@pool/shared/router';
import type { ComponentType } from 'react';
import { LazyPart } from '../pages/lazy-part';

type Page = { texts: string; title: string; load(): Promise<{ default: ComponentType }> };
const PAGES: Record<string, Page> = {
  [CALCULATOR_PATH]: {
    texts: 'calculator',
    title: 'public.calculator',
    load: () => import(/* webpackChunkName: "public" */ './calculator/calculator-page'),
  },
  [FAQ_PATH]: {
    texts: 'faq',
    title: 'public.faq',
    load: () => import(/* webpackChunkName: "public" */ './faq/faq-page'),
  },
  [TERMS_PATH]: {
    texts: 'legal',
    title: 'footer.terms',
    load: () => import(/* webpackChunkName: "public" */ './legal/terms-page'),
  },
  [PRIVACY_PATH]: {
    texts: 'legal',
    title: 'footer.privacy',
    load: () => import(/* webpackChunkName: "public" */ './legal/privacy-page'),
  },
  '/pages/security': {
    texts: 'legal',
    title: 'public.security',
    load: () => import(/* webpackChunkName: "public" */ './legal/security-page'),
  },
};

async function load({ texts, load: code }: Page, instance: i18n): Promise<{ default: ComponentType }> {
  const [page] = await Promise.all([code(), instance.loadNamespaces(texts)]);
  return page;
}

/** One of the public pages (shared/src/public-pages.ts), by the path. */
export default function PublicPage() {
  const { t, i18n: instance } = useTranslation();
  const path = useLocation().pathname.replace(/\/$/, '');
  const page = PAGES[path];
  const title = page && t(page.title);
  usePageTitle(title);
  return page ? <LazyPart key={path} load={() => load(page, instance)} /> : null;
}
