import { useTranslation } from '@pool/shared/i18n';
import { ChevronDown } from '@pool/shared/ui/core';
import type { SyntheticEvent } from 'react';
import type { NavGroup } from '../../remotes/registry';
import { NavGlyph, NavLink, type NavLinkProps } from './nav-link';
import styles from './top-nav.module.css';

/** The navigation of the horizontal layout: a row of links. Groups open on hover and focus, groups in them beside. */
export default function TopNav({ main, ...place }: NavLinkProps & { main: NavGroup }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.nav} aria-label={t('nav.main')}>
      <ul className={styles.row}>
        <Items group={main} {...place} />
      </ul>
    </nav>
  );
}

function Items({ group: { links, groups }, ...place }: NavLinkProps & { group: NavGroup }) {
  const { t } = useTranslation();
  return (
    <>
      {links.map((link) => (
        <li key={link.path}>
          <NavLink link={link} styles={styles} {...place} />
        </li>
      ))}
      {groups.map((group) => (
        <li key={group.title} className={styles.group} onPointerEnter={fit} onFocus={fit}>
          <button type="button" className={styles.link} aria-haspopup="true">
            {group.icon && <NavGlyph icon={group.icon} />}
            <span className={styles.text}>{t(group.title)}</span>
            <ChevronDown size={14} />
          </button>
          <ul className={styles.menu} aria-label={t(group.title)}>
            <Items group={group} {...place} />
          </ul>
        </li>
      ))}
    </>
  );
}

/** A menu that would leave the screen opens to the other side. */
function fit({ currentTarget }: SyntheticEvent<HTMLElement>) {
  currentTarget.removeAttribute('data-flip');
  currentTarget.closest('nav')?.removeAttribute('data-closed');
  const box = currentTarget.lastElementChild?.getBoundingClientRect();
  if (box && (box.left < 0 || box.right > document.documentElement.clientWidth)) currentTarget.dataset.flip = '';
}
