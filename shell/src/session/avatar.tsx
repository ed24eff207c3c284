import { useState, type CSSProperties } from 'react';
import styles from './avatar.module.css';

/** `north-field` is NF, `demo` is DE. */
export function initials(userName: string): string {
  const [first = '', second] = userName.split(/[-_]+/).filter(Boolean);
  return (second ? `${first.charAt(0)}${second.charAt(0)}` : first.slice(0, 2)).toUpperCase();
}

/** A mark beside the name: the picture, the initials of a user without one. `size`: px. */
export function Avatar({ userName, picture, size }: { userName: string; picture?: string | null; size: number }) {
  // Offline, and not kept by the browser.
  const [missing, setMissing] = useState<string | null>(null);
  const place = { className: styles.avatar, style: { '--size': `${size}px` } as CSSProperties };
  if (!picture || picture === missing)
    return (
      <span {...place} aria-hidden>
        {initials(userName)}
      </span>
    );
  return <img {...place} src={picture} alt="" onError={() => setMissing(picture)} />;
}
