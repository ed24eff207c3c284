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
/** Hot updates of this build, as the middleware's own client takes them. */
declare module 'pool-hot' {
  export { subscribe, subscribeAll } from 'webpack-dev-middleware/client';
}
