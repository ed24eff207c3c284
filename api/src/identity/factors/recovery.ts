/**
 * A lost second factor: who knows the password and gets a code by mail asks for its removal, which waits for three days
 * by the database's clock, with a notice every day. A right code of the factor in that time ends the wait.
 */
import type { Pool } from 'pg';
import { joinedRows, oneRow, type Querier, sql, valuesOf } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import type { CodeMails } from '../mails/code-mails';
import { deviceIdOf } from '../device';
import { userAt, type SignInFlow } from '../sign-in/sign-in';
import { cancelRecovery, setFlow, type Device, type Flow, type UserRow, type Visitor } from '../store';
import { turnOff } from './two-step';
import type { PoolAccounts } from '../people/users';

const WAIT_H = 72;
const NOTICE_EVERY_H = 24;
/** A server that was down sends those that are missing before it removes anything. */
const NOTICES = WAIT_H / NOTICE_EVERY_H;
const LINK_H = WAIT_H + NOTICE_EVERY_H;

/** A user who waits until the lost second factor is removed, in `identity_recovery`. */
type RecoveryRow = {
  userId: string;
  /** `totpSince` of the factor that was lost. */
  totpSince: Date;
  readyAt: Date;
  /** Number of notices that were sent, and when the next one is. */
  notices: number;
  noticeAt: Date;
};

/** A browser that gave the right password and has no second factor to give. `totpSince`: of the one that is asked for. */
export type Locked = { clientId: string; flow: SignInFlow; user: UserRow; totpSince: Date };

export class Recovery {
  constructor(
    private readonly db: Pool,
    private readonly mails: CodeMails,
    private readonly pool: PoolAccounts,
  ) {}

  /** Null: this browser has not just given a password that a second factor has to follow. */
  async lockedOut(visitor: Visitor | null): Promise<Locked | null> {
    const flow = visitor?.client.flow as Flow | null | undefined;
    if (!visitor || flow?.kind !== 'sign_in') return null;
    const user = await userAt(this.db, flow, 'needs_second_factor');
    return user?.totpSince ? { clientId: visitor.client.id, flow, user, totpSince: user.totpSince } : null;
  }

  /** Whether it is possible: not without a confirmed address, and not for admins, whom the operator helps. */
  async isOffered({ user }: Locked): Promise<boolean> {
    return user.emailVerifiedAt !== null && !(await this.pool.isAdmin(this.db, user.id));
  }

  async sendCode({ clientId, flow, user }: Locked, device: Device): Promise<void> {
    const { id, email, userName: name } = user;
    await this.mails.send(
      clientId,
      { kind: 'recovery', to: email, account: id, known: deviceIdOf(device.known, user), name, device },
      (recovery): SignInFlow => ({ ...flow, recovery }),
    );
  }

  /** Begins to wait, or goes on with it. Returns until when. */
  async begin({ clientId, flow, user, totpSince }: Locked, code: string | undefined, device: Device): Promise<Date> {
    const place = { address: device.ip, known: deviceIdOf(device.known, user) };
    const mailed = flow.recovery?.to === user.email ? flow.recovery : undefined;
    await this.mails.check(`recovery ${user.id}`, place, mailed, code);
    return transaction(this.db, async (tx) => {
      await tx.query(sql`insert into identity_recovery (user_id, totp_since, ready_at)
        values (${user.id}, ${totpSince}, now() + make_interval(hours => ${WAIT_H}))
        on conflict (user_id) do update set user_id = excluded.user_id`);
      await setFlow(tx, clientId, null);
      return this.notice(tx, user, device.ip);
    });
  }

  /** Tells the user that the removal waits. Returns until when. */
  private async notice(tx: Querier, user: UserRow, ip: string): Promise<Date> {
    const row = await oneRow<RecoveryRow>(tx)`
      update identity_recovery set notices = notices + 1, notice_at = now() + make_interval(hours => ${NOTICE_EVERY_H})
      where user_id = ${user.id} returning *`;
    const until = row.readyAt.toISOString();
    await this.pool.told(tx, user.id, ['recovery', 'begun'], { until }, ip);
    await this.mails.notice(tx, user, 'en', {
      kind: 'recovery_begun',
      values: { until: until.slice(0, 16).replace('T', ' ') },
      link: { kind: 'cancel_recovery', hours: LINK_H },
      lifeH: NOTICE_EVERY_H,
    });
    return row.readyAt;
  }

  /** Sends the notices that are due, and removes second factors whose time is over. Run it every few minutes. */
  async run(): Promise<void> {
    const due = await valuesOf<string>(this.db)`select user_id from identity_recovery where notice_at <= now()`;
    for (const id of due) await transaction(this.db, (tx) => this.step(tx, id));
  }

  private async step(tx: Querier, userId: string): Promise<void> {
    const [found] = await joinedRows<[RecoveryRow, UserRow, { isDue: boolean; isReady: boolean }]>(
      tx,
      `select r.*, u.*, r.notice_at <= now() as is_due, r.ready_at <= now() and r.notices >= $2 as is_ready
       from identity_recovery r join identity_user u on u.id = r.user_id
       where r.user_id = $1 for update`,
      [userId, NOTICES],
    );
    if (!found?.[2].isDue) return;
    const [recovery, user, { isReady }] = found;
    // Another factor than the one that was lost, an address that takes no mail, or an admin by now.
    const isOther = Number(user.totpSince) !== Number(recovery.totpSince);
    if (isOther || !user.emailVerifiedAt || (await this.pool.isAdmin(tx, userId))) {
      await cancelRecovery(tx, userId);
      return;
    }
    if (!isReady) {
      await this.notice(tx, user, 'server');
      return;
    }
    await cancelRecovery(tx, userId);
    await turnOff(tx, userId);
    await this.pool.told(tx, userId, ['recovery', 'done'], {}, 'server');
    await this.mails.notice(tx, user, 'en', { kind: 'recovery_done', values: {} });
  }
}
