import { createHash } from 'node:crypto';
import type { PoolAbility } from '@pool/shared/ability';
import type { Pointer } from './pointers';

/** The part of a signed-in caller that decides which remotes are served, and in which version. */
export type Caller = { user: { id: number; userName: string }; ability: PoolAbility };

/** 0 to 100, constant for a user and a version. */
const share = (userName: string, of: string): number =>
  (createHash('sha256').update(`${userName} ${of}`).digest().readUInt32BE() / 2 ** 32) * 100;

/** The version of a remote that this caller runs. */
export const versionFor = (me: Caller | null, { version: current, canary }: Pointer): string =>
  me && canary && share(me.user.userName, canary.version) < canary.percent ? canary.version : current;
