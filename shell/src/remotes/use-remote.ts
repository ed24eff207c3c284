import { withSubjects, type RemoteManifest, type RemoteProps, type RemoteServices, type SlotFacts } from '@pool/shared';
import { isLeaving, RemoteCrash } from '@pool/shared/remote';
import { LIVE_KEYS } from '@pool/shared/query';
import { hasPage } from '@pool/shared/remote-pages';
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
  type RefObject,
  type SetStateAction,
} from 'react';
import { carryingNavigator, carriedSearch } from '../session/carried-params';
import { failureOf, RemoteFailure } from './failure';
import { loadRemoteModule, runningModule, type Exposed } from './federation';
import { beginMount, reportFailure } from './mount-report';
import { MountedRemote } from './mounted-remote';
import { watchLine, type SlowLine } from './silence';

/** Time for which a withdrawn page says so before it is replaced. */
const NOTICE_MS = 3_000;

/** Fields that the user has typed in. */
const typed = new WeakSet<EventTarget>();
document.addEventListener('input', ({ target }) => target && typed.add(target));

const askForList = ({ queryClient }: RemoteServices): void =>
  void queryClient.invalidateQueries({ queryKey: LIVE_KEYS.remotes });

/** While the line is silent the panel is shown; it goes by itself when something comes. */
type State = { phase: 'loading' | 'mounted'; line?: SlowLine } | { phase: 'failed'; failure: RemoteFailure };

type SetState = Dispatch<SetStateAction<State>>;
type Shown = { manifest: RemoteManifest; services: RemoteServices; slot?: { part: string; facts: SlotFacts } };

type Remote = {
  /** The version that is mounted, or is being. */
  manifest: RemoteManifest;
  phase: State['phase'];
  line: SlowLine | undefined;
  failure: RemoteFailure | null;
  isWithdrawn: boolean;
  wasTried: boolean;
  /** Mounts the newest version. */
  replace(): void;
  /** The remote's element is below it. */
  host: RefObject<HTMLDivElement | null>;
};

/** Loads a remote, or a part of it for a slot, and mounts it. Its failures stay inside. */
export function useRemote({ manifest: newest, services, slot }: Shown): Remote {
  // A deploy while the page is open changes the manifest; the mounted version stays until the user comes back to the
  // page, unless it fails, is withdrawn, or lacks the page that a new link of the menu opens.
  const [manifest, setManifest] = useState(newest);
  const [attempt, setAttempt] = useState(0);
  const exposed: Exposed = slot ? `slots/${slot.part}` : 'app';
  const [state, setState] = useState<State>({ phase: runningModule(newest, exposed) ? 'mounted' : 'loading' });
  const failed = state.phase === 'failed';
  const props = useMountProps({ manifest, services, slot }, setState);
  const host = useMounted({ manifest, exposed, attempt, failed, props, setState });
  const isWithdrawn = newest.withdrawn?.includes(manifest.version) ?? false;
  const replace = () => {
    setManifest(newest);
    setAttempt((n) => n + 1);
    setState({ phase: 'loading' });
  };
  const { pathname } = useLocation();
  const lacksPage = !slot && hasPage(newest, pathname) && !hasPage(manifest, pathname);
  const due = failed || lacksPage ? 0 : isWithdrawn ? NOTICE_MS : null;
  useReplaced(newest.version === manifest.version ? null : due, async () => {
    const carry = isWithdrawn && (await import(/* webpackChunkName: "idle" */ './typed-input').catch(() => null));
    if (carry) carry.carryTyped(typed);
    replace();
  });
  const slow = useMemo(() => new RemoteFailure('slow', manifest.name), [manifest]);
  const line = failed ? undefined : state.line;
  const failure = failed ? state.failure : line?.isSilent ? slow : null;
  return { manifest, phase: state.phase, line, failure, isWithdrawn, wasTried: attempt > 0, replace, host };
}

/** What the remote gets: its place, the shell's services with its own subjects, and whom it tells that it broke. */
function useMountProps({ manifest, services, slot }: Shown, setState: SetState): RemoteProps {
  const location = useLocation();
  const { navigator, basename } = useContext(NavigationContext);
  const search = carriedSearch(location.search);
  return useMemo(
    () => ({
      basePath: manifest.basePath,
      location,
      slot: slot?.facts,
      navigator: carryingNavigator(navigator, search, basename),
      services: {
        ...services,
        ability: withSubjects(services.ability, manifest),
        flags: manifest.flags,
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
    [manifest, location, navigator, basename, search, services, slot?.facts, setState],
  );
}

type Mount = {
  manifest: RemoteManifest;
  exposed: Exposed;
  attempt: number;
  failed: boolean;
  props: RemoteProps;
  setState: SetState;
};

/** Loads the remote and mounts it in an element of its own below the returned one, with the latest props. */
function useMounted({ manifest, exposed, attempt, failed, props, setState }: Mount) {
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
    const loaded = attempt === 0 ? runningModule(manifest, exposed) : null;
    const endMount = beginMount(manifest);
    const endWatch = loaded
      ? () => undefined
      : watchLine((line) => {
          if (line.isSilent) reportFailure(manifest, new RemoteFailure('slow', manifest.name));
          setState((now) => (now.phase === 'failed' ? now : { ...now, line }));
        });
    const mount = async () => {
      const module = await (loaded ?? loadRemoteModule(manifest, attempt, exposed));
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
  }, [manifest, exposed, attempt, failed, setState]);
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
