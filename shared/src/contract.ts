/**
 * What the shell and a remote promise each other. Changing anything here is a release:
 * bump CONTRACT, say so in CHANGELOG.md, and keep the old remotes in the tests.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import type { PoolAbility } from './ability';
import type { ApiClient } from './api/client';
import type { Language } from './i18n/languages';

/** What the shell knows of a remote before it runs any of its code. */
export type { NavCount, NavEntry, NavIcon, PageShape, RemoteManifest, RemoteSource } from './remote-schema';

/** Not in `@pool/shared` itself, which the shell provides: imported from here it becomes part of the remote's own files. */
export const CONTRACT = 1;

/** The part of react-router's navigator a remote's own router needs. */
export type RemoteNavigator = {
  createHref(to: unknown): string;
  go(delta: number): void;
  push(to: unknown, state?: unknown, options?: unknown): void;
  replace(to: unknown, state?: unknown, options?: unknown): void;
};

type RemoteLocation = { pathname: string; search: string; hash: string; state: unknown; key: string };

/** Who is signed in and which account the pages look at. */
export type Session = {
  userId: string;
  userName: string;
  email: string | null;
  isLegacyUser: boolean;
  /** Sub-account the pages show (from `?account=`, else the primary). */
  account: string;
  /** Algorithm the pages show (from `?algorithm=`, else the default). */
  algorithm: import('./domain').AlgorithmName;
  /** Set while an admin looks at somebody else's pages. */
  viewingAs?: string;
};

export type Settings = {
  mode: 'light' | 'dark' | 'semi-dark' | 'system';
  language: Language;
  direction: 'ltr' | 'rtl';
  timeZone: 'utc' | 'local';
};

export type RemoteServices = {
  api: ApiClient;
  queryClient: QueryClient;
  ability: PoolAbility;
  i18n: i18n;
  settings: Settings;
  session: Session;
  /** Sends an error to the shell's one place for errors. */
  report(error: unknown): void;
};

export type RemoteProps = {
  basePath: string;
  location: RemoteLocation;
  navigator: RemoteNavigator;
  services: RemoteServices;
};

/** What a lifecycle is called with: the props, and the element to render into. */
export type MountProps = RemoteProps & { name: string; domElement: HTMLElement };
type Lifecycle = (props: MountProps) => Promise<unknown>;

/** Made only by `defineRemote()`; driven only by the shell's `RemoteOutlet`. */
export type RemoteLifecycles = { bootstrap: Lifecycle; mount: Lifecycle; update: Lifecycle; unmount: Lifecycle };

/** The one module a remote exposes, `./app`. `contract` is CONTRACT as the remote was built with it. */
export type RemoteModule = RemoteLifecycles & { contract: number };
