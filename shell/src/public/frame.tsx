import type { PublicConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import type { ReactNode } from 'react';
import { LanguageSwitch } from '../layout/bar/language-switch';
import { ModeSwitch } from '../layout/bar/mode-switch';
import { Brand } from '../layout/brand';
import { PageFooter } from '../layout/page-footer';
import PageScroll from '../layout/page-scroll';
import layout from '../layout/layout.module.css';
import styles from './frame.module.css';

const MAIN_ID = 'main';

type FrameProps = {
  config: PublicConfig;
  /** `path` may have a search. */
  links: readonly { path: string; label: string }[];
  /** Path of the link whose page is shown. */
  active: string | null;
  /** Content at the end of the bar. */
  end?: ReactNode;
  /** Below the bar. */
  below?: ReactNode;
  children: ReactNode;
};

const bare = (path: string) => path.replace(/\/?(\?.*)?$/, '');

/** Pages for who is not signed in: a bar with a few links, the page, the footer. */
export function Frame({ config, links, active, end, below, children }: FrameProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.frame}>
      <a href={`#${MAIN_ID}`} className={layout.skip}>
        {t('shell.skip')}
      </a>
      <header className={styles.bar} data-app-bar="">
        <div className={styles.row}>
          <Brand leaves />
          <LinkTabs
            className={styles.links}
            label={t('nav.main')}
            tabs={links.map(({ path, label }) => ({ name: bare(path), to: path, text: label }))}
            shown={active && bare(active)}
          />
          <div className={styles.end}>
            <LanguageSwitch />
            <ModeSwitch />
            {end}
          </div>
        </div>
        {below}
      </header>
      <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <PageScroll page={active ?? ''} mainId={MAIN_ID} />
      <PageFooter supportEmail={config.supportEmail} />
    </div>
  );
}
