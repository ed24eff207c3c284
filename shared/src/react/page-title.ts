import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** Title of the browser's tab: `Groups · Workers · Mining Pool`; absent: it stays the shell's. */
export function usePageTitle(title?: string): void {
  const { pathname } = useLocation();
  useEffect(() => {
    // The tab's own address has in front of it where the pages begin (`/watch/<token>`).
    if (title && location.pathname.endsWith(pathname)) document.title = `${title} · Mining Pool`;
  }, [title, pathname]);
}
