import { abilityFor, rulesFor, type AbilityFacts } from './ability';
import { OWN_SUBJECTS } from './subjects';

const named = (rules: readonly { action?: unknown; subject?: unknown }[]) =>
  rules.map(({ action, subject }) => [action, subject].join(' ')).sort();
const own = (action: string) => OWN_SUBJECTS.map((subject) => `${action} ${subject}`);
const LISTS = ['read sub-account-list', 'read algorithm-list'];
const VIEWER = { role: 'viewer', money: false, limited: false } as const;
const VIEWED = ['dashboard', 'workers', 'organization', 'account', 'settings', 'person'];

test.each<[string, Partial<AbilityFacts>, string[]]>([
  ['a user', {}, [...own('manage'), ...LISTS, 'manage telegram']],
  ['a user of the old pool', { isLegacyUser: true }, [...own('manage'), 'manage telegram']],
  ['a user of a pool without a bot', { hasBot: false }, [...own('manage'), ...LISTS]],
  ['a reader', { readOnly: true }, [...own('read'), ...LISTS, 'read telegram']],
  ['an admin', { role: 'admin' }, [...own('manage'), ...LISTS, 'manage telegram', 'manage admin', 'read acl-page']],
  ['an admin at pages of others', { role: 'admin', readOnly: true }, [...own('read'), ...LISTS, 'read telegram']],
  [
    'an admin who is a viewer here',
    { role: 'admin', readOnly: true, member: VIEWER },
    [...VIEWED.map((subject) => `read ${subject}`), ...LISTS, 'read telegram'],
  ],
])('%s has these rules and no others', (_, given, wanted) => {
  const facts = { role: 'miner', isLegacyUser: false, ...given } as const;
  for (const rules of [rulesFor(facts), abilityFor(facts).rules]) expect(named(rules)).toEqual(wanted.sort());
});
