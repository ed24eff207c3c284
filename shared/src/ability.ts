/** CASL rules: sent by `GET /getUserInfo/`, enforced by the server, used by the pages to hide what would fail. */
import { createMongoAbility, type MongoAbility, type RawRuleOf } from '@casl/ability';
import { OWN_SUBJECTS, type ACTIONS, type SUBJECTS } from './subjects';

type Action = (typeof ACTIONS)[number];
export type Subject = (typeof SUBJECTS)[number];
export type PoolAbility = MongoAbility<[Action, Subject]>;
export type Rule = { action: Action; subject: Subject };

/** `readOnly`: a watcher link, an API key, or an admin who views another user's pages. */
export type AbilityFacts = { role: 'miner' | 'admin'; isLegacyUser: boolean; readOnly?: boolean };

const LISTS: Subject[] = ['sub-account-list', 'algorithm-list'];

/**
 * The rules of a user, about their own data. Legacy users get no algorithm list and no account switcher (specification
 * 1).
 */
export function rulesFor({ role, isLegacyUser, readOnly = false }: AbilityFacts): RawRuleOf<PoolAbility>[] {
  const action = readOnly ? 'read' : 'manage';
  const rules: RawRuleOf<PoolAbility>[] = OWN_SUBJECTS.map((subject) => ({ action, subject }));
  if (!isLegacyUser) rules.push(...LISTS.map((subject) => ({ action: 'read' as const, subject })));
  if (role === 'admin' && !readOnly) rules.push({ action: 'manage', subject: 'admin' });
  return rules;
}

export const createAbility = (rules: RawRuleOf<PoolAbility>[] = []): PoolAbility =>
  createMongoAbility<PoolAbility>(rules);

const abilities = new Map<string, PoolAbility>();

/** The ability of a user; one object for all users with the same facts. */
export function abilityFor(facts: AbilityFacts): PoolAbility {
  const key = `${facts.role} ${facts.isLegacyUser} ${facts.readOnly ?? false}`;
  const ability = abilities.get(key) ?? createAbility(rulesFor(facts));
  abilities.set(key, ability);
  return ability;
}

/** Whether the caller reads and edits everybody's data. */
export const isAdmin = (ability: PoolAbility): boolean => ability.can('manage', 'admin');

/** Whether a rule of a manifest or navigation entry is met; no rule means anybody signed in. */
export const allows = (ability: PoolAbility, rule: Rule | undefined): boolean =>
  !rule || ability.can(rule.action, rule.subject);
