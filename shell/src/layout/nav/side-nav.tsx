import type { AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { NavTheme, PanelLeft, PanelLeftClose, X } from '@pool/shared/ui/core';
import { Fragment } from 'react';
import type { NavGroup } from '../../remotes/registry';
import { carry } from '../../session/picked';
import { Brand } from '../brand';
import { NAV_ICONS } from './icons';
import { NavBadge } from './nav-badge';
import { PoolFacts } from '../pool-facts';
import styles from './side-nav.module.css';

export type SideNavProps = {
  groups: readonly NavGroup[];
  active: string | null;
  /** Added to each link: `?account=&algorithm=`. */
  picked: string;
  algorithm: AlgorithmName;
};

function Links({ groups, active, picked }: Omit<SideNavProps, 'algorithm'>) {
  const { t } = useTranslation();
  const titled = groups.filter(({ title }) => title);
  const opened = titled.find(({ links }) => links.some(({ path }) => path === active)) ?? titled[0];
  return groups.map((group) => {
    const { title, links } = group;
    const list = (
      <ul className={styles.list}>
        {links.map((link) => {
          const Icon = NAV_ICONS[link.icon];
          return (
            <li key={link.path}>
              <Link
                to={carry<string>(link.path, picked) as string}
                className={styles.link}
                aria-current={link.path === active ? 'page' : undefined}
              >
                {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden className={styles.icon} />}
                <span className={styles.text}>{t(link.label)}</span>
                {link.badge && <NavBadge {...link.badge} />}
              </Link>
            </li>
          );
        })}
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
