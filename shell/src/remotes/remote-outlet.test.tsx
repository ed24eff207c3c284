import { ALL_ACCOUNTS, type RemoteManifest, type RemoteModule } from '@pool/shared';
import { CONTRACT } from '@pool/shared/contract';
import { defineRemote, useAbility, useServices, useSession } from '@pool/shared/remote';
import { LIVE_KEYS } from '@pool/shared/query';
import { Route, Routes, useNavigate } from '@pool/shared/router';
import { renderPage } from '@pool/shared/testing';
import { act, screen, waitFor } from '@testing-library/react';
import { lazy, useMemo, useState, type ComponentType } from 'react';
import { RemoteOutlet } from './remote-outlet';
import { SILENCE_MS } from './silence';
import { remoteManifest } from './testing/manifest';

const loadRemote = jest.fn<Promise<unknown>, [string]>();
const registerRemotes = jest.fn();
jest.mock('@module-federation/enhanced/runtime', () => ({
  loadRemote: (id: string) => loadRemote(id),
  registerRemotes: (...args: unknown[]) => registerRemotes(...args),
  registerPlugins: () => undefined,
  getInstance: () => null,
  satisfy: jest.requireActual<typeof import('@module-federation/enhanced/runtime')>(
    '@module-federation/enhanced/runtime',
  ).satisfy,
}));

let count = 0;
/** A new name for each test: a registered remote stays registered for the life of the page. */
const manifest = (over: Partial<RemoteManifest> = {}): RemoteManifest =>
  remoteManifest(`test${(count += 1)}`, { basePath: '/test', ...over });

const reported = jest.fn();
function Outlet({ of }: { of: RemoteManifest }) {
  const services = useServices();
  const quiet = useMemo(() => ({ ...services, report: reported }), [services]);
  return <RemoteOutlet manifest={of} services={quiet} />;
}
const show = (of: RemoteManifest, path = '/test/') => renderPage(<Outlet of={of} />, { path });
const retry = () => screen.findByRole('button', { name: 'Retry' });

function Page() {
  const { account } = useSession();
  const navigate = useNavigate();
  return (
    <>
      <h1>Page of {account}</h1>
      <button onClick={() => void navigate('/test/more')}>more</button>
    </>
  );
}
const remoteOf = (App: ComponentType): RemoteModule => ({ contract: CONTRACT, ...defineRemote(App) });
const app = () =>
  remoteOf(() => (
    <Routes>
      <Route index element={<Page />} />
      <Route path="more" element={<h1>More</h1>} />
    </Routes>
  ));

/** What the browser says when a file has come; jsdom says nothing. */
let heard: ((path: string) => void)[] = [];
beforeEach(() => {
  heard = [];
  globalThis.PerformanceObserver = class {
    constructor(hear: (list: { getEntries: () => { name: string }[] }) => void) {
      heard.push((path) => hear({ getEntries: () => [{ name: `${location.origin}${path}` }] }));
    }
    observe() {}
    disconnect() {}
  } as unknown as typeof PerformanceObserver;
});
beforeEach(() => {
  loadRemote.mockReset();
  registerRemotes.mockReset();
  reported.mockReset();
});

it("mounts a remote with the shell's session and follows the shell's location", async () => {
  loadRemote.mockResolvedValue(app());
  const { user } = await show(manifest());
  expect(await screen.findByRole('heading', { name: 'Page of northfield' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'more' }));
  expect(await screen.findByRole('heading', { name: 'More' })).toBeVisible();
});

it('asks which sub-account first where all are chosen, unless the remote knows them all or none', async () => {
  loadRemote.mockResolvedValue(app());
  const session = { account: ALL_ACCOUNTS, accounts: ['northfield', 'barn'] };
  const open = (of: RemoteManifest) => renderPage(<Outlet of={of} />, { path: '/test/?account=ALL', session });
  const { unmount } = await open(manifest());
  expect(screen.getByText('This page is about one sub-account. Which one?')).toBeVisible();
  expect(screen.getByRole('link', { name: 'barn' })).toHaveAttribute('href', '/test/?account=barn');
  expect(loadRemote).not.toHaveBeenCalled();
  unmount();
  for (const over of [{ allAccounts: true }, { pickers: [] }]) {
    const page = await open(manifest(over));
    expect(await screen.findByRole('heading', { name: 'Page of ALL' })).toBeVisible();
    page.unmount();
  }
});

