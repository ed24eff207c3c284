/** What a remote is made with. */
export { defineRemote, RemoteCrash } from './define-remote';
export { ServicesProvider, useApi, useServices, useSession, useSettings } from './services';
export { AbilityProvider, useAbility } from '@casl/react';
