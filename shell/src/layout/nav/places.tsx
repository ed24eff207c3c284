import { useTranslation } from '@pool/shared/i18n';
import { MenuIcon } from '@pool/shared/ui/core';
import { linksIn, type NavGroup } from '../../remotes/registry';
import { NavLink, type NavLinkProps } from './nav-link';
import styles from './places.module.css';

const COUNT = 3;

type Props = NavLinkProps & {
  main: NavGroup;
  /** Opens the drawer, which has all links. */
  onMore(): void;
};

/** The bar at the bottom of a phone: the first links of the group whose page is shown, else of the main one. */
export function Places({ main, onMore, ...place }: Props) {
  const { t } = useTranslation();
  const isShown = ({ path }: { path: string }) => path === place.active;
  const group = main.groups.find((inner) => linksIn(inner).some(isShown)) ?? main;
  const links = linksIn(group)
    .filter(({ disabled }) => !disabled)
    .slice(0, COUNT);
  return (
    <nav className={styles.places} aria-label={t('nav.main')}>
      {links.map((link) => (
        <NavLink key={link.path} link={link} styles={styles} {...place} />
      ))}
      <button
        type="button"
        className={styles.link}
        aria-haspopup="dialog"
        aria-current={(place.active !== null && !links.some(isShown)) || undefined}
        onClick={onMore}
      >
        <MenuIcon size={18} className={styles.icon} />
        <span className={styles.text}>{t('nav.more')}</span>
      </button>
    </nav>
  );
}
