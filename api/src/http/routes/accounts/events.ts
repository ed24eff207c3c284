/** `GET /api/events`: server-sent events about the caller's own accounts. Losing one is harmless: pages refetch. */
import type { ServerResponse } from 'node:http';
import type { Scope } from '@pool/shared/api/contract';
import type { BusEvent } from '../../../bus';
import { subAccountsOf } from '../../../accounts/accounts';
import type { Deps } from '../../context/deps';
import type { Principal } from '../../auth/principal';
import { problems } from '../../server/problem';
import { guard } from '../../auth/route';
import type { ZodApp } from '../../server/server';

const STREAMS_A_USER = 5;
const HEARTBEAT_MS = 20_000;
/** Interval of checking all streams: one ends at most five seconds after its session, link or role did. */
const CHECK_MS = 2000;
/** After so long a page is told to open a new stream: the hosted sign-in service does not report who signed out. */
const LIFE_MS = 15 * 60_000;
/** A reader with more unread data is disconnected. */
const BACKLOG_BYTES = 256 * 1024;

/** The scope a watcher token or API key needs for an event; other events are not sent to them. */
const SCOPE_OF: Partial<Record<BusEvent['type'], Scope>> = {
  hashrate: 'hashrate',
  workers: 'workers',
  payment: 'earnings',
};

/** Whether to send an event to the caller: its own and public ones, which are those of upstreams and remotes. */
function concerns(event: BusEvent, me: Principal, accounts: ReadonlySet<string>): boolean {
  if (me.token && !me.token.scopes.some((scope) => scope === SCOPE_OF[event.type])) return false;
  if (event.userId !== undefined) return event.userId === me.user.id;
  if (event.type === 'upstream' || event.type === 'remotes') return true;
  return 'account' in event.data && accounts.has(event.data.account);
}

export function eventRoutes(app: ZodApp, { bus, database, principals }: Deps): void {
  // By token or user: the streams of a shared link do not count towards its owner's limit.
  const open = new Map<string, Map<ServerResponse, Principal>>();
  const all = (): [ServerResponse, Principal][] => [...open.values()].flatMap((streams) => [...streams]);
  let checking = false;
  const check = async (): Promise<void> => {
    const streams = all();
    if (checking || streams.length === 0) return;
    checking = true;
    try {
      const changed = await principals.changed(streams.map(([, me]) => me));
      for (const [stream, me] of streams) if (changed.has(me)) stream.end();
    } catch (error) {
      app.log.warn({ err: error }, 'event streams could not be checked');
    } finally {
      checking = false;
    }
  };
  const checks = setInterval(() => void check(), CHECK_MS).unref();
  app.addHook('preClose', async () => {
    clearInterval(checks);
    for (const [stream] of all()) stream.end();
  });

  app.get(
    '/api/events',
    {
      schema: { hide: true },
      exposeHeadRoute: false,
      onRequest: guard({ who: 'watcher', scope: 'any' }, principals),
    },
    async (request, reply) => {
      const me = request.principal;
      if (!me) throw problems.signedOut();
      const key = me.token ? `token ${me.token.id}` : `user ${(me.viewer ?? me).user.id}`;
      const mine = open.get(key) ?? new Map<ServerResponse, Principal>();
      if (mine.size >= STREAMS_A_USER)
        throw problems.tooMany('too_many_streams', 30, `At most ${STREAMS_A_USER} streams.`);
      const stream = reply.raw;
      // Counted before anything is awaited, so that the limit holds for streams that open at once.
      open.set(key, mine.set(stream, me));
      let accounts: ReadonlySet<string> = new Set();
      const readAccounts = async (): Promise<void> => {
        accounts = new Set((await subAccountsOf(database.db, me.user.id)).map((account) => account.name));
      };
      const leave = (): void => {
        mine.delete(stream);
        if (mine.size === 0) open.delete(key);
      };
      try {
        await readAccounts();
      } catch (error) {
        leave();
        throw error;
      }

      reply.hijack();
      stream.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      const send = (text: string): void => {
        if (stream.writableLength > BACKLOG_BYTES) stream.destroy();
        else stream.write(text);
      };
      send('retry: 3000\n\n');
      const unsubscribe = bus.subscribe((event) => {
        if (concerns(event, me, accounts)) send(`event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`);
      });
      const heartbeat = setInterval(() => {
        send(': still here\n\n');
        readAccounts().catch(() => undefined);
      }, HEARTBEAT_MS);
      const life = setTimeout(() => {
        send('event: renew\ndata:\n\n');
        stream.end();
      }, LIFE_MS);
      stream.once('close', () => {
        unsubscribe();
        clearInterval(heartbeat);
        clearTimeout(life);
        leave();
      });
      if (stream.destroyed) stream.emit('close');
    },
  );
}
