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
import { ShellPart } from '../pages/shell-part';

type Load = Parameters<typeof lazyPart>[1];
const page = (title: string, texts: string, load: Load) => ({ title, Page: lazyPart(texts, load) });
/** A short legal text: `name` begins the keys of its texts, `parts` are its sections. */
const legal = (title: string, name: string, parts: readonly string[]) =>
  page(title, 'legal', async () => {
    const { LegalPage } = await import(/* webpackChunkName: "public" */ './legal/legal-page');
    return () => <LegalPage name={name} title={title} parts={parts} />;
  });

const PAGES: Record<string, ReturnType<typeof page>> = {
  [CALCULATOR_PATH]: page(
    'public.calculator',
    'calculator',
    () => import(/* webpackChunkName: "public" */ './calculator/calculator-page'),
  ),
  [HASHPRICE_PATH]: page(
    'public.hashprice',
    'calculator',
    () => import(/* webpackChunkName: "public" */ './hashprice/hashprice-page'),
  ),
  [FAQ_PATH]: page('public.faq', 'faq', () => import(/* webpackChunkName: "public" */ './faq/faq-page')),
  [SETUP_PATH]: page('public.setup', 'setup', () => import(/* webpackChunkName: "setup" */ './setup/setup-page')),
  [TERMS_PATH]: legal('footer.terms', 'terms', ['service', 'account', 'money', 'address', 'fees', 'end']),
  [PRIVACY_PATH]: legal('footer.privacy', 'privacy', ['what', 'why', 'browser', 'who', 'long', 'rights']),
  // The page for reporting a vulnerability; `security.txt` leads here.
  '/pages/security': legal('public.security', 'security', ['how', 'scope', 'rules', 'answer']),
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
