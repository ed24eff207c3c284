/** `remote.json` and its manifest, checked by the build and the server; pages import only the types. */
import { z } from 'zod';
import { isBelow } from './remote-pages';
import { ACTIONS, SUBJECTS } from './subjects';

export { hasPage, isBelow } from './remote-pages';

/** Icons that the shell has for links (shell/src/layout/nav/nav-link.tsx). */
export const NAV_ICONS = ['dashboard', 'payments', 'workers', 'referral', 'account', 'users'] as const;
export type NavIcon = (typeof NAV_ICONS)[number];

/** Shape of a page's skeleton while it loads: a chart and panels, a long list, or figures above a list. */
const PAGE_SHAPES = ['charts', 'list', 'tabs', 'figures'] as const;
export type PageShape = (typeof PAGE_SHAPES)[number];

/** A count that the pages have anyway. */
const NAV_COUNTS = ['offline-workers'] as const;

/** Colours of badges: those of states, which keep their contrast in every theme. */
const BADGE_COLORS = ['error', 'warning', 'success', 'info'] as const;

/** What the pages follow of the app bar's pickers. */
const PICKERS = ['account', 'algorithm'] as const;
export type Picker = (typeof PICKERS)[number];

/** Things of the pool that the command palette finds, and a code of an invitation; a remote may have a page for each. */
const THINGS = ['worker', 'group', 'payout', 'user', 'invitation'] as const;

/** Places in the pool's pages that parts of remotes are shown in (`Slot`). */
export const SLOT_PLACES = ['dashboard', 'worker', 'payments', 'account', 'admin'] as const;
export type SlotPlace = (typeof SLOT_PLACES)[number];

/** First path segments that belong to the server or the shell. */
const RESERVED_PATHS = [
  'account',
  'api',
  'assets',
  'health',
  'locales',
  'metrics',
  'pages',
  'ready',
  'remotes',
  'sign-in',
  'sign-up',
  'vendor',
  'view-as',
  'watch',
];

/** Names that texts of the shell and of `@pool/shared` begin with: a remote's would take their place. */
const RESERVED_NAMES = [
  ...['access', 'account', 'algorithm', 'auth', 'calculator', 'commands', 'faq', 'footer', 'hashprice', 'inbox'],
  ...['landing', 'language', 'legal', 'live', 'mode', 'nav', 'notification', 'notifications', 'payout', 'pool'],
  ...['events', 'place', 'public', 'remote', 'settings', 'setup', 'shell', 'timeline', 'ui', 'user', 'version'],
  ...['waiting', 'watch'],
];

const path = z.templateLiteral(['/', z.string()]);
const rule = z.strictObject({
  action: z.enum(ACTIONS),
  subject: z.enum(SUBJECTS, 'is no subject of the pool, and `subjects` does not say who has this action of it'),
});

/** `call`: asked every minute for the page's `{account}` and `{algorithm}`. `field`: `summary.open` of its answer. */
const countOfCall = z.strictObject({
  call: z.templateLiteral(['GET /', z.string()]),
  query: z.record(z.string(), z.string()).optional(),
  field: z.string(),
});
export type CountOfCall = z.infer<typeof countOfCall>;

const site = z.templateLiteral(['https://', z.string()]);

/** Origin of another server as browsers write it. Pages have it in their policy, so it must contain nothing else. */
export const otherOrigin = z
  .string()
  .max(200)
  .refine(
    (text) => /^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:\d+)?$/.test(text) && URL.parse(text)?.origin === text,
    'an origin is like https://api.example.com: small letters, no path, no usual port',
  );

/** A name, or the path data of an SVG of 24 x 24 drawn as a line of 1.75: `M12 2v20 M2 12h20`. */
const icon = z.union([z.enum(NAV_ICONS), z.string().regex(/^M[\d .MLHVCSQTAZmlhvcsqtaz-]{1,1000}$/)]);

const navEntry = z.strictObject({
  /** Address of a page of the remote, or of another site, which opens in a new tab. */
  path: z.union([path, site]),
  /** Key of a text of the remote. */
  label: z.string(),
  icon,
  order: z.number(),
  /** Key of the group's title, or those of groups in groups, the outermost first; absent: the main group. */
  group: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  /** A count beside the link while not zero. `label`: key of a text with `{{count}}`. `color`: `error` without. */
  badge: z
    .strictObject({
      count: z.union(
        [z.enum(NAV_COUNTS), countOfCall],
        `is neither '${NAV_COUNTS.join("', '")}' nor { "call": "GET /…", "query": { … }, "field": "…" }`,
      ),
      label: z.string(),
      color: z.enum(BADGE_COLORS).optional(),
    })
    .optional(),
  requires: rule.optional(),
  /** Shown, but leads nowhere: the page is not there yet. */
  disabled: z.boolean().optional(),
  newTab: z.boolean().optional(),
});

