import type { AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMediaQuery } from '@pool/shared/ui/core';
import { useState, type ReactNode } from 'react';
import type { NavGroup } from '../remotes/registry';
import { useSettingsStore } from '../settings/settings-context';
import { AppBar, type AppBarProps } from './app-bar';
import { FreshnessBanner } from './freshness-control';
import { NavDrawer } from './nav-drawer';
import { OverrideBanner } from './override-banner';
import { PageFooter } from './page-footer';
import { ScrollTop } from './scroll-top';
import { SideNav } from './side-nav';
import { usePageFocus } from './use-page-focus';
import styles from './layout.module.css';

const MAIN_ID = 'main';

export type LayoutProps = Omit<AppBarProps, 'onMenu'> & {
  groups: readonly NavGroup[];
  /** Path of the link whose page is shown. */
  active: string | null;
  /** Changes with the page; then the focus moves to the new page. */
  page: string;
  picked: string;
  algorithm: AlgorithmName;
  supportEmail: string;
  onIntent(path: string): void;
  children: ReactNode;
};

/** Navigation at the side (below 1200 px in a drawer), app bar above, page in the middle. */
export function Layout({ groups, active, page, picked, supportEmail, onIntent, children, ...bar }: LayoutProps) {
  const { t } = useTranslation();
  const wide = useMediaQuery('(min-width: 1200px)');
  const { navCollapsed, change } = useSettingsStore();
  const [drawer, setDrawer] = useState(false);
  usePageFocus(page, MAIN_ID);
  const nav = { groups, active, picked, algorithm: bar.algorithm, onIntent };
  const closeDrawer = () => setDrawer(false);
  return (
    <div className={styles.frame} data-collapsed={navCollapsed}>
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        {t('shell.skip')}
      </a>
      {wide ? (
        <div className={styles.nav}>
          <SideNav
            {...nav}
            frame={{ kind: 'fixed', collapsed: navCollapsed, onToggle: () => change({ navCollapsed: !navCollapsed }) }}
          />
        </div>
      ) : (
        <NavDrawer open={drawer} onClose={closeDrawer}>
          <SideNav {...nav} frame={{ kind: 'drawer', onClose: closeDrawer }} />
        </NavDrawer>
      )}
      <div className={styles.body}>
        <AppBar {...bar} onMenu={() => setDrawer(true)} />
        <OverrideBanner />
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
        <PageFooter supportEmail={supportEmail} />
        <div className={styles.end}>
          <FreshnessBanner />
        </div>
      </div>
      <ScrollTop />
    </div>
  );
}