it('lets its pages ask for permissions of its own', async () => {
  const Mine = () => <h1>{useAbility().can('manage', 'test.limits') ? 'May change' : 'May not'}</h1>;
  loadRemote.mockResolvedValue(remoteOf(Mine));
  const [read, manage] = (['read', 'manage'] as const).map((action) => ({ action, subject: 'workers' as const }));
  await show(manifest({ subjects: { 'test.limits': { read: read!, manage } } }));
  expect(await screen.findByRole('heading', { name: 'May change' })).toBeVisible();
});

it('shows a panel in place of a remote that is down, and Retry loads it under a new URL', async () => {
  const down = manifest();
  loadRemote.mockRejectedValueOnce(new Error('net::ERR_FAILED')).mockResolvedValue(app());
  const { user } = await show(down);
  expect(await screen.findByRole('alert')).toHaveAttribute('data-failure', 'unreachable');
  await user.click(await retry());
  expect(await screen.findByRole('heading', { name: 'Page of northfield' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(registerRemotes.mock.calls.map(([[remote]]) => (remote as { entry: string }).entry)).toEqual([
    down.entry,
    `${down.entry}?r=1`,
  ]);
});

it.each([
  ['a newer contract', { contract: CONTRACT + 1 }, 'shellBehind', 'the shell has to be deployed'],
  ['an older contract', { contract: CONTRACT - 1 }, 'remoteBehind', 'the remote has to be built and deployed again'],
  [
    'a newer shared',
    { shared: '^2.999.0' },
    'shellBehind',
    'built for contract 1, shared ^2.999.0, newer than this page',
  ],
  [
    'a shared of the last release',
    { shared: '^0.9.0' },
    'remoteBehind',
    'the remote has to be built and deployed again',
  ],
])('does not load a remote built for %s, and reports which side is older', async (_, over, reason, words) => {
  await show(manifest(over));
  const panel = await screen.findByRole('alert');
  expect(panel).toHaveAttribute('data-failure', reason);
  expect(panel).toHaveTextContent(words);
  expect(loadRemote).not.toHaveBeenCalled();
});

it('does not mount a module with another contract than its manifest', async () => {
  const mount = jest.fn();
  loadRemote.mockResolvedValue({ ...app(), mount, contract: CONTRACT + 1 });
  await show(manifest());
  expect(await screen.findByRole('alert')).toHaveAttribute('data-failure', 'shellBehind');
  expect(mount).not.toHaveBeenCalled();
});

const network = (online: boolean) => {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  act(() => void dispatchEvent(new Event(online ? 'online' : 'offline')));
};

describe('a remote that throws', () => {
  // React prints the errors that a boundary catches.
  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  it('in its first render is replaced by the panel', async () => {
    loadRemote
      .mockResolvedValueOnce(
        remoteOf(() => {
          throw new Error('boom');
        }),
      )
      .mockResolvedValue(app());
    const { user } = await show(manifest());
    expect(await screen.findByRole('alert')).toHaveAttribute('data-failure', 'crashed');
    await waitFor(() =>
      expect(reported).toHaveBeenCalledWith(expect.objectContaining({ name: 'RemoteCrash', message: 'boom' })),
    );
    await user.click(await retry());
    expect(await screen.findByRole('heading', { name: 'Page of northfield' })).toBeVisible();
  });

  it('because the browser leaves the page, and cancels its files, is told to nobody', async () => {
    const Missing = lazy(() => Promise.reject(Object.assign(new Error('Loading chunk 7'), { name: 'ChunkLoadError' })));
    loadRemote.mockResolvedValueOnce(remoteOf(() => <Missing />));
    dispatchEvent(new Event('beforeunload'));
    await show(manifest());
    await screen.findByRole('alert');
    expect(reported).not.toHaveBeenCalled();
  });

  it('because a file of its page could not be fetched offline says so, and opens when the network is back', async () => {
    const Missing = lazy(() => Promise.reject(Object.assign(new Error('Loading chunk 7'), { name: 'ChunkLoadError' })));
    loadRemote.mockResolvedValueOnce(remoteOf(() => <Missing />)).mockResolvedValue(app());
    network(false);
    await show(manifest());
    expect(await screen.findByRole('alert')).toHaveTextContent('You are offline.');
    network(true);
    expect(await screen.findByRole('heading', { name: 'Page of northfield' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

/** `deploy` lists the next version of the remote in the open page. */
function Deploying({ first, next }: { first: RemoteManifest; next: RemoteManifest }) {
  const [of, setOf] = useState(first);
  return (
    <>
      <button onClick={() => setOf(next)}>deploy</button>
      <Outlet of={of} />
    </>
  );
}
const versionOf = (first: RemoteManifest, over: Partial<RemoteManifest> = {}): RemoteManifest => ({
  ...first,
  version: '2',
  entry: first.entry.replace('/1/', '/2/'),
  ...over,
});
const deploy = () => act(async () => screen.getByRole('button', { name: 'deploy' }).click());

const Typing = ({ title }: { title: string }) => {
  const [code, setCode] = useState('');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h1>{title}</h1>
      <input aria-label="Code" value={code} onChange={(event) => setCode(event.target.value)} />
      <output>{code}</output>
      <button onClick={() => setOpen(true)}>open</button>
      {isOpen && <textarea aria-label="Note" />}
    </>
  );
};

it('keeps the mounted version when another is deployed, and replaces one that is withdrawn after a notice, with what was typed', async () => {
  loadRemote.mockResolvedValueOnce(app()).mockResolvedValue(remoteOf(() => <h1>Version before</h1>));
  const first = manifest();
  const plain = await renderPage(<Deploying first={first} next={versionOf(first)} />, { path: '/test/' });
  expect(await screen.findByRole('heading', { name: 'Page of northfield' })).toBeVisible();
  await deploy();
  expect(screen.getByRole('heading', { name: 'Page of northfield' })).toBeVisible();
  expect(screen.queryByText(/has withdrawn this version/)).toBeNull();
  await act(async () => plain.unmount());

  const bad = manifest();
  loadRemote
    .mockResolvedValueOnce(remoteOf(() => <Typing title="Bad version" />))
    .mockResolvedValue(remoteOf(() => <Typing title="Version before" />));
  const { user } = await renderPage(<Deploying first={bad} next={versionOf(bad, { withdrawn: ['1'] })} />, {
    path: '/test/',
  });
  expect(await screen.findByRole('heading', { name: 'Bad version' })).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Code' }), 'ABC');
  await user.click(screen.getByRole('button', { name: 'open' }));
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'half a');
  jest.useFakeTimers();
  try {
    await deploy();
    expect(screen.getByText(/has withdrawn this version/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Bad version' })).toBeVisible();
    await act(() => jest.advanceTimersByTimeAsync(5_000));
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(screen.getByRole('heading', { name: 'Version before' })).toBeVisible();
    expect(screen.queryByText(/has withdrawn this version/)).toBeNull();
  } finally {
    jest.useRealTimers();
  }
  // What was typed is in the field that is there, and in the one that is opened again.
  expect(screen.getByRole('textbox', { name: 'Code' })).toHaveValue('ABC');
  expect(screen.getByRole('status')).toHaveTextContent('ABC');
  await user.click(screen.getByRole('button', { name: 'open' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Note' })).toHaveValue('half a'));
});

it('takes another version by itself in place of one that failed, and offers a reload when Retry fails', async () => {
  loadRemote.mockRejectedValueOnce(new Error('gone')).mockRejectedValueOnce(new Error('gone')).mockResolvedValue(app());
  const first = manifest();
  const { user, services } = await renderPage(<Deploying first={first} next={versionOf(first)} />, { path: '/test/' });
  const button = await retry();
  services.queryClient.setQueryData(LIVE_KEYS.remotes, []);
  await user.click(button);
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
  // The list is asked for again: another version may have been deployed in its place.
  expect(services.queryClient.getQueryState(LIVE_KEYS.remotes)?.isInvalidated).toBe(true);
  await deploy();
  expect(await screen.findByRole('heading', { name: 'Page of northfield' })).toBeVisible();
});

it('opens a page that the mounted version does not have in the new one', async () => {
  loadRemote.mockResolvedValueOnce(remoteOf(Page)).mockResolvedValue(remoteOf(() => <h1>More, new</h1>));
  const first = manifest({ pages: ['/test'] });
  const next = versionOf(first, { pages: ['/test', '/test/more'] });
  const { user } = await renderPage(<Deploying first={first} next={next} />, { path: '/test/' });
  await deploy();
  expect(screen.getByRole('heading', { name: 'Page of northfield' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'more' }));
  expect(await screen.findByRole('heading', { name: 'More, new' })).toBeVisible();
});

const comes = (path: string) => act(async () => heard.forEach((hear) => hear(path)));
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

it('a slow line loads for as long as files come; a silent one has the panel, which goes by itself', async () => {
  jest.useFakeTimers();
  const files = [0, 1, 2, 3, 4, 5].map((n) => {
    const file = document.head.appendChild(document.createElement('script'));
    file.src = `/remotes/test/${n}.js`;
    return file;
  });
  try {
    let arrive: (module: RemoteModule) => void = () => undefined;
    loadRemote.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
    await show(manifest());
    for (let n = 0; n < 6; n += 1) {
      await pass(SILENCE_MS - 1000);
      expect(screen.getByRole('status', { name: 'Loading' })).toHaveTextContent(`${n} of 6 files of this page`);
      await comes(`/remotes/test/${n}.js`);
      // Loaders remove the tag of a file that is here.
      files[n]?.remove();
    }
    // Answers of the API come all the time, also beside a file that hangs.
    await pass(SILENCE_MS - 1000);
    await comes('/api/liveWorkers/');
    await pass(1000);
    expect(screen.getByRole('alert')).toHaveAttribute('data-failure', 'slow');
    expect(reported).not.toHaveBeenCalled();
    await comes('/remotes/test/last.js');
    expect(screen.queryByRole('alert')).toBeNull();
    await pass(SILENCE_MS);
    expect(screen.getByRole('alert')).toBeVisible();
    await act(async () => arrive(app()));
    await pass(100);
    expect(screen.getByRole('heading', { name: 'Page of northfield' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(loadRemote).toHaveBeenCalledTimes(1);
  } finally {
    jest.useRealTimers();
  }
});

it('one file that comes byte by byte is loading for as long as it does; half of one that hangs is silence', async () => {
  const file = document.head.appendChild(document.createElement('script'));
  file.src = '/remotes/test/large.js';
  jest.useFakeTimers();
  try {
    let more: (part: { done: boolean }) => void = () => undefined;
    const read = () => new Promise<{ done: boolean }>((resolve) => (more = resolve));
    const asked = jest.fn((_url: string, { cache }: RequestInit) =>
      Promise.resolve({ cache, body: { getReader: () => ({ read }) } }),
    );
    globalThis.fetch = asked as unknown as typeof fetch;
    loadRemote.mockReturnValue(new Promise(() => undefined));
    await show(manifest());
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await pass(5000);
      await act(async () => more({ done: false }));
      expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
    }
    await pass(SILENCE_MS);
    expect(screen.getByRole('alert')).toHaveAttribute('data-failure', 'slow');
    await act(async () => more({ done: false }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asked.mock.calls).toEqual([[file.src, expect.objectContaining({ cache: 'force-cache' })]]);
  } finally {
    jest.useRealTimers();
    file.remove();
  }
});

it('unmounts a remote once, also when the outlet is removed while mounting', async () => {
  const module = app();
  const mount = jest.fn(module.mount);
  const unmount = jest.fn(module.unmount);
  loadRemote.mockResolvedValue({ ...module, mount, unmount });
  const first = await show(manifest());
  await screen.findByRole('heading', { name: 'Page of northfield' });
  await act(async () => first.unmount());
  await waitFor(() => expect(unmount).toHaveBeenCalledTimes(1));
  const second = await show(manifest());
  await waitFor(() => expect(mount).toHaveBeenCalledTimes(2));
  await act(async () => second.unmount());
  await waitFor(() => expect(unmount).toHaveBeenCalledTimes(2));
});
