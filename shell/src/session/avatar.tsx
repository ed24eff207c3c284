import type { CSSProperties } from 'react';
import styles from './avatar.module.css';

/** `north-field` is NF, `demo` is DE. */
export function initials(userName: string): string {
  const [first = '', second] = userName.split(/[-_]+/).filter(Boolean);
  return (second ? `${first.charAt(0)}${second.charAt(0)}` : first.slice(0, 2)).toUpperCase();
}

/** A mark beside the name: the initials, and over them the picture, if there is one and it can be fetched. `size`: px. */
export const Avatar = ({ userName, picture, size }: { userName: string; picture?: string | null; size: number }) => (
  <span className={styles.avatar} style={{ '--size': `${size}px` } as CSSProperties} aria-hidden>
    {initials(userName)}
    {picture && <img src={picture} alt="" />}
  </span>
);
