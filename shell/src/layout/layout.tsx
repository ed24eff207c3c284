import type { AlgorithmName, NavEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { SETTINGS_PATH } from '@pool/shared/shell-pages';
import { useMediaQuery, usePhone } from '@pool/shared/ui/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { whenPageShown } from '../first-view/show';
import type { NavGroup } from '../remotes/registry';
import { useSettingsStore } from '../settings/settings-context';
import { AppBar, type AppBarProps } from './bar/app-bar';
import { FreshnessBanner } from './bar/freshness-control';
import { PageFooter } from './page-footer';
import { Places } from './nav/places';
import { SideNav } from './nav/side-nav';
import styles from './layout.module.css';

const MAIN_ID = 'main';
const TopNav = lazy(() => import(/* webpackChunkName: "top-nav" */ './nav/top-nav'));
let askForDrawer: () => void = () => undefined;
const whenAsked = new Promise<void>((resolve) => {
  askForDrawer = resolve;
});
// Both are in the group of files that waits until the page is shown: one of them would fetch them all. The drawer is
// fetched earlier where a user opens it beside a page that still loads.
const NavDrawer = lazy(() =>
  Promise.race([whenPageShown(), whenAsked]).then(() => import(/* webpackChunkName: "idle" */ './nav/nav-drawer')),
);
const PageScroll = lazy(() =>
  whenPageShown()
    .then(() => import(/* webpackChunkName: "idle" */ './page-scroll'))
    .catch(() => ({ default: () => null })),
);

/** The way to the settings, where no app bar has it. */
const SETTINGS_LINK: NavEntry = { path: SETTINGS_PATH, label: 'settings.nav', icon: 'account', order: 99 };

export type LayoutProps = Omit<AppBarProps, 'onMenu' | 'position' | 'blur' | 'withBrand'> & {
  navigation: NavGroup;
  /** Path of the link whose page is shown. */
  active: string | null;
  /** Changes with the page; then the focus moves to the new page. */
  page: string;
  carried: string;
  algorithm: AlgorithmName;
  supportEmail: string;
  /** Above every page. */
  banner?: ReactNode;
  children: ReactNode;
};

/** Navigation at the side (below 1200 px in a drawer, on a phone with its first links at the bottom), app bar above, page in the middle. */
export function Layout({ navigation, active, page, carried, supportEmail, banner, children, ...bar }: LayoutProps) {
  const { t } = useTranslation();
  const wide = useMediaQuery('(min-width: 1200px)');
  const phone = usePhone();
  const { shown, change } = useSettingsStore();
  const { layout, navCollapsed, navHidden, verticalNavToggleType, appBar, appBarBlur, contentWidth, footer } = shown;
  const [drawer, setDrawer] = useState(false);
  const [first] = useState(page);
  const nav = {
    main: appBar === 'hidden' ? { ...navigation, links: [...navigation.links, SETTINGS_LINK] } : navigation,
    active,
    carried,
    algorithm: bar.algorithm,
    accordion: verticalNavToggleType === 'accordion',
  };
  const vertical = layout === 'vertical';
  const beside = wide && vertical && !navHidden;
  const places = phone && vertical;
  const openDrawer = () => {
    askForDrawer();
    setDrawer(true);
  };
  const closeDrawer = () => setDrawer(false);
  return (
    <div
      className={styles.frame}
      data-collapsed={navCollapsed}
      data-beside={beside}
      data-content={contentWidth}
      data-layout={layout}
      data-bar={appBar}
      data-footer={footer}
      data-places={places}
    >
      <a href={`#${MAIN_ID}`} className={styles.skip}>
        {t('shell.skip')}
      </a>
      {beside ? (
        <div className={styles.nav}>
          <SideNav
            {...nav}
            frame={{ kind: 'fixed', collapsed: navCollapsed, onToggle: () => change({ navCollapsed: !navCollapsed }) }}
          />
        </div>
      ) : (
        vertical && (
          <Suspense>
            <NavDrawer open={drawer} onOpen={openDrawer} onClose={closeDrawer}>
              <SideNav {...nav} frame={{ kind: 'drawer', onClose: closeDrawer }} />
            </NavDrawer>
          </Suspense>
        )
      )}
      <div className={styles.body}>
        {appBar !== 'hidden' && (
          <AppBar
            {...bar}
            position={appBar}
            blur={appBarBlur}
            withBrand={!beside}
            onMenu={!beside && vertical && !places ? openDrawer : undefined}
          />
        )}
        {!vertical && (
          <Suspense fallback={<div className={styles.topNav} />}>
            <TopNav {...nav} />
          </Suspense>
        )}
        {banner}
        <main id={MAIN_ID} tabIndex={-1} className={styles.main}>
          {children}
        </main>
        <Suspense>
          <PageScroll page={page} first={first} mainId={MAIN_ID} />
        </Suspense>
        <div className={styles.end}>
          {footer === 'fixed' && <PageFooter supportEmail={supportEmail} />}
          <FreshnessBanner />
        </div>
        {footer === 'static' && <PageFooter supportEmail={supportEmail} />}
        {places && <Places {...nav} onMore={openDrawer} />}
      </div>
    </div>
  );
}
