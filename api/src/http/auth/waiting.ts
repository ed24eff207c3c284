/** Calls that wait for another person: kept before they are made, and made when another one confirms them. */
import { isDeepStrictEqual } from 'node:util';
import { isAdmin } from '@pool/shared/ability';
import { contract, type Call, type Endpoint, type ShownChange, type Waits } from '@pool/shared/api/contract';
import { isNewAdmin, NEW_ADMIN } from '../../accounts/new-admin';
import { needsSecondOwner } from '../../accounts/organizations/second-owner';
import { tellAsked, tellEnded } from '../../accounts/waiting/told';
import {
  askAnother,
  confirming,
  contentOwner,
  settle,
  take,
  takeBack,
  waitingIn,
  type Waiting,
} from '../../accounts/waiting/waiting';
import { mayDo, type Decider } from '../../accounts/waiting/who-decides';
import { fourEyesOf } from '../../money/payouts/four-eyes-setting';
import { transaction } from '../../platform/db/transaction';
import type { Deps } from '../context/deps';
import { problems } from '../../platform/refused';
import { type Acting, doerOf, personOf, type Principal } from './principal';
import { checkRecent } from './recent';

/** What a call would change. `against`: the person who loses something by it. */
export type Shown = ShownChange & { against?: number };
export type Given = { params: unknown; query: unknown; body: unknown };
type Asked = Given & Acting;
type Shows = (context: never) => Promise<Shown | null> | Shown | null;
type Needs = Pick<Deps, 'pool' | 'secrets'>;

const DETAILS = {
  owner: ['second_owner', 'Another owner has to confirm this; it waits under Account > Organization.'],
  admin: ['second_admin', 'Another admin has to confirm this. All admins are asked.'],
} as const;

export const waitsOf = (call: string): Waits | undefined => (contract as Record<string, Endpoint>)[call]?.waits;
export const deciderOf = (me: Principal): Decider => ({
  id: personOf(me).id,
  owns: me.member?.role === 'owner' ? me.member.organizationId : null,
  isAdmin: isAdmin(me.ability),
});

/** Whether they want two pairs of eyes, and there is a second one. */
async function wantsAnother({ pool }: Needs, who: 'owner' | 'admin', { member }: Principal, against?: number) {
  if (who === 'admin') return (await fourEyesOf(pool)).fourEyes;
  return member !== undefined && needsSecondOwner(pool, member.organizationId, member.user.id, against);
}

async function checkFullAdmin({ pool }: Needs, me: Principal): Promise<void> {
  if (!me.member && (await isNewAdmin(pool, me.user.id))) throw problems.conflict('new_admin', NEW_ADMIN);
}

/**
 * Before a call: keeps it with a 409 where another person has to confirm it. Returns the change that the call confirms,
 * because another person has asked for the same; null: it waits for nobody.
 */
export async function keepWaiting(deps: Needs, call: Call, context: Asked, shows: Shows): Promise<Waiting | null> {
  const { me, params, query, body } = context;
  const waits = waitsOf(call);
  const who = waits?.for.find((each) => each !== 'time');
  if (!waits || !who || !(await wantsAnother(deps, who, me))) return null;
  const change = await shows(context as never);
  if (change === null) return null;
  const { against = null, ...facts } = change;
  if (against !== null && !(await wantsAnother(deps, who, me, against))) return null;
  checkRecent(me);
  await checkFullAdmin(deps, me);
  const shown = JSON.parse(JSON.stringify(facts)) as ShownChange;
  const organizationId = me.member?.organizationId ?? null;
  const by = deciderOf(me);
  const same = (await waitingIn(deps.pool, organizationId)).find(
    (each) =>
      waitsOf(each.call)?.shows === waits.shows && isDeepStrictEqual(each.shown, shown) && mayDo(each, by).confirm,
  );
  if (same) return take(deps.pool, same.id, by);
  const content = deps.secrets.seal(JSON.stringify({ params, query, body }), contentOwner(organizationId));
  const userId = me.member ? me.user.id : null;
  const asked = { call, organizationId, userId, askedBy: by.id, against, content, shown };
  await transaction(deps.pool, async (tx) => {
    await askAnother(tx, asked);
    await tellAsked(tx, doerOf(context), asked, waits.shows);
  });
  const [code, detail] = DETAILS[who];
  throw problems.conflict(code, detail);
}

/** Makes the call of a change that was taken; a refused one waits on, to be confirmed later or declined. */
export async function carryOut<T>(
  { pool }: Needs,
  context: Acting,
  change: Waiting,
  make: () => Promise<T>,
): Promise<T> {
  const by = doerOf(context);
  const answer = await confirming.run(change, make).catch(async (error: unknown) => {
    await settle(pool, change.id, 'taken', 'waits', null);
    throw error;
  });
  await transaction(pool, async (tx) => {
    await settle(tx, change.id, 'taken', 'done', by.actorId);
    await tellEnded(tx, by, change, 'confirm');
  });
  return answer;
}

/** Confirms a change as another person: its call is made in that person's name. */
export async function confirmWaiting(
  deps: Needs,
  id: number,
  context: Acting,
  make: (call: Call, given: Given) => Promise<unknown>,
): Promise<{ call: Call; answer: unknown }> {
  await checkFullAdmin(deps, context.me);
  const change = await take(deps.pool, id, deciderOf(context.me));
  const answer = await carryOut(deps, context, change, async () => {
    const owner = contentOwner(change.organizationId);
    return make(change.call, JSON.parse(deps.secrets.open(change.content ?? '', owner)) as Given);
  });
  return { call: change.call, answer };
}

/** Declines a change that waits for a person, or takes the own one back. */
export const endWaiting = ({ pool }: Needs, id: number, context: Acting): Promise<void> =>
  transaction(pool, async (tx) => {
    const change = await takeBack(tx, id, deciderOf(context.me));
    await tellEnded(tx, doerOf(context), change, 'decline');
  });
