import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { ChevronDown } from '@pool/shared/ui/core';
import type { NavEntry } from '@pool/shared';
import { carry } from '../../session/picked';
import { NAV_ICONS } from './icons';
import { NavBadge } from './nav-badge';
import type { SideNavProps } from './side-nav';
import styles from './top-nav.module.css';

/** The navigation of the horizontal layout: a row of links; groups with a title open on hover and focus. */
export default function TopNav({ groups, ...props }: Omit<SideNavProps, 'algorithm'>) {
  const { t } = useTranslation();
  return (
    <nav className={styles.nav} aria-label={t('nav.main')}>
      <ul className={styles.row}>
        {groups.map(({ title, links }) =>
          title === null ? (
            links.map((link) => (
              <li key={link.path}>
                <Item link={link} {...props} />
              </li>
            ))
          ) : (
            <li key={title} className={styles.group}>
              <button type="button" className={styles.link} aria-haspopup="true">
                {t(title)} <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
              </button>
              <ul className={styles.menu} aria-label={t(title)}>
                {links.map((link) => (
                  <li key={link.path}>
                    <Item link={link} {...props} />
                  </li>
                ))}
              </ul>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

function Item({ link, active, picked }: Omit<SideNavProps, 'algorithm' | 'groups'> & { link: NavEntry }) {
  const { t } = useTranslation();
  const Icon = NAV_ICONS[link.icon];
  return (
    <Link
      to={carry<string>(link.path, picked) as string}
      className={styles.link}
      aria-current={link.path === active ? 'page' : undefined}
    >
      {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden />}
      {t(link.label)}
      {link.badge && <NavBadge {...link.badge} />}
    </Link>
  );
}
