/** Members who come, change and go in any order, beside a model that knows who may do what. HEAVY=1: 1,000 walks. */
import fc from 'fast-check';
import { ORGANIZATION_ROLES, type OrganizationRole } from '@pool/shared/roles';
import type { Database } from '../../platform/db/database';
import { emptyTables, insertUsers, testDatabase } from '../../platform/db/testing/test-database';
import { acceptInvitation, invite } from './invitations';
import { changeMember, membersOf } from './members';
import type { Doer } from '../../platform/audit';
import { createOrganization, type OrganizationDeps } from './organizations';
import { cancelRemoval, finishRemovals, removeMember } from './removals';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const PEOPLE = [2, 3, 4, 5];
const step = fc.record({
  what: fc.constantFrom('invite', 'change', 'remove', 'leave', 'cancel', 'finish'),
  who: fc.constantFrom(...PEOPLE),
  whom: fc.constantFrom(...PEOPLE),
  // Owners are what the rules are about.
  role: fc.constantFrom<OrganizationRole>('owner', 'owner', ...ORGANIZATION_ROLES),
});
type Step = { what: string; who: number; whom: number; role: OrganizationRole };

/** Roles by the rules in words, not by the tables. */
class Model {
  readonly roles = new Map<number, OrganizationRole>([[2, 'owner']]);
  /** The maker of each owner, who takes that back at once. */
  private readonly makers = new Map<number, number>();
  private waits: { whom: number; asker: number }[] = [];

  private isOwner = (who: number): boolean => this.roles.get(who) === 'owner';
  private isLast = (who: number): boolean =>
    this.isOwner(who) && [...this.roles.values()].filter((role) => role === 'owner').length === 1;
  private keep(whom: number): boolean {
    const before = this.waits.length;
    this.waits = this.waits.filter((wait) => wait.whom !== whom);
    return this.waits.length < before;
  }
  private out(whom: number): void {
    this.roles.delete(whom);
    this.keep(whom);
  }
  private refused = (who: number): string | null =>
    this.isOwner(who) ? null : this.roles.has(who) ? 'forbidden' : 'not_member';

  /** What the step answers. */
  take({ what, who, whom, role }: Step): string {
    if (what === 'finish') {
      for (const { whom: each, asker } of this.waits)
        if (this.isOwner(asker) && !this.isLast(each)) this.roles.delete(each);
      this.waits = [];
      return 'done';
    }
    if (what === 'leave' || (what === 'remove' && who === whom)) {
      if (!this.roles.has(who)) return 'not_member';
      if (this.isLast(who)) return 'last_owner';
      this.out(who);
      return 'done';
    }
    const refused = this.refused(who);
    if (refused) return refused;
    if (what === 'cancel') {
      const wait = this.waits.find((each) => each.whom === whom);
      if (wait && who === whom) return 'own_removal';
      return this.keep(whom) ? 'done' : 'nobody waits';
    }
    if (what === 'invite') {
      if (role === 'owner') return 'owner_by_mail';
      if (this.roles.has(whom)) return 'already_member';
      this.roles.set(whom, role);
      return 'done';
    }
    if (!this.roles.has(whom)) return 'unknown_member';
    if (what === 'remove') {
      if (!this.isOwner(whom) || this.makers.get(whom) === who) this.out(whom);
      else if (!this.waits.some((wait) => wait.whom === whom)) this.waits.push({ whom, asker: who });
      return 'done';
    }
    if (this.isOwner(whom) && role !== 'owner') {
      if (who !== whom) return 'owner_protected';
      if (this.isLast(whom)) return 'last_owner';
      this.keep(whom);
    }
    if (role === 'owner' && !this.isOwner(whom)) this.makers.set(whom, who);
    this.roles.set(whom, role);
    return 'done';
  }
}

async function take(deps: OrganizationDeps, id: string, { what, who, whom, role }: Step): Promise<string> {
  const by: Doer = { actorId: who, ip: null };
  try {
    if (what === 'invite') {
      const { secret } = await invite(deps, by, id, { email: null, language: 'en', role });
      await acceptInvitation(deps, { actorId: whom, ip: null }, secret ?? '');
    }
    if (what === 'change') await changeMember(deps, by, id, whom, { role });
    if (what === 'remove') await removeMember(deps, by, id, whom);
    if (what === 'leave') await removeMember(deps, by, id, who);
    if (what === 'cancel' && !(await cancelRemoval(deps, by, id, whom))) return 'nobody waits';
    if (what === 'finish') {
      await deps.db.query("update waiting_change set ends_at = ends_at - interval '80 hours'");
      await finishRemovals(deps);
    }
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

it('members are who the model says after every step, and an owner is always there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20, size: 'max' }), async (steps) => {
      await emptyTables(database);
      await insertUsers(database, 'farm');
      const deps: OrganizationDeps = {
        db: database.pool,
        changed: () => undefined,
        mailer: null,
      };
      const { organization, person } = await createOrganization(deps, { actorId: 1, ip: null }, 'Farm');
      expect(person.id).toBe(2);
      for (const name of ['bob', 'carol', 'dave'])
        await database.pool.query('insert into app_user (identity_id, user_name) values ($1, $1)', [name]);
      const model = new Model();
      for (const each of steps) {
        expect([each, await take(deps, organization.id, each)]).toEqual([each, model.take(each)]);
        const members = await membersOf(database.pool, organization.id);
        expect(new Map(members.map(({ userId, role }) => [userId, role]))).toEqual(model.roles);
        expect(members.some(({ role }) => role === 'owner')).toBe(true);
      }
    }),
    { numRuns: process.env.HEAVY ? 1000 : 5 },
  );
}, 600_000);
