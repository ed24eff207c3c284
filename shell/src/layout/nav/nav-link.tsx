import type { NavEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { carry } from '../../session/carried-params';
import { NAV_ICONS } from './icons';
import { NavBadge } from './nav-badge';

export type NavLinkProps = {
  /** Path of the link whose page is shown. */
  active: string | null;
  /** Added to each link: `?account=&algorithm=`. */
  carried: string;
};

/** `styles`: of the link, its icon and its text. */
export function NavLink({
  link: { path, label, icon, badge, disabled, newTab },
  active,
  carried,
  styles,
}: NavLinkProps & { link: NavEntry; styles: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const Icon = NAV_ICONS[icon];
  const inside = (
    <>
      {Icon && <Icon size={18} strokeWidth={1.75} aria-hidden className={styles.icon} />}
      <span className={styles.text}>{t(label)}</span>
      {badge && <NavBadge {...badge} />}
    </>
  );
  if (disabled)
    return (
      <span role="link" aria-disabled className={styles.link}>
        {inside}
      </span>
    );
  const own = path[0] === '/';
  return (
    <Link
      to={own ? (carry<string>(path, carried) as string) : path}
      className={styles.link}
      aria-current={path === active ? 'page' : undefined}
      {...((newTab || !own) && { target: '_blank', rel: 'noreferrer' })}
    >
      {inside}
    </Link>
  );
}
