import { createAbility, rulesFor, type NavEntry, type RemoteManifest } from '@pool/shared';
import { activePath, linksIn, navigation, remoteAt, type NavGroup } from './registry';

const remote = (name: string, order: number, over: Partial<RemoteManifest> = {}): RemoteManifest => ({
  name,
  version: '1',
  contract: 1,
  shared: '^1.0.0',
  basePath: `/${name}`,
  entry: '',
  preload: [],
  nav: [{ path: `/${name}/`, label: `nav.${name}`, icon: 'users', order }],
  ...over,
});
const remotes = [
  remote('workers', 3, { requires: { action: 'read', subject: 'workers' } }),
  remote('dashboard', 1, { requires: { action: 'read', subject: 'dashboard' } }),
  remote('admin', 10, {
    requires: { action: 'manage', subject: 'admin' },
    nav: [{ path: '/admin/users', label: 'admin.nav.users', icon: 'users', order: 10, group: 'admin.nav' }],
  }),
];
const own: NavEntry[] = [{ path: '/account/', label: 'account.nav', icon: 'account', order: 2 }];
const miner = createAbility(rulesFor({ role: 'miner', isLegacyUser: false }));
const admin = createAbility(rulesFor({ role: 'admin', isLegacyUser: false }));

/** The paths of a group, groups in it by their titles. */
type Shown = (string | { [title: string]: Shown })[];
const shown = ({ links, groups }: NavGroup): Shown => [
  ...links.map(({ path }) => path),
  ...groups.map((group) => ({ [group.title]: shown(group) })),
];

it('orders navigation and leaves out what the user may not see', () => {
  expect(shown(navigation(remotes, own, miner))).toEqual(['/dashboard/', '/account/', '/workers/']);
  expect(shown(navigation(remotes, own, admin))).toEqual([
    '/dashboard/',
    '/account/',
    '/workers/',
    { 'admin.nav': ['/admin/users'] },
  ]);
});

it('has groups in groups of any depth, without those that would be empty', () => {
  const link = (
    at: string,
    order: number,
    group?: string | string[],
    subject: NonNullable<NavEntry['requires']>['subject'] = 'workers',
  ) => ({ path: `/lab/${at}`, label: at, icon: 'users', order, group, requires: { action: 'read', subject } }) as const;
  const lab = remote('lab', 1, {
    nav: [
      link('a', 1, ['lab', 'lab.deep', 'lab.deeper']),
      link('b', 2, 'lab'),
      link('c', 3, ['lab', 'lab.deep']),
      link('d', 4),
      link('e', 5, ['lab', 'lab.other', 'lab.secret'], 'acl-page'),
    ],
  });
  const main = navigation([lab], [], miner);
  expect(shown(main)).toEqual([
    '/lab/d',
    { lab: ['/lab/b', { 'lab.deep': ['/lab/c', { 'lab.deeper': ['/lab/a'] }] }] },
  ]);
  expect(linksIn(main).map(({ label }) => label)).toEqual(['d', 'b', 'c', 'a']);
});

it('a group has its icon and its rule, also one that is in another', () => {
  const acl = { action: 'read', subject: 'acl-page' } as const;
  const link = (at: string, order: number, group: string[]) =>
    ({ path: `/lab/${at}`, label: at, icon: 'users', order, group }) as const;
  const lab = remote('lab', 1, {
    nav: [
      link('a', 1, ['lab', 'lab.open']),
      link('b', 2, ['lab', 'lab.secret', 'lab.open']),
      link('c', 3, ['lab.secret']),
    ],
    groups: { 'lab.open': { icon: 'M1 2' }, 'lab.secret': { requires: acl } },
  });
  const main = navigation([lab], [], miner);
  expect(shown(main)).toEqual([{ lab: [{ 'lab.open': ['/lab/a'] }] }]);
  expect(main.groups[0]?.groups[0]?.icon).toBe('M1 2');
});

it('checks the rule of each link too', () => {
  const mixed = [
    remote('referral', 1, {
      nav: [
        { path: '/referral/', label: 'a', icon: 'users', order: 1 },
        {
          path: '/referral/acl',
          label: 'b',
          icon: 'users',
          order: 2,
          requires: { action: 'read', subject: 'acl-page' },
        },
      ],
    }),
  ];
  expect(shown(navigation(mixed, [], miner))).toEqual(['/referral/']);
});

it('finds the remote of a path, and none for a path the user may not see', () => {
  expect(remoteAt('/workers/', remotes, miner)?.name).toBe('workers');
  expect(remoteAt('/workers', remotes, miner)?.name).toBe('workers');
  expect(remoteAt('/workersX', remotes, miner)).toBeNull();
  expect(remoteAt('/admin/users', remotes, miner)).toBeNull();
  expect(remoteAt('/admin/users', remotes, admin)?.name).toBe('admin');
});

it('marks the deepest link that leads to the page', () => {
  const links = [
    { path: '/a/', label: '', icon: 'users', order: 1 },
    { path: '/a/b/', label: '', icon: 'users', order: 2 },
  ] as const;
  expect(activePath('/a/b/c', links)).toBe('/a/b/');
  expect(activePath('/a/x', links)).toBe('/a/');
  expect(activePath('/ab', links)).toBeNull();
});
