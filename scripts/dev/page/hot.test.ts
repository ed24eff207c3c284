/** Hot updates of builds whose checks fail, as those of webpack do: a check throws at once unless the last one is over. */

type Hot = typeof import('./hot');

const reload = jest.fn();

beforeEach(() => {
  reload.mockClear();
  const stored = new Map<string, string>();
  Object.assign(globalThis, {
    poolBuilds: undefined,
    poolNewest: undefined,
    poolUpdates: undefined,
    addEventListener: () => undefined,
    location: { reload },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
  });
  jest.spyOn(console, 'warn').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** A copy of the module, as each build of a page has one. */
function copy(): Hot {
  let module: Hot | undefined;
  jest.isolateModules(() => {
    module = jest.requireActual<Hot>('./hot');
  });
  if (!module) throw new Error('not loaded');
  return module;
}

/** A build with webpack's states. `checks`: how each ends, with the hash it leads to or with an error. */
function build(...checks: (string | Error)[]) {
  let hash = 'old';
  let isIdle = true;
  const check = (): Promise<unknown> => {
    if (!isIdle) throw new Error('check() is only allowed in idle status');
    isIdle = false;
    return Promise.resolve().then(() => {
      const end = checks.shift() ?? hash;
      // It stays in this state.
      if (end instanceof Error) throw end;
      hash = end;
      isIdle = true;
      return [];
    });
  };
  return { hash: () => hash, hot: { check } as unknown as ImportMeta['webpackHot'] };
}

test('a check that fails makes the page load again, and so does the next; other builds are still updated', async () => {
  const { joinHotUpdates, tellBuilt } = copy();
  const failing = build(new Error('Failed to fetch update manifest'));
  const other = build('new');
  joinHotUpdates('shell', failing.hash, failing.hot);
  joinHotUpdates('mfe-workers', other.hash, other.hot);
  void tellBuilt('shell', 'first');
  void tellBuilt('shell', 'second');
  void tellBuilt('mfe-workers', 'new');
  await globalThis.poolUpdates;
  expect(reload).toHaveBeenCalledTimes(1);
  void tellBuilt('shell', 'third');
  await globalThis.poolUpdates;
  expect(reload).toHaveBeenCalledTimes(2);
  expect(other.hash()).toBe('new');
});

test('the build that the page opened with is no new one: a page that crashed would be loaded anew without end', async () => {
  const { tellBuilt } = copy();
  expect(await tellBuilt('mfe-workers', 'first')).toBe(false);
  expect(await tellBuilt('mfe-workers', 'first')).toBe(false);
  expect(await tellBuilt('mfe-workers', 'second')).toBe(true);
});

test('copies of the module check a build one after another', async () => {
  const [shell, remote] = [copy(), copy()];
  const { hash, hot } = build('new');
  void shell.tellBuilt('mfe-workers', 'new');
  remote.joinHotUpdates('mfe-workers', hash, hot);
  void shell.tellBuilt('mfe-workers', 'new');
  await globalThis.poolUpdates;
  expect(hash()).toBe('new');
  expect(reload).not.toHaveBeenCalled();
});
