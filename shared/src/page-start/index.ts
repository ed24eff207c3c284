/** What the server, the page's inline script, the shell and the service worker share while a page starts. */
export * from './early-requests';
export * from './facts';
export * from './names';
export * from './page';
export * from './page-reports';
