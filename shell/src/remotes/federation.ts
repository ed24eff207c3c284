/** Loads remotes: with `fit.ts` and `shared-parts.ts`, all that uses the federation runtime. */
import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import type { RemoteLifecycles, RemoteManifest, RemoteModule } from '@pool/shared';
import { RemoteFailure } from './failure';
import { checkFit } from './fit';
import { addResourceHint, markRetry, prepareFile, rememberHashes, withRetryMark } from './integrity';
import { whenTold } from './mount-report';
import { resetFailedShares } from './shared-parts';
import { loadParts } from './ui-parts';

/** The runtime gives a file up after 20 s by default, also one that comes slowly. */
const NO_LIMIT_MS = 2 ** 31 - 1;

registerPlugins([
  {
    name: 'pool-scripts',
    createScript({ url }) {
      const script = document.createElement('script');
      script.src = url;
      script.async = true;
      script.crossOrigin = 'anonymous';
      prepareFile(script);
      return { script, timeout: NO_LIMIT_MS };
    },
  },
]);

const registered = new Map<string, string>();
const federationName = (name: string): string => `pool_${name.replaceAll('-', '_')}`;

function register(manifest: RemoteManifest, attempt: number): void {
  rememberHashes(manifest.files);
  if (attempt > 0) markRetry(manifest.entry, attempt);
  const entry = withRetryMark(manifest.entry);
  if (registered.get(manifest.name) === entry) return;
  const again = registered.has(manifest.name);
  if (again) resetFailedShares();
  registerRemotes(
    [{ name: federationName(manifest.name), entry, type: 'global', entryGlobalName: federationName(manifest.name) }],
    { force: again },
  );
  registered.set(manifest.name, entry);
}

/** Whether it was asked for, in any version. */
export const wasLoaded = ({ name }: RemoteManifest): boolean => registered.has(name);

/** Asks for what the entry will ask for when it has run: the files of the first page, and the parts it is made of. */
function requestFirstPage(manifest: RemoteManifest): void {
  for (const url of manifest.preload) addResourceHint('preload', url, { integrity: manifest.files?.[url] ?? '' });
  loadParts(manifest);
}

/** What a remote exposes: its pages, or a part for a slot (`./slots/<part>`). */
export type Exposed = 'app' | `slots/${string}`;

/** Modules that have run, by the URL of their remote's entry and their name. */
const running = new Map<string, RemoteLifecycles>();
const keyOf = ({ entry }: RemoteManifest, exposed: Exposed): string => entry + exposed;

/** A module of this version of a remote, if it has run. */
export const runningModule = (manifest: RemoteManifest, exposed: Exposed = 'app'): RemoteLifecycles | null =>
  running.get(keyOf(manifest, exposed)) ?? null;

/** Loads a module of a remote, however long it takes, and checks its contract. `attempt` counts the Retries. */
export async function loadRemoteModule(
  manifest: RemoteManifest,
  attempt = 0,
  exposed: Exposed = 'app',
): Promise<RemoteLifecycles> {
  // The federation runtime takes a while: not in the task that draws the page around the remote.
  await new Promise((resolve) => setTimeout(resolve));
  await whenTold(manifest);
  checkFit(manifest);
  let module: RemoteModule | null;
  try {
    register(manifest, attempt);
    if (attempt === 0 && exposed === 'app') requestFirstPage(manifest);
    module = await loadRemote<RemoteModule>(`${federationName(manifest.name)}/${exposed}`);
  } catch (error) {
    throw error instanceof RemoteFailure ? error : new RemoteFailure('unreachable', manifest.name, error);
  }
  if (!module) throw new RemoteFailure('unreachable', manifest.name);
  // A part has no contract of its own.
  if (exposed === 'app') checkFit({ ...manifest, contract: module.contract });
  running.set(keyOf(manifest, exposed), module);
  return module;
}
