import { createHash } from 'node:crypto';
import type { Principal } from '../http/auth/principal';
import type { Pointer } from './pointers';

/** 0 to 100, constant for a user and a version. */
const share = (userName: string, of: string): number =>
  (createHash('sha256').update(`${userName} ${of}`).digest().readUInt32BE() / 2 ** 32) * 100;

/** The version of a remote that this caller runs. */
export const versionFor = (me: Principal | null, { version: current, canary }: Pointer): string =>
  me && canary && share(me.user.userName, canary.version) < canary.percent ? canary.version : current;
