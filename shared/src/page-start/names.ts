/** Names of what the parts of a page's start leave for each other (docs/architecture.md, "How a page starts"). */

/** `<script type="application/json">`: `PageStart`. Server to inline script and shell. */
export const ID_START = 'pool-start';
/** The same: `SentView`. Server to inline script. */
export const ID_VIEW = 'pool-view';
/** The same: `PublicConfig`. Server to shell. */
export const ID_CONFIG = 'pool-config';
/** The same: `ShellBuild`. Build to shell. */
export const ID_BUILD = 'pool-build';
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
