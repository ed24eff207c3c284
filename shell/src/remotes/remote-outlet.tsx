import { withSubjects, type RemoteManifest, type RemoteProps, type RemoteServices } from '@pool/shared';
import { isLeaving, RemoteCrash } from '@pool/shared/remote';
import { useTranslation } from '@pool/shared/i18n';
import { LIVE_KEYS } from '@pool/shared/query';
import { NavigationContext, useLocation } from '@pool/shared/router';
import {
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type Dispatch,
  type SetStateAction,
} from 'react';
import { Banner } from '../layout/banner';
import { carryingNavigator, carriedSearch } from '../session/carried-params';
import { FailurePanel } from './failure-panel';
import { failureOf, RemoteFailure } from './failure';
import { loadRemoteModule, runningModule } from './federation';
import { beginMount, reportFailure } from './mount-report';
import { MountedRemote } from './mounted-remote';
import { OutletSkeleton } from './outlet-skeleton';
import { watchLine, type SlowLine } from './silence';

/** A page that is withdrawn says so for so long before it is replaced. */
const NOTICE_MS = 3_000;

/** Fields that the user has typed in. */
const typed = new WeakSet<EventTarget>();
document.addEventListener('input', ({ target }) => target && typed.add(target));

const askForList = ({ queryClient }: RemoteServices): void =>
  void queryClient.invalidateQueries({ queryKey: LIVE_KEYS.remotes });

/** While the line is silent the panel is shown; it goes by itself when something comes. */
type State = { phase: 'loading' | 'mounted'; line?: SlowLine } | { phase: 'failed'; failure: RemoteFailure };

type SetState = Dispatch<SetStateAction<State>>;
type Props = { manifest: RemoteManifest; services: RemoteServices };

/** Renders a remote. Its failures stay inside: a panel with Retry, without a reload. */
export function RemoteOutlet({ manifest: newest, services }: Props) {
  const { t } = useTranslation();
  // A deploy while the page is open changes the manifest; the mounted version stays until the user comes back to the
  // page, unless it fails or is withdrawn.
  const [manifest, setManifest] = useState(newest);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>({ phase: runningModule(newest) ? 'mounted' : 'loading' });
  const failed = state.phase === 'failed';
  const props = useMountProps({ manifest, services }, setState);
  const host = useMounted({ manifest, attempt, failed, props, setState });
  const isWithdrawn = newest.withdrawn?.includes(manifest.version);
  const replace = () => {
    setManifest(newest);
    setAttempt((n) => n + 1);
    setState({ phase: 'loading' });
  };
  useReplaced(newest.version === manifest.version ? null : failed ? 0 : isWithdrawn ? NOTICE_MS : null, async () => {
    const carry = isWithdrawn && (await import('./typed-input').catch(() => null));
    if (carry) carry.carryTyped(typed);
    replace();
  });
  const slow = useMemo(() => new RemoteFailure('slow', manifest.name), [manifest]);
  const failure = failed ? state.failure : state.line?.isSilent ? slow : null;
  return (
    <>
      {state.phase === 'loading' && !failure && <OutletSkeleton shape={manifest.shape ?? 'charts'} line={state.line} />}
      {failure && <FailurePanel failure={failure} wasTried={attempt > 0} onRetry={replace} />}
      {isWithdrawn && !failed && <Banner>{t('remote.withdrawn')}</Banner>}
      <div ref={host} data-remote={manifest.name} data-phase={state.phase} hidden={failed} />
    </>
  );
}

/** What the remote gets: its place, the shell's services with its own subjects, and whom it tells that it broke. */
function useMountProps({ manifest, services }: Props, setState: SetState): RemoteProps {
  const location = useLocation();
  const { navigator, basename } = useContext(NavigationContext);
  const search = carriedSearch(location.search);
  return useMemo(
    () => ({
      basePath: manifest.basePath,
      location,
      navigator: carryingNavigator(navigator, search, basename),
      services: {
        ...services,
        ability: withSubjects(services.ability, manifest),
        report(error: unknown) {
          if (error instanceof RemoteCrash) {
            const failure = failureOf(error.cause, manifest.name);
            if (!isLeaving()) reportFailure(manifest, failure);
            setState({ phase: 'failed', failure });
          }
          if (!isLeaving()) services.report(error);
        },
      },
    }),
    [manifest, location, navigator, basename, search, services, setState],
  );
}

type Mount = { manifest: RemoteManifest; attempt: number; failed: boolean; props: RemoteProps; setState: SetState };

/** Loads the remote and mounts it in an element of its own below the returned one, with the latest props. */
function useMounted({ manifest, attempt, failed, props, setState }: Mount) {
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedRemote | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  }, [props]);
  // This runs before the paint: a page whose code has run takes the place of the one before it in one frame.
  useLayoutEffect(() => {
    if (failed || !host.current) return;
    let current = true;
    let instance: MountedRemote | null = null;
    const element = host.current.appendChild(document.createElement('div'));
    const loaded = attempt === 0 ? runningModule(manifest) : null;
    const endMount = beginMount(manifest);
    const endWatch = loaded
      ? () => undefined
      : watchLine((line) => {
          if (line.isSilent) reportFailure(manifest, new RemoteFailure('slow', manifest.name));
          setState((now) => (now.phase === 'failed' ? now : { ...now, line }));
        });
    const mount = async () => {
      const module = await (loaded ?? loadRemoteModule(manifest, attempt));
      if (!current) return;
      // Made visible before it mounts: a page that measures itself in its first render needs a width.
      setState({ phase: 'mounted' });
      instance = new MountedRemote(module, element, manifest.name, latest.current);
      await instance.ready;
      if (!current) return;
      endWatch();
      setState((now) => (now.phase === 'failed' ? now : { phase: 'mounted' }));
      endMount(true);
      mounted.current = instance;
      instance.update(latest.current);
    };
    mount().catch((error: unknown) => {
      if (!current) return;
      endWatch();
      const failure = failureOf(error, manifest.name);
      if (!isLeaving()) {
        reportFailure(manifest, failure);
        latest.current.services.report(error);
      }
      // Its files may be gone because another version is served.
      if (failure.isOfNetwork) askForList(latest.current.services);
      setState({ phase: 'failed', failure });
    });
    return () => {
      current = false;
      endWatch();
      endMount(false);
      mounted.current = null;
      void (instance?.stop(latest.current) ?? Promise.resolve()).then(() => element.remove());
    };
  }, [manifest, attempt, failed, setState]);
  useEffect(() => mounted.current?.update(props), [props]);
  return host;
}

/** Calls `replace` after so many milliseconds; null: not at all. */
function useReplaced(after: number | null, replace: () => Promise<void>): void {
  const onDue = useEffectEvent(replace);
  useEffect(() => {
    if (after === null) return;
    const timer = setTimeout(() => void onDue(), after);
    return () => clearTimeout(timer);
  }, [after]);
}
