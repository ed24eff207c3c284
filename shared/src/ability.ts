/** CASL rules: sent by `GET /getUserInfo/`, enforced by the server, used by the pages to hide what would fail. */
import { createMongoAbility, type MongoAbility, type RawRuleOf } from '@casl/ability';
import type { ACTIONS, SUBJECTS } from './subjects';

export type Action = (typeof ACTIONS)[number];
export type Subject = (typeof SUBJECTS)[number];
export type PoolAbility = MongoAbility<[Action, Subject]>;
export type Rule = { action: Action; subject: Subject };

export type AbilityFacts = { role: 'miner' | 'admin'; isLegacyUser: boolean };

/** The rules of a user. Legacy users get no algorithm list and no account switcher (specification 1). */
export function rulesFor({ role, isLegacyUser }: AbilityFacts): RawRuleOf<PoolAbility>[] {
  const subjects: Subject[] = ['dashboard', 'payments', 'workers', 'referral', 'account', 'settings'];
  if (!isLegacyUser) subjects.push('sub-account-list', 'algorithm-list');
  const rules: RawRuleOf<PoolAbility>[] = subjects.map((subject) => ({ action: 'read', subject }));
  if (role === 'admin') rules.push({ action: 'manage', subject: 'admin' });
  return rules;
}

export const createAbility = (rules: RawRuleOf<PoolAbility>[] = []): PoolAbility =>
  createMongoAbility<PoolAbility>(rules);

/** Whether a rule of a manifest or navigation entry is met; no rule means anybody signed in. */
export const allows = (ability: PoolAbility, rule: Rule | undefined): boolean =>
  !rule || ability.can(rule.action, rule.subject);
