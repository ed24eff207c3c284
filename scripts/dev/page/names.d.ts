/// <reference types="webpack/module" />
/** Names that the build replaces (webpack.base.cjs). */

declare module 'pool-remote' {
  const app: import('@pool/shared').RemoteModule;
  export const contract: typeof app.contract;
  export const bootstrap: typeof app.bootstrap;
  export const mount: typeof app.mount;
  export const update: typeof app.update;
  export const unmount: typeof app.unmount;
}
/** Takes hot updates of this build: the middleware's own client. */
declare module 'pool-hot' {
  export { setOptionsAndConnect, subscribe, subscribeAll } from 'webpack-dev-middleware/client';
}
