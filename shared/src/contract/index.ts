/** The contract between the shell and a remote. A change is a release: see CONTRACT and CHANGELOG.md. */
import type { QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import type { PoolAbility } from './ability';
import type { ApiClient } from '../api/client';
import type { AlgorithmName } from '../domain';
import type { Language } from '../i18n/languages';
import type { SlotPlace } from './remote-schema';

/** What the shell knows about a remote before it runs the remote's code. */
export type {
  CountOfCall,
  NavEntry,
  NavIcon,
  PageShape,
  Picker,
  RemoteManifest,
  RemoteSource,
  SlotOffer,
  SlotPlace,
} from './remote-schema';

/** Not exported by `@pool/shared`: an import from here becomes part of the remote's own bundle. */
export const CONTRACT = 1;

/** The part of react-router's navigator that a remote's router needs. */
export type RemoteNavigator = {
  /** Where the browser is now. The router's own location is that of its last render, which may be an earlier one. */
  readonly location: { pathname: string; search: string };
  createHref(to: unknown): string;
  go(delta: number): void;
  push(to: unknown, state?: unknown, options?: unknown): void;
  replace(to: unknown, state?: unknown, options?: unknown): void;
};

type RemoteLocation = { pathname: string; search: string; hash: string; state: unknown; key: string };

/** The signed-in user, and the account and algorithm the pages show. */
export type Session = {
  userId: string;
  userName: string;
  email: string | null;
  isLegacyUser: boolean;
  /** Sub-account the pages show (from `?account=`, else the primary); `ALL_ACCOUNTS` only where `remote.json` takes it. */
  account: string;
  /** Names of the sub-accounts the user may choose. Before 1.1.0: none. */
  accounts?: readonly string[];
  /** Algorithm the pages show (from `?algorithm=`, else the default). */
  algorithm: AlgorithmName;
  /** Set while an admin views another user's pages. */
  viewingAs?: string;
};

export type Settings = {
  mode: 'light' | 'dark' | 'semi-dark' | 'system';
  language: Language;
  direction: 'ltr' | 'rtl';
  timeZone: 'utc' | 'local';
  /** Primary colour, `#rrggbb`; absent: the pool's red. */
  themeColor?: string;
  skin?: 'default' | 'bordered';
  /** Where on the screen toasts appear; absent: `top-right`. */
  toastPosition?: ToastPosition;
  /** `none`: no amounts in dollars beside those in bitcoin. */
  currency?: 'usd' | 'none';
};

export type ToastPosition = `${'top' | 'bottom'}-${'left' | 'center' | 'right'}`;

export type RemoteServices = {
  /** A call that needs a recent sign-in asks for the password in a dialog, and runs again or rejects. */
  api: ApiClient;
  queryClient: QueryClient;
  ability: PoolAbility;
  i18n: i18n;
  settings: Settings;
  session: Session;
  /** Addresses of pages of other remotes that the user has, by `<remote>.<id>` (PageLink). */
  pages: Readonly<Record<string, string>>;
  /** Shows the parts of remotes for a place of a page in `element` (`Slot`). Returns what ends it. Before 1.1.0: none. */
  openSlot?(element: HTMLElement, place: SlotPlace, facts: SlotFacts): () => void;
  /** Parts of the remote that are on for this user (`flags` of `remote.json`). Before 1.1.0: none. */
  flags?: readonly string[];
  /** Reports an error to the shell. */
  report(error: unknown): void;
};

/** What a place of a page is about; `id`: of the worker whose details are shown. */
export type SlotFacts = { id?: number };

export type RemoteProps = {
  basePath: string;
  location: RemoteLocation;
  navigator: RemoteNavigator;
  services: RemoteServices;
  /** What the part's place is about; absent for the pages of a remote. */
  slot?: SlotFacts;
};

/** Arguments of a lifecycle function: the props, and the element to render into. */
export type MountProps = RemoteProps & { name: string; domElement: HTMLElement };
type Lifecycle = (props: MountProps) => Promise<unknown>;

/** Created only by `defineRemote()` and `defineSlot()`, called only by the shell. */
export type RemoteLifecycles = { bootstrap: Lifecycle; mount: Lifecycle; update: Lifecycle; unmount: Lifecycle };

/** The module that a remote exposes as `./app`. `contract`: the value of CONTRACT it was built with. */
export type RemoteModule = RemoteLifecycles & { contract: number };
