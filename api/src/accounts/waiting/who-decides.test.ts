import { mayDo, type Decided, type Decider } from './who-decides';

const ASKS = 1;
const LOSES = 3;
const owner = (id: number, owns: string | null = 'org'): Decider => ({ id, owns, isAdmin: false });
const admin = (id: number): Decider => ({ id, owns: null, isAdmin: true });
const asked: Decided = { organizationId: 'org', askedBy: ASKS, against: LOSES, endsAs: 'expired' };
const held: Decided = { ...asked, endsAs: 'done' };
const ofPool: Decided = { ...asked, organizationId: null };

test.each<[string, Decided, Decider, string]>([
  ['of an organization: the owner who asked', asked, owner(ASKS), 'see end'],
  ['of an organization: who asked and is an owner no more', asked, owner(ASKS, null), 'see end'],
  ['of an organization: another owner', asked, owner(2), 'see confirm end'],
  ['of an organization: the owner who loses by it', asked, owner(LOSES), 'see confirm'],
  ['of an organization: an owner of another one', asked, owner(2, 'other'), ''],
  ['of an organization: an admin', asked, admin(2), ''],
  ['held for a time: the owner who asked', held, owner(ASKS), 'see end'],
  ['held for a time: another owner', held, owner(2), 'see end'],
  ['held for a time: the owner who loses by it', held, owner(LOSES), 'see'],
  ['of the pool: the admin who asked', ofPool, admin(ASKS), 'see end'],
  ['of the pool: another admin', ofPool, admin(2), 'see confirm end'],
  ['of the pool: an owner', ofPool, owner(2), ''],
  ['of the pool: anybody', ofPool, owner(2, null), ''],
])('%s', (_, change, who, expected) => {
  const may = mayDo(change, who);
  expect((['see', 'confirm', 'end'] as const).filter((each) => may[each]).join(' ')).toBe(expected);
});
