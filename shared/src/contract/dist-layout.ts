/**
 * `dist/`, which the server serves; `npm run build` writes all but the remotes, which are published (`npm run remote`):
 *
 *   dist/shell/manifest.json              ShellManifest
 *   dist/shell/{app,landing}.html         page templates, see below
 *   dist/shell/assets/*                   at /assets/*; hashed names, immutable
 *   dist/shell/service-worker.js          at /service-worker.js; none from `npm run dev`
 *   dist/shell/manifest.webmanifest       at /manifest.webmanifest
 *   dist/shell/surface.txt                what this shell offers to remotes (shared/surface.txt)
 *   dist/remotes/<name>/current.json      RemotePointer
 *   dist/remotes/<name>/history.json      its moves (api/src/remotes/pointers.ts)
 *   dist/remotes/<name>/<version>/*       at /remotes/<name>/<version>/*; immutable, older versions stay
 *   dist/remotes/<name>/<version>/manifest.json   RemoteManifest, URLs already absolute paths
 *   dist/remotes/<name>/<version>/locales/<lng>.json   its texts
 *   dist/locales/<lng>.json               texts of the shell and of shared; /locales/<lng>.json adds those of remotes
 *   dist/locales/landing.<lng>.json       all texts of the landing page
 *   dist/vendor/clerk-js/<version>/*      at /vendor/clerk-js/<version>/*
 *
 * Text files have their brotli and gzip forms beside them (`x.js.br`, `x.js.gz`).
 *
 * A page template is a complete HTML page with three placeholders: `{{nonce}}` (the CSP nonce, in attributes),
 * `<!--pool:head-->` (preloads the server adds) and `{{config}}` (PublicConfig as JSON, `<` written as `\u003c`).
 * `landing` is the page of `/`; `app` is the page of everything else.
 */
export type ShellManifest = {
  pages: { app: string; landing: string };
  /** CSP hashes (`sha256-…`) of the inline scripts in the pages. */
  scriptHashes: string[];
  /** Integrity hash of each asset by URL. */
  files: Record<string, `sha256-${string}`>;
};

/** The served version of a remote; a canary is served to `percent` of users (api/src/remotes/pointers.ts). */
export type RemotePointer = { version: string; canary?: { version: string; percent: number } };

/** Beginnings of the keys of further texts on the landing page, which the build adds to its own ones. */
export const LANDING_TEXTS = [
  'algorithm.choose',
  'footer.',
  'language.choose',
  'nav.main',
  'public.',
  'ui.chart.',
  'ui.cop',
];

/** Texts that the build writes into the page, shown when a script cannot be loaded (shell/src/boot-inline.ts). */
export const EARLY_TEXTS = ['shell.noScript', 'shell.reload'] as const;
