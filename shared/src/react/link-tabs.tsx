/** Tabs that are pages. Each remote bundles its own copy, so that the first load has none. */
import { Link } from '@pool/shared/router';
import { useEffect, useRef, type ComponentProps } from 'react';
import styles from './link-tabs.module.css';

type LinkTab<Name extends string> = { name: Name; to: ComponentProps<typeof Link>['to']; text: string };
type LinkTabsProps<Name extends string> = {
  label: string;
  tabs: readonly LinkTab<Name>[];
  /** Null: none of them. */
  shown: Name | null;
  className?: string;
};

/** Tabs are links, so that users can share them, open them in a new tab, and go back. */
export function LinkTabs<Name extends string>({ label, tabs, shown, className = '' }: LinkTabsProps<Name>) {
  const strip = useRef<HTMLElement>(null);
  // On a phone the strip may be wider than the screen. Not `scrollIntoView`, which may scroll the page too.
  useEffect(() => {
    const tab = strip.current?.querySelector('[aria-current]');
    if (strip.current && tab) strip.current.scrollLeft += middle(tab) - middle(strip.current);
  }, [shown]);
  return (
    <nav ref={strip} className={`${styles.tabs} ${className}`} aria-label={label}>
      {tabs.map(({ name, to, text }) => (
        <Link key={name} to={to} className={styles.tab} aria-current={name === shown ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

function middle(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
