/** Names of what the parts of a page's start leave for each other (docs/architecture.md, "How a page starts"). */

/** `<meta>`: the skeleton's shape: that of the remote's pages, `form` or `public`. Server to inline script. */
export const META_SHAPE = 'pool-shape';
/** `<meta>`: `ViewFacts` as JSON, what the view in the page was rendered for. Server to inline script. */
export const META_VIEW = 'pool-view';
/** `<meta>`: `PrefetchCalls` as JSON. Server to inline script. */
export const META_PREFETCH = 'pool-prefetch';
/** `<meta>`, of the landing page: where a signed-in user goes. Server to inline script. */
export const META_HOME = 'pool-home';
/** `<meta>`: this is the saved page. Server to inline script and shell. */
export const META_SAVED = 'pool-saved';
/** `<meta>`: name of the shell's build. Build to shell. */
export const META_BUILD = 'pool-build';
/** `<meta>`: `off`, the service worker has to be removed. Server to shell. */
export const META_WORKER = 'pool-worker';

/** `<script type="application/json">`: `PublicConfig`. Server to shell. */
export const ID_CONFIG = 'pool-config';
/** The same: integrity hashes of the shell's later files by URL. Build to shell. */
export const ID_FILES = 'pool-files';
/** The same: `SsrAnswers`, what the view was made from. Server to inline script. */
export const ID_ANSWERS = 'pool-answers';
/** The element with the skeleton and the view, which the shell takes away (first-view/show.ts). */
export const ID_FIRST = 'first';
/** The element behind the view, until which the browser does not paint. */
export const ID_VIEW_END = 'first-view-end';

/** Cookie: the code that makes a sign-up the first admin's. Sign-up page to sign-in service. */
export const OPERATOR_COOKIE = 'pool-operator';

/** Path of the page that a browser keeps and opens in place of any other: it has no view, and knows that it is saved. */
export const SAVED_PAGE = '/saved-page';
/**
 * Header of an answer, or of the saved page, that the caller's browser may keep, to show it when the pool cannot be
 * reached: the user's id at the identity service; `*` when it is everybody's. `none`, of a page: nobody is signed in,
 * and nothing may be kept any longer.
 */
export const KEEP_HEADER = 'x-pool-keep';
/** Header of a saved response: when it came, Unix seconds. */
export const SAVED_AT = 'pool-saved-at';

export type PrefetchCalls = { calls: string[]; defaults: Record<string, string> };
