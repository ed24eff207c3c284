/** Commands about people: their sign-in, their roles. */
import { randomBytes } from 'node:crypto';
import { writeAdminNotes } from '../messages/notifications';
import { recordEvent } from '../identity/people/pool-accounts';
import { writeAudit } from '../platform/audit';
import { transaction } from '../platform/db/transaction';
import { removeTwoStep, resetPassword } from '../identity';
import { ACTOR, OPERATOR, type Command, type CommandContext } from './command';
import { OperatorError } from '../platform/operator-error';
import { firstRow, sql, valuesOf } from '../platform/db/querier';

const ROLES = ['admin', 'miner'] as const;

function refuseHosted({ hosted }: CommandContext, what: string): void {
  if (hosted) throw new OperatorError(`Sign-in is a hosted service here (CLERK_PUBLISHABLE_KEY): ${what} there.`);
}

export const USER_COMMANDS: Record<string, Command> = {
  'reset-password': {
    takes: '<user>',
    what: 'sets a new random password, prints it once, ends all sessions',
    run: async (context, [name = '']) => {
      refuseHosted(context, 'reset the password');
      const { pool, sessionsEnded } = context;
      const password = randomBytes(12).toString('base64url');
      const done = await transaction(pool, async (tx) => {
        const reset = await resetPassword(tx, name, password);
        if (!reset) throw new OperatorError(`There is no user "${name}".`);
        await writeAudit(tx, OPERATOR, 'user.reset_password', reset.user.userName, {
          after: { sessionsEnded: reset.ended.length },
        });
        return reset;
      });
      sessionsEnded(done.ended);
      return (
        `New password of ${done.user.userName}: ${password}\n` +
        `${done.ended.length} sessions ended. It is not shown again.`
      );
    },
  },
  'remove-two-step': {
    takes: '<user>',
    what: 'turns off two-step sign-in of a user who has lost the app and the backup codes, and tells the user',
    run: async (context, [name = '']) => {
      refuseHosted(context, 'remove the second factor');
      return transaction(context.pool, async (tx) => {
        const user = await removeTwoStep(tx, name);
        if (!user) throw new OperatorError(`There is no user "${name}" whose two-step sign-in is on.`);
        await recordEvent(tx, user.id, ['two_step', 'off'], { ip: ACTOR, operator: true });
        return `${user.userName} signs in with the password alone. Be sure that it was the owner who asked.`;
      });
    },
  },
  'grant-role': {
    takes: `<user> ${ROLES.join('|')}`,
    what: 'gives a role',
    run: async ({ pool }, [name = '', role = '']) => {
      if (!ROLES.some((known) => known === role)) throw new OperatorError(`A role is one of: ${ROLES.join(', ')}.`);
      const before = await transaction(pool, async (client) => {
        const user = await firstRow<{ id: number; userName: string; role: string }>(client)`
          select id, user_name, role from app_user where user_name = lower(${name}) for update`;
        if (!user) throw new OperatorError(`There is no user "${name}".`);
        await client.query(sql`update app_user set role = ${role} where id = ${user.id}`);
        const facts = { before: { role: user.role }, after: { role } };
        await writeAudit(client, OPERATOR, 'user.grant_role', user.userName, facts);
        if (role === 'admin' && user.role !== 'admin')
          await writeAdminNotes(
            client,
            { kind: 'admins_new', values: { user: ACTOR, name: user.userName } },
            Date.now() / 1000,
          );
        return user.role;
      });
      return `${name} is ${role} (was ${before}). Running servers know within five seconds.`;
    },
  },
  'list-users': {
    takes: '',
    what: 'everybody, with role and last visit',
    reads: true,
    run: async ({ pool }) => {
      const lines = await valuesOf<string>(pool)`
        select concat_ws('  ', rpad(user_name, 32), rpad(role, 6),
          case when is_legacy_user then 'legacy' end,
          case when disabled then 'disabled' end,
          'seen ' || coalesce(to_char(last_seen_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), 'never'))
        from app_user order by user_name`;
      return lines.join('\n') || 'Nobody yet.';
    },
  },
};
