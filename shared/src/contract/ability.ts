/** CASL rules: the server returns them with the user and enforces them; pages hide by them what would fail. */
import { Ability, type RawRuleOf } from '@casl/ability';
import type { RemoteManifest, SlotOffer, SlotPlace } from './remote-schema';
import { rightsOf, type MemberFacts } from './roles';
import { OWN_SUBJECTS, type ACTIONS, type SUBJECTS } from './subjects';

type Action = (typeof ACTIONS)[number];
export type Subject = (typeof SUBJECTS)[number];
/** A subject of a remote's own, `power.limits` (`subjects` of remote.json): the pages of that remote alone know it. */
type RemoteSubject = `${string}.${string}`;
export type PoolAbility = Ability<[Action, Subject | RemoteSubject]>;
export type Rule = { action: Action; subject: Subject };

/** `readOnly`: a watcher, an API key, an admin at a user's pages. `member`: what one is in the organization. */
export type AbilityFacts = {
  role: 'miner' | 'admin';
  isLegacyUser: boolean;
  readOnly?: boolean;
  hasBot?: boolean;
  member?: MemberFacts;
};

const LISTS: Subject[] = ['sub-account-list', 'algorithm-list'];

/** Rules of a user for their own data. Legacy users have no algorithm list and no account switcher. */
export function rulesFor({
  role,
  isLegacyUser,
  readOnly = false,
  hasBot = true,
  member,
}: AbilityFacts): RawRuleOf<PoolAbility>[] {
  const action = readOnly ? 'read' : 'manage';
  const rights = member && rightsOf(member);
  const rules: RawRuleOf<PoolAbility>[] = OWN_SUBJECTS.flatMap((subject) => {
    const right = rights ? rights[subject] : action;
    return right ? { action: readOnly ? 'read' : right, subject } : [];
  });
  if (!isLegacyUser) rules.push(...LISTS.map((subject) => ({ action: 'read' as const, subject })));
  if (hasBot) rules.push({ action, subject: 'telegram' });
  if (role === 'admin' && !readOnly && !member)
    rules.push({ action: 'manage', subject: 'admin' }, { action: 'read', subject: 'acl-page' });
  return rules;
}

export const createAbility = (rules: RawRuleOf<PoolAbility>[] = []): PoolAbility =>
  new Ability<[Action, Subject | RemoteSubject]>(rules);

const abilities = new Map<string, PoolAbility>();

/** The ability of a user; one object for all users with the same facts. */
export function abilityFor(facts: AbilityFacts): PoolAbility {
  const { role, isLegacyUser, readOnly = false, hasBot = true, member } = facts;
  const key = `${role} ${isLegacyUser} ${readOnly} ${hasBot} ${member?.role} ${member?.money} ${member?.limited}`;
  const ability = abilities.get(key) ?? createAbility(rulesFor(facts));
  abilities.set(key, ability);
  return ability;
}

/** Whether the user may read and edit the data of all users. */
export const isAdmin = (ability: PoolAbility): boolean => ability.can('manage', 'admin');

/** Whether the user has the permission of a manifest or navigation entry; without a rule every signed-in user has. */
export const allows = (ability: PoolAbility, rule: Rule | undefined): boolean =>
  !rule || ability.can(rule.action, rule.subject);

/** What the pages of a remote may ask: the user's ability, with the remote's own subjects. */
export function withSubjects(ability: PoolAbility, { subjects }: Pick<RemoteManifest, 'subjects'>): PoolAbility {
  if (!subjects) return ability;
  const own = Object.entries(subjects)
    .filter(([, { read }]) => allows(ability, read))
    .map(([subject, { manage }]) => ({
      action: manage && allows(ability, manage) ? ('manage' as const) : ('read' as const),
      subject: subject as RemoteSubject,
    }));
  return createAbility([...ability.rules, ...own]);
}

const bare = (path: string): string => path.replace(/\/$/, '');
/** Whether the user has the remote, and its page at `path`: a line of the menu or the palette may ask for more. */
export const mayOpen = (
  ability: PoolAbility,
  { requires, nav, commands = [] }: RemoteManifest,
  path: string,
): boolean =>
  [{ requires }, ...[...nav, ...commands].filter((page) => bare(page.path) === bare(path))].every((page) =>
    allows(ability, page.requires),
  );

/** Addresses of the remotes' pages for each other's links, as far as this user has them. */
export const pagesOf = (remotes: readonly RemoteManifest[], ability: PoolAbility): Record<string, string> =>
  Object.fromEntries(
    remotes.flatMap((remote) =>
      Object.entries(remote.links ?? {})
        .filter(([, path]) => mayOpen(ability, remote, path))
        .map(([id, path]) => [`${remote.name}.${id}`, path]),
    ),
  );

/** What remotes bring to a place of pages, as far as this user may have it. */
export const partsAt = (
  place: SlotPlace,
  remotes: readonly RemoteManifest[],
  ability: PoolAbility,
): { manifest: RemoteManifest; offer: SlotOffer }[] =>
  remotes
    .filter(({ requires }) => allows(ability, requires))
    .flatMap((manifest) =>
      (manifest.slots ?? [])
        .filter((offer) => offer.place === place && allows(ability, offer.requires))
        .map((offer) => ({ manifest, offer })),
    );