const source = z.strictObject({
  /** The remote's folder is `mfe-<name>`; the keys of all its texts start with `<name>.`. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'a name is small letters, digits and dashes'),
  contract: z.int().positive(),
  /** All paths below it belong to the remote. */
  basePath: path
    .refine(
      (value) => /^(\/[a-z0-9-]+)+$/.test(value),
      'a base path is like /workers: small letters, no slash at the end',
    )
    .refine((value) => !RESERVED_PATHS.includes(value.split('/')[1] ?? ''), 'this path is one of the pool itself'),
  /**
   * Subjects of the remote's own, by a name that is also the key of a text which says what it is: `power.limits`. `read`
   * and `manage`: the pool's permission that who has it needs; without `manage` nobody has that. Each `requires` may name
   * them, and its pages ask `ability.can('manage', 'power.limits')`. To the server they are nothing: the build writes
   * the pool's permission in their place.
   */
  subjects: z.record(z.string(), z.strictObject({ read: rule, manage: rule.optional() })).optional(),
  /** Required permission; without it the remote is neither listed nor served. */
  requires: rule.optional(),
  nav: z.array(navEntry).max(100),
  /** Groups by the key of their title: an icon, and a permission without which the whole group is not shown. */
  groups: z.record(z.string(), z.strictObject({ icon: icon.optional(), requires: rule.optional() })).optional(),
  /** KiB, compressed: of the code its first page loads, and of that of any of its pages. Without: 12 of each. */
  budget: z.strictObject({ firstPage: z.number().positive(), all: z.number().positive() }).partial().optional(),
  /**
   * Origins of the team's own API that its code may ask, and has tokens for, when the operator allows it
   * (`POST /remotes/token`). `http://localhost` is for development only.
   */
  connect: z.array(otherOrigin).max(5).optional(),
  /**
   * Parts of the remote that are on for the users whom an admin names (`useFlag`): keys of texts of the remote that say
   * what each is. In the list of remotes: those that are on for who asks.
   */
  flags: z.array(z.string()).max(10).optional(),
  /** Shape of its pages' skeletons; default `charts`. */
  shape: z.enum(PAGE_SHAPES).optional(),
  /** The app bar's pickers that mean something on its pages; default both. */
  pickers: z.array(z.enum(PICKERS)).optional(),
  /** Its pages know what to do while all sub-accounts are chosen together; without, one of them is chosen first. */
  allAccounts: z.boolean().optional(),
  /** Addresses of its pages of one thing each; `{id}` is replaced by the thing's id, of a group or user its name. */
  opens: z
    .partialRecord(
      z.enum(THINGS),
      path.refine((value) => value.includes('{id}'), 'has no {id}'),
    )
    .optional(),
  /** Pages that other remotes link to, by an id that stays when the address changes: `pools` is `workers.pools` there. */
  links: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'an id is small letters, digits and dashes'), path).optional(),
  /**
   * Parts it brings to pages of the pool, each at most once a place, loaded when they are seen: `src/slots/<part>.tsx`
   * (`defineSlot`). `label`: key of a text of the remote that is the part's title.
   */
  slots: z
    .array(
      z.strictObject({
        place: z.enum(SLOT_PLACES),
        part: z.string().regex(/^[a-z][a-z0-9-]*$/, 'the name of a part is small letters, digits and dashes'),
        label: z.string(),
        requires: rule.optional(),
      }),
    )
    .refine(
      (slots) => new Set(slots.map(({ place }) => place)).size === slots.length,
      'a remote brings one part to a place',
    )
    .optional(),
  /** Pages of notifications by kind (or `worker_*`; the longest fits); `{name}` is a value of the notification. */
  notifications: z
    .record(z.string().regex(/^[a-z_]+\*?$/, 'a kind is like worker_offline or worker_*'), path)
    .optional(),
  /** Pages that the command palette offers beside its links. `label`: key of a text of the remote. */
  commands: z.array(z.strictObject({ path, label: z.string(), requires: rule.optional() })).optional(),
  /**
   * Exact URLs of the GET requests of its first page, which are sent while the scripts download. `{account}`,
   * `{algorithm}` and `{name=default}` are replaced from the URL's query, else by the default. Not for legacy users,
   * whose pages send other requests.
   */
  prefetchCalls: z.array(z.string().startsWith('/api/')).optional(),
  /** More requests of that page, by the server for its first view; `{day-29}` is the UTC day so many days ago. */
  viewCalls: z.array(z.string().startsWith('/api/')).optional(),
});

/** A deployed remote as returned by `GET /api/remotes`. URLs are same-origin paths. */
const manifest = source.extend({
  version: z.string(),
  /** Compatible versions of `@pool/shared`, written by the build: the one it was built with, or a later one. */
  shared: z.string().regex(/^\^\d+\.\d+\.\d+$/, 'a range is like ^1.2.0'),
  /** Paths of its pages, from `src/routes.tsx`: `/workers/:id` (a number), `/:name`, `/*`. None before 1.2.0. */
  pages: z.array(path).optional(),
  /** URL of the federation entry script. */
  entry: z.string(),
  /** URLs to preload with the page: the chunks of `./app`. */
  preload: z.array(z.string()),
  /** Lazy parts of the shared UI that `./app` imports, to be loaded with it. Builds before 1.2.0 wrote none. */
  parts: z.array(z.string()).optional(),
  /** sha384 of each file of this version, for Subresource Integrity; keys are URLs. */
  files: z.record(z.string(), z.templateLiteral(['sha384-', z.string()])).optional(),
  /** Versions that open pages replace at once; of the list only. */
  withdrawn: z.array(z.string()).optional(),
  /** What it uses of `@pool/shared` and the deployed shell does not have; of the list only. */
  lacks: z.array(z.string()).optional(),
});

