/** Names that pages and the worker both use. */
export const WORKER_URL = '/service-worker.js';
/** Header of a kept answer, and meta tag of a kept page: when it was kept, Unix seconds. */
export const SAVED_AT = 'pool-saved';
/** Header of a request for kept answers (`cache: 'only-if-cached'`): the user whose page asks. */
export const USER_HEADER = 'pool-user';
/** Message of a page whose session has ended. */
export const FORGET = 'forget';
/** Message that asks for the name of the worker's build. */
export const BUILD = 'build';
