import type { AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { NavTheme, PanelLeft, PanelLeftClose, X } from '@pool/shared/ui/core';
import { Fragment } from 'react';
import type { NavGroup } from '../../remotes/registry';
import { Brand } from '../brand';
import { NavLink, type NavLinkProps } from './nav-link';
import { PoolFacts } from '../pool-facts';
import styles from './side-nav.module.css';

export type SideNavProps = NavLinkProps & { groups: readonly NavGroup[]; algorithm: AlgorithmName };

function Links({ groups, ...place }: Omit<SideNavProps, 'algorithm'>) {
  const { t } = useTranslation();
  const titled = groups.filter(({ title }) => title);
  const opened = titled.find(({ links }) => links.some(({ path }) => path === place.active)) ?? titled[0];
  return groups.map((group) => {
    const { title, links } = group;
    const list = (
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.path}>
            <NavLink link={link} styles={styles} {...place} />
          </li>
        ))}
      </ul>
    );
    if (!title) return <Fragment key="">{list}</Fragment>;
    // Of the groups of one name the browser keeps one open at a time: first that of the shown page.
    return (
      <details key={title} name="nav" open={group === opened}>
        <summary className={styles.group}>{t(title)}</summary>
        {list}
      </details>
    );
  });
}

type Frame = { kind: 'fixed'; collapsed: boolean; onToggle(): void } | { kind: 'drawer'; onClose(): void };

export function SideNav({ frame, algorithm, ...links }: SideNavProps & { frame: Frame }) {
  const { t } = useTranslation();
  const collapsed = frame.kind === 'fixed' && frame.collapsed;
  const [label, Icon, onClick] =
    frame.kind === 'drawer'
      ? ([t('nav.close'), X, frame.onClose] as const)
      : collapsed
        ? ([t('nav.expand'), PanelLeft, frame.onToggle] as const)
        : ([t('nav.collapse'), PanelLeftClose, frame.onToggle] as const);
  return (
    <NavTheme>
      <nav
        aria-label={t('nav.main')}
        className={`${styles.nav} ${frame.kind === 'drawer' ? styles.drawer : ''} ${collapsed ? styles.collapsed : ''}`}
      >
        <div className={styles.head}>
          <Brand />
          <button type="button" className={styles.toggle} aria-label={label} title={label} onClick={onClick}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
          </button>
        </div>
        <div className={styles.links}>
          <Links {...links} />
        </div>
        <PoolFacts algorithm={algorithm} />
      </nav>
    </NavTheme>
  );
}
