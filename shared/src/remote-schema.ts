/**
 * `remote.json` and the manifest made of it, checked by one schema wherever they are read: by the build, by `publish:remote`
 * and by the server. The pages take only the types (through contract.ts): no check is in a browser's download.
 */
import { z } from 'zod';
import { ACTIONS, SUBJECTS } from './subjects';

/** Pictures of the side navigation (shell/src/layout/icons.ts). */
export const NAV_ICONS = ['dashboard', 'payments', 'workers', 'referral', 'account', 'users'] as const;
export type NavIcon = (typeof NAV_ICONS)[number];

/** What the place of a page looks like until it has come: a chart and panels, a long list, or figures above a list. */
const PAGE_SHAPES = ['charts', 'list', 'figures'] as const;
export type PageShape = (typeof PAGE_SHAPES)[number];

/** Counts that may stand behind a link (shell/src/layout/nav-badge.tsx). */
const NAV_COUNTS = ['offline-workers'] as const;
export type NavCount = (typeof NAV_COUNTS)[number];

/** First parts of paths that are the server's or the shell's own. */
const TAKEN = [
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
  'watch',
];

const path = z.templateLiteral(['/', z.string()]);
const rule = z.strictObject({ action: z.enum(ACTIONS), subject: z.enum(SUBJECTS) });

const navEntry = z.strictObject({
  path,
  /** A key of the remote's own texts. */
  label: z.string(),
  icon: z.enum(NAV_ICONS),
  order: z.number(),
  /** Title of the group the link is in, a key of the remote's own texts; none is the main group. */
  group: z.string().optional(),
  /** A count behind the link while it is not zero. `label` says it in words with `{{count}}`, a key of the remote's own texts. */
  badge: z.strictObject({ count: z.enum(NAV_COUNTS), label: z.string() }).optional(),
  requires: rule.optional(),
});

const source = z.strictObject({
  /** Also the name of the remote's folder (`mfe-<name>`) and the first part of the keys of all its texts. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'a name is small letters, digits and dashes'),
  contract: z.int().positive(),
  /** The paths below it are the remote's. */
  basePath: path
    .refine(
      (value) => /^(\/[a-z0-9-]+)+$/.test(value),
      'a base path is like /workers: small letters, no slash at the end',
    )
    .refine((value) => !TAKEN.includes(value.split('/')[1] ?? ''), 'this path is one of the pool itself'),
  /** The caller must be allowed this, or the remote is neither listed nor served. */
  requires: rule.optional(),
  nav: z.array(navEntry),
  /** Of its pages; `charts` unless it says so. */
  shape: z.enum(PAGE_SHAPES).optional(),
  /**
   * GETs its first page makes, letter for letter: the page asks them while the scripts download. `{account}`, `{algorithm}` and
   * `{name=default}` are taken from the URL's query, else the default. Not for legacy users, whose pages ask otherwise.
   */
  first: z.array(z.string().startsWith('/api/')).optional(),
});

/** A deployed remote as `GET /api/remotes` lists it. URLs are same-origin paths. */
const manifest = source.extend({
  version: z.string(),
  /** The versions of `@pool/shared` it runs with, written by the build: the one it was built against, or a later one without a break. */
  shared: z.string().regex(/^\^\d+\.\d+\.\d+$/, 'a range is like ^1.2.0'),
  /** URL of the federation entry script. */
  entry: z.string(),
  /** URLs to preload with the page: the chunks of `./app`. */
  preload: z.array(z.string()),
  /** sha384 of each file of this version, for Subresource Integrity; keys are URLs. */
  files: z.record(z.string(), z.templateLiteral(['sha384-', z.string()])).optional(),
});

export const isBelow = (at: string, base: string): boolean => at === base || at.startsWith(`${base}/`);
/** Whether a text belongs to the remote: keys of one never overwrite those of another, or the shell's. */
export const isTextOf = (name: string, key: string): boolean => key.startsWith(`${name}.`);

/** Keys of the texts a link needs, by the field that names them. */
export const textsOf = ({ label, group, badge }: NavEntry): Record<string, string> => ({
  label,
  ...(group !== undefined && { group }),
  ...(badge && { 'badge.label': badge.label }),
});

/** What one field says about another. */
function fitsTogether({ value, issues }: z.core.ParsePayload<RemoteSource>): void {
  const complain = (at: (string | number)[], message: string) =>
    issues.push({ code: 'custom', path: at, message, input: value });
  value.nav.forEach((entry, index) => {
    if (!isBelow(entry.path.replace(/\/$/, ''), value.basePath))
      complain(['nav', index, 'path'], `is not below the base path, ${value.basePath}`);
    for (const [at, key] of Object.entries(textsOf(entry))) {
      if (!isTextOf(value.name, key))
        complain(
          ['nav', index, ...at.split('.')],
          `'${key}' is not a text of this remote: its keys begin with '${value.name}.'`,
        );
    }
  });
}

export type NavEntry = z.infer<typeof navEntry>;
export type RemoteSource = z.infer<typeof source>;
export type RemoteManifest = z.infer<typeof manifest>;

const named = (folder: string) => ({ name: z.literal(folder, `is not the name of its folder, '${folder}'`) });
/** `remote.json` of the remote in the folder `mfe-<folder>`. */
export const remoteSource = (folder: string) => source.extend(named(folder)).check(fitsTogether);
/** `manifest.json` of the remote deployed as `<folder>`. */
export const remoteManifestOf = (folder: string) => manifest.extend(named(folder)).check(fitsTogether);
export const remoteManifest = manifest;

/** One line per fault, each with its field: `nav[0].icon: ...`. */
export const faultsOf = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path: at, message }) => `${z.core.toDotPath(at) || 'the whole'}: ${message}`);