/** Whether a text belongs to the remote, so that it cannot overwrite texts of other remotes or the shell. */
export const isTextOf = (name: string, key: string): boolean => key.startsWith(`${name}.`);

/** Keys of the texts of a link, by field. */
const textsOf = ({ label, group, badge }: NavEntry): Record<string, string> => ({
  label,
  ...(typeof group === 'string' ? { group } : Object.fromEntries((group ?? []).map((key, at) => [`group.${at}`, key]))),
  ...(badge && { 'badge.label': badge.label }),
});

type SourceLink = { at: (string | number)[]; path: string; texts: Record<string, string> };
/**
 * The links of a remote, the pages it adds to the command palette, and those that others link to; `at`: where
 * `remote.json` has it.
 */
export const linksOf = ({ nav, commands = [], links = {} }: RemoteSource): SourceLink[] => [
  ...nav.map((entry, index): SourceLink => ({ at: ['nav', index], path: entry.path, texts: textsOf(entry) })),
  ...commands.map(({ path: at, label }, index): SourceLink => ({
    at: ['commands', index],
    path: at,
    texts: { label },
  })),
  ...Object.entries(links).map(([id, at]): SourceLink => ({ at: ['links', id], path: at, texts: {} })),
];

/** Checks that involve several fields. */
function checkFields({ value, issues }: z.core.ParsePayload<RemoteSource>): void {
  const addIssue = (at: (string | number)[], message: string) =>
    issues.push({ code: 'custom', path: at, message, input: value });
  if (RESERVED_NAMES.includes(value.name)) addIssue(['name'], `'${value.name}' is a name of the pool's own texts`);
  for (const field of ['opens', 'notifications'] as const)
    for (const [key, at] of Object.entries(value[field] ?? {})) {
      if (!isBelow(at, value.basePath)) addIssue([field, key], `is not below the base path, ${value.basePath}`);
    }
  for (const key of Object.keys(value.groups ?? {}))
    if (!isTextOf(value.name, key)) addIssue(['groups', key], `is not a group of this remote: '${value.name}.…'`);
  for (const key of Object.keys(value.subjects ?? {}))
    if (!isTextOf(value.name, key)) addIssue(['subjects', key], `is not a subject of this remote: '${value.name}.…'`);
  const checkText = (at: (string | number)[], key: string) => {
    if (!isTextOf(value.name, key))
      addIssue(at, `'${key}' is not a text of this remote: its keys begin with '${value.name}.'`);
  };
  for (const [index, { label }] of (value.slots ?? []).entries()) checkText(['slots', index, 'label'], label);
  for (const [index, flag] of (value.flags ?? []).entries()) checkText(['flags', index], flag);
  for (const { at, path: link, texts } of linksOf(value)) {
    if (!site.safeParse(link).success && !isBelow(link.replace(/\/?(\?.*)?$/, ''), value.basePath))
      addIssue([...at, 'path'], `is not below the base path, ${value.basePath}`);
    for (const [field, key] of Object.entries(texts)) checkText([...at, ...field.split('.')], key);
  }
}

export type NavEntry = z.infer<typeof navEntry>;
export type SlotOffer = NonNullable<RemoteSource['slots']>[number];
export type RemoteSource = z.infer<typeof source>;
export type RemoteManifest = z.infer<typeof manifest>;

const named = (folder: string) => ({ name: z.literal(folder, `is not the name of its folder, '${folder}'`) });
/** Rules with the pool's permissions in place of those of the remote's own subjects. */
const withPoolRules = (json: unknown): unknown => {
  type Rules = Record<string, Record<string, unknown> | undefined>;
  const { subjects = {} } = Object(json) as { subjects?: Rules };
  return JSON.parse(
    JSON.stringify(json, (key, value: { action: string; subject: string } | undefined) =>
      key === 'requires' ? (subjects[value?.subject ?? '']?.[value?.action ?? ''] ?? value) : value,
    ),
  ) as unknown;
};
/** `remote.json` of the remote in the folder `mfe-<folder>`. */
export const remoteSource = (folder: string) =>
  z.preprocess(withPoolRules, source.extend(named(folder)).check(checkFields));
/** `manifest.json` of the remote deployed as `<folder>`. */
export const remoteManifestOf = (folder: string) => manifest.extend(named(folder)).check(checkFields);
export const remoteManifest = manifest;

/** One line per error, with the field: `nav[0].icon: ...`. */
export const faultsOf = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path: at, message }) => `${z.core.toDotPath(at) || 'the whole'}: ${message}`);
