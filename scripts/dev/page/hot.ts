/** Hot updates of the page's builds. Each build joins with `joinHotUpdates`; the shell's page is told of new builds. */

type Build = { hash(): string; update(): Promise<unknown> };

const builds = (globalThis.poolBuilds ??= new Map());
const newest = (globalThis.poolNewest ??= new Map());

let isLeaving = false;
addEventListener('beforeunload', () => {
  isLeaving = true;
});

/** Loads the page again, unless it is on its way to another one: that navigation would end. */
export function reload(): void {
  if (!isLeaving) location.reload();
}

/** Takes hot updates until the page runs the newest build; loads the page again where one cannot be taken. */
async function catchUp(unit: string): Promise<void> {
  const build = builds.get(unit);
  const wanted = newest.get(unit);
  if (!build || !wanted || build.hash() === wanted) return;
  const updated = await build.update().catch((error: unknown) => console.warn(`dev: ${unit}:`, error));
  if (updated) return catchUp(unit);
  // Once for each build: a page that cannot be brought up to date must not reload in a loop.
  if (sessionStorage.getItem('pool-dev-reload') === wanted) return;
  sessionStorage.setItem('pool-dev-reload', wanted);
  reload();
}

/** One after another, whichever copy of this module asks: a build refuses a check during another. */
const catchUpInTurn = (unit: string): Promise<void> =>
  (globalThis.poolUpdates = (globalThis.poolUpdates ?? Promise.resolve()).then(() => catchUp(unit)));

/** `hash`: of the newest build of the unit. Resolves when the page runs it: whether there was another one before. */
export async function tellBuilt(unit: string, hash: string): Promise<boolean> {
  const before = newest.get(unit) ?? hash;
  newest.set(unit, hash);
  await catchUpInTurn(unit);
  return before !== hash;
}

/** `hot`: `import.meta.webpackHot` of a module of this build. */
export function joinHotUpdates(unit: string, hash: () => string, hot: ImportMeta['webpackHot']): void {
  if (!hot) return;
  // After a check that failed, as when the page is left meanwhile, webpack throws at once at the next.
  builds.set(unit, { hash, update: async () => hot.check(true) });
  void catchUpInTurn(unit);
}

declare global {
  // One of each in a page; every build has a copy of this module.
  var poolBuilds: Map<string, Build> | undefined;
  var poolNewest: Map<string, string> | undefined;
  var poolUpdates: Promise<void> | undefined;
}
