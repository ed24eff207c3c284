import type { NavEntry, NavIcon } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { carry } from '../../session/carried-params';
import { NavBadge } from './nav-badge';

/** Path data of Lucide's icons. */
const ICONS: Record<NavIcon, string> = {
  dashboard:
    'M4 3h5a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM15 3h5a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM15 12h5a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM4 16h5a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1z',
  payments:
    'M19 7V4a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h15a1 1 0 0 1 1 1v4h-3a2 2 0 0 0 0 4h3a1 1 0 0 0 1-1v-2a1 1 0 0 0-1-1M3 5v14a2 2 0 0 0 2 2h15a1 1 0 0 0 1-1v-4',
  workers:
    'M12 20v2M12 2v2M17 20v2M17 2v2M2 12h2M2 17h2M2 7h2M20 12h2M20 17h2M20 7h2M7 20v2M7 2v2M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM9 8h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z',
  referral:
    'M12 7v14M20 11v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8M7.5 7a1 1 0 0 1 0-5A4.8 8 0 0 1 12 7a4.8 8 0 0 1 4.5-5 1 1 0 0 1 0 5M4 7h16a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z',
  account:
    'M22 12a10 10 0 1 1-20 0a10 10 0 0 1 20 0zM15 10a3 3 0 1 1-6 0a3 3 0 0 1 6 0zM7 20.662V19a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v1.662',
  users:
    'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M16 3.128a4 4 0 0 1 0 7.744M22 21v-2a4 4 0 0 0-3-3.87M13 7a4 4 0 1 1-8 0a4 4 0 0 1 8 0z',
};

export type NavLinkProps = {
  /** Path of the link whose page is shown. */
  active: string | null;
  /** Added to each link: `?account=&algorithm=`. */
  carried: string;
};

/** `icon`: a name, or path data. */
export const NavGlyph = ({ icon, className }: { icon: string; className?: string }) => (
  <svg
    className={className}
    width={18}
    height={18}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    <path d={ICONS[icon as NavIcon] ?? icon} />
  </svg>
);

/** `styles`: of the link, its icon and its text. */
export function NavLink({
  link: { path, label, icon, badge, disabled, newTab },
  active,
  carried,
  styles,
}: NavLinkProps & { link: NavEntry; styles: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const inside = (
    <>
      <NavGlyph icon={icon} className={styles.icon} />
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
