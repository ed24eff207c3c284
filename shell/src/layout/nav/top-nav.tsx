import { useTranslation } from '@pool/shared/i18n';
import { ChevronDown } from '@pool/shared/ui/core';
import { NavLink } from './nav-link';
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
                <NavLink link={link} styles={styles} {...props} />
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
                    <NavLink link={link} styles={styles} {...props} />
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
