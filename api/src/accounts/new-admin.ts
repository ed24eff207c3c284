/** An admin whom another one has made is no second pair of eyes for some days. */
import { hasRow, type Querier } from '../platform/db/querier';

/** Refusal of an admin whom another one has made a few days ago. */
export const NEW_ADMIN = 'An admin whom another one has made approves, sends and confirms nothing for three days.';

/** Whether an admin has been one for too short a time to be a second pair of eyes. */
export const isNewAdmin = (db: Querier, userId: number): Promise<boolean> =>
  hasRow(db)`select from app_user where id = ${userId} and full_admin_at > now()`;
