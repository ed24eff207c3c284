/** What a build of the remote `map` writes, without files: for tests of versions and pointers. */
export const mapManifest = (version: string) => ({
  name: 'map',
  contract: 1,
  shared: '^1.0.0',
  basePath: '/map',
  nav: [{ path: '/map', label: 'map.nav', icon: 'workers', order: 5 }],
  version,
  entry: `/remotes/map/${version}/remoteEntry.js`,
  preload: [],
  slots: [{ place: 'dashboard', part: 'card', label: 'map.nav' }],
  files: {},
});
