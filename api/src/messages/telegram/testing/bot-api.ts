/** Test helper: a Bot API over real HTTP. Chats write to the bot, and what the bot sends is there to read. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const BOT_TOKEN = '1234567:test-token-of-the-bot_AAAAAAAAAA';
type SentMessage = { chatId: number; text: string; parseMode: string | undefined; at: number };
/** An answer other than the usual one: `drop` cuts the connection, `lost` takes the message and cuts it then. */
type Fault = { code: number; description: string; retryAfter?: number; migrateTo?: number } | 'drop' | 'lost';

type Group = { id: number; title: string };
type Person = { id: number; username?: string; first_name?: string; language_code?: string };

export type BotApi = {
  root: string;
  sent: SentMessage[];
  /** Paths of all requests, without the token. */
  asked: string[];
  /** The next calls that send to this chat (null: any) end so, one after the other. */
  fail(chatId: number | null, ...faults: Fault[]): void;
  /** Somebody writes to the bot, or in a group, whose administrators are the people of `admins`. */
  write(from: Person, text: string, group?: Group): void;
  admins: Set<number>;
  /** A group becomes a supergroup, which has another id. */
  migrate(group: Person, to: number): void;
  /** Somebody blocks the bot, or lets it back in. */
  member(from: Person, status: 'kicked' | 'member'): void;
  /** Resolves when the condition holds; it is looked at with every request. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
};

const read = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = '';
  for await (const part of request) text += String(part);
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
};

export async function startBotApi(token = BOT_TOKEN): Promise<BotApi> {
  const sent: SentMessage[] = [];
  const admins = new Set<number>();
  const asked: string[] = [];
  const faults: { chatId: number | null; fault: Fault }[] = [];
  const updates: Record<string, unknown>[] = [];
  const looks = new Set<() => void>();
  let waiting: (() => void) | null = null;
  let nextUpdate = 100;
  const look = (): void => {
    for (const each of looks) each();
  };

  const answer = (response: ServerResponse, code: number, body: object): void => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const good = (response: ServerResponse, result: unknown): void => answer(response, 200, { ok: true, result });
  const bad = (response: ServerResponse, { code, description, retryAfter, migrateTo }: Exclude<Fault, string>): void =>
    answer(response, code, {
      ok: false,
      error_code: code,
      description,
      parameters: { retry_after: retryAfter, migrate_to_chat_id: migrateTo },
    });

  async function getUpdates(
    response: ServerResponse,
    { offset = 0, timeout = 0 }: { offset?: number; timeout?: number },
  ): Promise<void> {
    while (updates.length && Number(updates[0]?.update_id) < offset) updates.shift();
    if (updates.length === 0 && timeout > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout * 1000);
        waiting = () => {
          clearTimeout(timer);
          resolve();
        };
        response.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    if (!response.destroyed) good(response, [...updates]);
  }

  function sendMessage(response: ServerResponse, body: Record<string, unknown>): void {
    const chatId = Number(body.chat_id);
    const index = faults.findIndex((each) => each.chatId === null || each.chatId === chatId);
    const [failing] = index === -1 ? [] : faults.splice(index, 1);
    if (failing && typeof failing.fault === 'object') return bad(response, failing.fault);
    if (failing?.fault === 'drop') {
      response.destroy();
      return;
    }
    sent.push({ chatId, text: String(body.text), parseMode: body.parse_mode as string | undefined, at: Date.now() });
    if (failing?.fault === 'lost') {
      response.destroy();
      return;
    }
    good(response, { message_id: sent.length, date: 0, chat: { id: chatId, type: 'private' }, text: body.text });
  }

  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
      asked.push(method);
      // Journeys are other processes: they write to the bot and read what it sent over HTTP too.
      if (request.url === '/write') {
        write(body.from as Person, String(body.text));
        good(response, true);
      } else if (request.url === '/sent') good(response, sent);
      else if (given !== token) bad(response, { code: 401, description: 'Unauthorized' });
      else if (method === 'getMe')
        good(response, {
          id: 1,
          is_bot: true,
          first_name: 'Pool',
          username: 'pool_test_bot',
          can_join_groups: true,
          can_read_all_group_messages: false,
          supports_inline_queries: false,
        });
      else if (method === 'getUpdates') await getUpdates(response, body);
      else if (method === 'sendMessage') sendMessage(response, body);
      else if (method === 'getChatMember')
        good(response, { status: admins.has(Number(body.user_id)) ? 'administrator' : 'member' });
      else good(response, true);
      look();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  const add = (update: object): void => {
    updates.push({ update_id: nextUpdate, ...update });
    nextUpdate += 1;
    waiting?.();
    waiting = null;
  };
  const chatOf = ({ id, username, first_name = 'Somebody' }: Person) => ({
    id,
    type: 'private',
    first_name,
    ...(username ? { username } : {}),
  });
  const userOf = (person: Person) => ({ is_bot: false, first_name: 'Somebody', ...person });
  const write = (from: Person, text: string, group?: Group): void =>
    add({
      message: {
        message_id: nextUpdate,
        date: 0,
        chat: group ? { ...group, type: 'supergroup' } : chatOf(from),
        from: userOf(from),
        text,
        ...(text.startsWith('/')
          ? { entities: [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]?.length ?? 0 }] }
          : {}),
      },
    });
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    asked,
    fail: (chatId, ...list) => {
      faults.push(...list.map((fault) => ({ chatId, fault })));
    },
    write,
    admins,
    migrate: (group, to) =>
      add({
        message: { message_id: nextUpdate, date: 0, chat: chatOf(group), from: userOf(group), migrate_to_chat_id: to },
      }),
    member: (from, status) =>
      add({
        my_chat_member: {
          chat: chatOf(from),
          from: userOf(from),
          date: 0,
          old_chat_member: { user: userOf(from), status: 'member' },
          new_chat_member: { user: userOf(from), status },
        },
      }),
    until: (condition) =>
      new Promise((resolve) => {
        const each = (): void => {
          if (condition()) {
            looks.delete(each);
            resolve();
          }
        };
        looks.add(each);
        each();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
