import { z } from 'zod';
import * as a from '../admin-schemas';
import * as s from '../schemas';
import { ADMIN, byId, cursorPage, page, userCall } from './endpoint';

const MAX_UPDATES = 500;
const changed = z.object({ changed: z.int() });
/** `3,5,8`: only rows with these ids. */
const idList = z.string().regex(/^\d{1,9}(,\d{1,9}){0,499}$/);
const rowId = z.int().min(1).max(2_147_483_647);

/** Calls for admins only. */
export const admin = {
  'GET /users/': userCall(ADMIN, {
    summary: 'List users',
    query: z.strictObject({
      legacy: z.stringbool().optional(),
      search: z.string().max(64).optional(),
      sort: a.userSort.default('userName'),
      ...cursorPage,
    }),
    response: page(a.adminUser),
  }),
  'PUT /users/': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['admin'], shows: 'admin' },
    summary: 'Update a user; fails unless `legacy` is the kind of the user',
    query: byId.extend({ legacy: z.stringbool().optional() }),
    body: a.userChange,
    response: a.editUser,
  }),
  'GET /admin/editUsers': userCall(ADMIN, {
    summary: 'List users with all fields that an admin can update',
    query: z.strictObject({
      legacy: z.stringbool().optional(),
      search: z.string().max(64).optional(),
      ids: idList.optional(),
      ...cursorPage,
    }),
    response: page(a.editUser),
  }),
  'GET /admin/subAccounts': userCall(ADMIN, {
    summary: 'List sub-accounts; `search`: part of its name, the beginning of its owner or its address',
    query: z.strictObject({
      search: z.string().max(64).optional(),
      ids: idList.optional(),
      sort: a.subAccountSort.default('name'),
      ...cursorPage,
    }),
    response: page(a.listedSubAccount),
  }),
  'PUT /bulkUpdateUsers': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['admin'], shows: 'admin' },
    summary: 'Update several users, all or none',
    body: z.strictObject({
      updates: z
        .array(a.userChange.extend({ id: rowId }))
        .min(1)
        .max(MAX_UPDATES),
      legacy: z.boolean().optional(),
    }),
    response: changed,
  }),
  'PUT /bulkUpdateSubAccounts': userCall(ADMIN, {
    sudo: true,
    summary: 'Update several sub-accounts, all or none',
    body: z.strictObject({
      updates: z
        .array(a.subAccountChange.extend({ id: rowId }))
        .min(1)
        .max(MAX_UPDATES),
    }),
    response: changed,
  }),
  'GET /admin/getNonLegacyUsersWithSubAccounts': userCall(ADMIN, {
    summary: 'List all users that are not legacy users, with their sub-accounts',
    response: z.array(z.object({ user: s.user, subAccounts: z.array(s.subAccount) })),
  }),
  'PUT /admin/subAccounts/': userCall(ADMIN, {
    sudo: true,
    summary: 'Update a sub-account',
    query: byId,
    body: a.subAccountChange,
    response: a.adminSubAccount,
  }),
  'PUT /admin/wallet': userCall(ADMIN, {
    sudo: true,
    waits: { for: ['time'], shows: 'address' },
    summary: 'Change the payout address of a sub-account; it is on hold first, and its owner is told and can cancel it',
    query: z.strictObject({ accountName: s.accountName }),
    body: z.strictObject({ btcAddress: z.string().max(200) }),
    response: s.wallet,
  }),
};
