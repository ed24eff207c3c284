/** `GET /api/events`: server-sent events about the caller's own accounts. Losing one is harmless: pages refetch. */
import { accountsOf } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import { problems } from '../../../platform/refused';
import { personOf } from '../../auth/principal';
import { guard } from '../../auth/authorise';
import { every } from '../../../platform/every';
import type { ZodApp } from '../../server/server';
import { EventStreams, type Stream } from './event-streams';

const STREAMS_A_USER = 5;
const HEARTBEAT_MS = 20_000;
/** Time after which a page is told to open a new stream: the hosted sign-in service does not report who signed out. */
const LIFE_MS = 15 * 60_000;
/** A reader with more unread data is disconnected. */
const BACKLOG_BYTES = 256 * 1024;

export function eventRoutes(app: ZodApp, { bus, changes, config, pool, principals }: Deps): void {
  const streams = new EventStreams();
  // Streams are counted by token or user: those of a shared link do not count towards its owner's limit.
  const places = new Map<string, number>();
  const check = async (): Promise<void> => {
    const open = streams.all();
    if (open.length === 0) return;
    const changed = await principals.changed(open.map(({ me }) => me));
    for (const stream of open) if (changed.has(stream.me)) stream.end();
  };
  // A timer finds what nobody told: sessions that ran out, commands, messages that were lost.
  const checks = every(config.REREAD_SECONDS * 1000, check, app.log, 'event streams could not be checked');
  const ends = [
    bus.subscribe((event) => streams.publish(event)),
    changes.onCallers((ended) => {
      if (ended.length === 0) return void checks.now();
      for (const stream of streams.all()) if (ended.includes((stream.me.viewer ?? stream.me).sessionId)) stream.end();
    }),
  ];
  app.addHook('preClose', async () => {
    for (const end of ends) end();
    for (const stream of streams.all()) stream.end();
    await checks.stop();
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
      const key = me.token ? `token ${me.token.id}` : `user ${personOf(me.viewer ?? me).id}`;
      const taken = places.get(key) ?? 0;
      if (taken >= STREAMS_A_USER) throw problems.tooMany('too_many_streams', 30, `At most ${STREAMS_A_USER} streams.`);
      // Counted before anything is awaited, so that the limit holds for streams that open at once.
      places.set(key, taken + 1);
      const response = reply.raw;
      const stream: Stream = {
        me,
        send: (text) => {
          // It has been ended and is not closed yet: a write would be an error that nobody hears, which ends the server.
          if (response.writableEnded) return;
          if (response.writableLength > BACKLOG_BYTES) response.destroy();
          else response.write(text);
        },
        end: () => response.end(),
      };
      const leave = (): void => {
        streams.delete(stream);
        const left = (places.get(key) ?? 1) - 1;
        if (left) places.set(key, left);
        else places.delete(key);
      };
      const readAccounts = async (): Promise<Set<string>> =>
        new Set((await accountsOf(pool, me)).map(({ name }) => name));
      const accounts = await readAccounts().catch((error: unknown) => {
        leave();
        throw error;
      });

      reply.hijack();
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      stream.send('retry: 3000\n\n');
      streams.set(stream, accounts);
      const heartbeat = setInterval(() => {
        stream.send(': still here\n\n');
        readAccounts().then(
          (now) => {
            if (!response.closed) streams.set(stream, now);
          },
          () => undefined,
        );
      }, HEARTBEAT_MS);
      const life = setTimeout(() => {
        stream.send('event: renew\ndata:\n\n');
        stream.end();
      }, LIFE_MS);
      response.once('close', () => {
        clearInterval(heartbeat);
        clearTimeout(life);
        leave();
      });
      if (response.destroyed) response.emit('close');
    },
  );
}
