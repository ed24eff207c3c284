/** Untrusted requests: sizes, shapes, origins, errors (security.md 9, 17, 42, 44, 46, 47). */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLog } from '../../platform/log';
import { appOfFile, type Person, personOfFile } from '../testing/test-app';
import { Connections } from './connections';

describe('requests', () => {
  const lines: string[] = [];
  const log = new Writable({
    write: (chunk: Buffer, _, done) => done(void lines.push(...chunk.toString().split('\n').filter(Boolean))),
  });
  const test = appOfFile({ log: createLog('info', log) });
  const owner = personOfFile(test, 'owner');
  const admin = personOfFile(test, 'boss', { role: 'admin' });

  const post = (raw: string, headers: Record<string, string> = {}) =>
    owner.call('/api/subAccounts/', { method: 'POST', raw, headers });

  describe('bodies', () => {
    it.each([
      ['/api/subAccounts/', 64 * 1024],
      ['/api/workers/bulk', 600 * 1024],
      ['/api/client-errors', 2048],
    ])('%s, over %d bytes: 413', async (path, most) => {
      const answered = async (bytes: number) =>
        (await owner.call(path, { method: 'POST', raw: JSON.stringify({ name: 'x'.repeat(bytes - 11) }) })).code;
      expect([await answered(most), await answered(most + 1)]).toEqual(['invalid_request', 'payload_too_large']);
    });
    it.each([
      ['nested deeply', `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
      ['__proto__', '{"name":"second","__proto__":{"role":"admin"}}'],
      ['constructor.prototype', '{"name":"second","constructor":{"prototype":{"role":"admin"}}}'],
      ['unknown field', '{"name":"second","role":"admin"}'],
      ['no body', ''],
      ['not JSON', '{name}'],
      ['null', 'null'],
    ])('%s: 400 problem document, nothing made', async (_, raw) => {
      const answer = await post(raw);
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.body).toMatchObject({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        requestId: answer.headers['x-request-id'],
      });
      expect((await test.database.pool.query('select count(*) as n from sub_account')).rows).toEqual([{ n: 2 }]);
    });
    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json5',
    ])('%s: 415', async (type) => {
      const answer = await post('{"name":"second"}', { 'content-type': type });
      expect([answer.status, answer.code]).toEqual([415, 'unsupported_media_type']);
    });
  });

  describe('queries', () => {
    it.each([
      ['an unknown parameter', '/api/hashchart/?from=0'],
      ['a repeated parameter', '/api/hashchart/?historyTimeframe=d1&historyTimeframe=d7'],
      ['an array for a word', '/api/hashchart/?historyTimeframe[]=d1'],
      ['a cursor of somebody else', '/api/liveWorkers/?cursor=abc'],
      ['a day that is none', '/api/paymentsHistory/?from=2026-02-30'],
      ['100,000 array items', `/api/liveWorkers/?${'name[]=x&'.repeat(100_000)}`],
      ['101 parameters', `/api/liveWorkers/?${'a=1&'.repeat(101)}`],
    ])('%s: 400', async (_, url) => {
      const answer = await owner.call(url);
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
    });
    it('an endless address: 414', async () => {
      expect((await owner.call(`/api/liveWorkers/?search=${'x'.repeat(9000)}`)).code).toBe('uri_too_long');
    });
  });

  describe('writes', () => {
    const write = (headers: Record<string, string>) =>
      owner.call('/api/notifications/read', { method: 'POST', body: {}, headers });
    it.each([
      ['no XSRF header', { 'x-xsrf-token': '' }, 403, 'xsrf_invalid'],
      ['a wrong XSRF header', { 'x-xsrf-token': 'other' }, 403, 'xsrf_invalid'],
      ['a foreign origin', { origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
      ['the right host on another port', { origin: 'http://pool.test:3001' }, 403, 'origin_not_allowed'],
      ['another site', { origin: '', 'sec-fetch-site': 'cross-site' }, 403, 'origin_not_allowed'],
    ])('with %s: refused', async (_, headers, status, code) => {
      const answer = await write(headers);
      expect([answer.status, answer.code]).toEqual([status, code]);
    });
    it('with the session cookie only: refused, while a read is allowed', async () => {
      const { token } = await test.signIn('owner');
      const cookie = `XSRF-TOKEN=xsrf; __session=${token}`;
      expect((await test.visitor.call('/api/notifications', { headers: { cookie } })).status).toBe(200);
      expect(
        (await test.visitor.call('/api/notifications/read', { method: 'POST', body: {}, headers: { cookie } })).status,
      ).toBe(401);
    });
  });

  describe('errors', () => {
    it('an unknown path: the same 404 for everybody', async () => {
      const answers = await Promise.all([
        owner.call('/api/nothing'),
        test.visitor.call('/api/nothing'),
        owner.post('/api/nothing', {}),
        owner.call('/nothing.js'),
      ]);
      for (const answer of answers)
        expect(answer.body).toEqual({ type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found' });
    });
    it('a bad token: 401, no hint', async () => {
      const answer = await test.visitor.call('/api/getUserInfo/', { headers: { authorization: 'Bearer a.b.c' } });
      expect([answer.status, answer.code, answer.headers['www-authenticate']]).toEqual([401, 'unauthorized', 'Bearer']);
    });
  });

  it('limits how often codes can be tried', async () => {
    const codes: number[] = [];
    for (let i = 0; i < 11; i += 1)
      codes.push((await admin.post('/api/referral/activate', { referralCode: `WRONG${i}` })).status);
    expect(codes).toEqual([...Array<number>(10).fill(404), 429]);
    const tries = Array.from({ length: 31 }, (_, i) => ({ token: String(i).padStart(43, 'x') }));
    const seen = new Set<string>();
    for (const body of tries) {
      const answer = await test.visitor.post('/api/organization/invitation', body);
      seen.add(`${answer.status} ${answer.code}`);
    }
    expect([...seen]).toEqual(['404 invitation_unknown', '429 too_many_requests']);
  });

  it('writes one line of JSON per request, without tokens', async () => {
    lines.length = 0;
    await owner.call(`/api/nothing?token=secret-one&x=${encodeURIComponent('a\r\n{"level":60}')}`, {
      headers: { authorization: `Bearer ${owner.token}`, cookie: '__session=secret-two' },
    });
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(lines.join('')).not.toMatch(/secret-one|secret-two/);
    expect(lines.join('')).not.toContain(owner.token);
  });

  it('sets security headers, and a cookie for the XSRF header', async () => {
    const read = (cookies = {}) => owner.call('/api/getUserInfo/', { headers: cookies });
    // No cache keeps a personal answer, with a new cookie or without.
    expect((await read()).headers).toMatchObject({ 'cache-control': 'private, no-store' });
    const { headers } = await read({ cookie: '' });
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    });
    expect(String(headers['set-cookie'])).toMatch(/^XSRF-TOKEN=[\w-]{22}; Path=\/; SameSite=Strict$/);
  });

  it('shows metrics to this machine only', async () => {
    expect((await test.visitor.call('/metrics')).text).toContain('http_request_seconds');
    expect((await test.visitor.call('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(404);
  });

  it('watcher links and API keys are in no line of the log, anywhere in a path', async () => {
    const secret = 'abcdefghijklmnopqrstuvwxyz_-0123';
    for (const path of [
      `/watch/wt_${secret}`,
      `/api/charts/pk_${secret}?x=wt%5F${secret}`,
      `/?next=/watch/wt_${secret}`,
    ])
      await test.visitor.call(path);
    expect(lines.some((line) => line.includes('wt_[cut]'))).toBe(true);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('a response that sets a cookie is not for shared caches', async () => {
    const ask = (cookies: Record<string, string>) =>
      test.app.inject({ url: '/api/algorithms/', cookies, headers: { host: 'pool.test:3000' } });
    const first = await ask({});
    expect(first.headers['set-cookie']).toBeDefined();
    expect(first.headers['cache-control']).toBe('private, no-store');
    const second = await ask({ 'XSRF-TOKEN': 'xsrf' });
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.headers['cache-control']).toBe('public, max-age=10');
  });
});

describe('rates', () => {
  const lines: string[] = [];
  const log = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(String(chunk))) });
  const test = appOfFile({ env: { RATE_LIMIT: '50' }, log: createLog('warn', log) });
  const owner = personOfFile(test, 'owner');
  const other = personOfFile(test, 'other');
  const statuses = async (count: number, ask: () => Promise<{ status: number }>): Promise<number[]> =>
    [...new Set((await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status))].sort();
  const page = (person: Person, address: string, headers = {}) =>
    person.call('/workers/', { address, headers: { accept: 'text/html', ...headers } });

  it('pages of visitors are limited by address; a page too many comes by itself after its Retry-After', async () => {
    expect(await statuses(10, () => page(test.visitor, '192.0.2.1'))).toEqual([503]);
    for (const [language, words] of [
      ['en', 'This page opens by itself'],
      ['ar', 'تُفتح هذه الصفحة'],
    ] as const) {
      const { status, headers, text } = await page(test.visitor, '192.0.2.1', { 'accept-language': language });
      const seconds = Number(headers['retry-after']);
      expect([status, headers['content-type'], seconds > 0]).toEqual([429, 'text/html; charset=utf-8', true]);
      expect(text).toContain(`<meta http-equiv="refresh" content="${seconds}">`);
      expect(text.replaceAll("'", '&#39;')).toContain(words);
    }
    const { status, code } = await page(test.visitor, '192.0.2.1', { accept: 'application/json' });
    expect([status, code]).toEqual([429, 'too_many_requests']);
    expect((await test.visitor.call('/api/getPoolStatistics', { address: '192.0.2.1' })).status).toBe(200);
  });

  it('addresses at which there is nothing are limited by network, and what is there is not', async () => {
    const at = (path: string) => test.visitor.call(path, { address: '192.0.2.9' });
    expect(await statuses(310, () => at('/assets/nothing.js'))).toEqual([404, 429]);
    expect((await at('/health')).status).toBe(200);
  });

  it('a signed-in user is counted by account: neither a user nor a visitor at the same address is refused for it', async () => {
    const address = '192.0.2.2';
    expect(await statuses(80, () => owner.call('/api/getUserInfo/', { address }))).toEqual([200, 429]);
    expect(await statuses(30, () => page(owner, address))).toEqual([429, 503]);
    expect(await statuses(1, () => other.call('/api/getUserInfo/', { address }))).toEqual([200]);
    expect(await statuses(1, () => page(other, address))).toEqual([503]);
    expect(await statuses(1, () => page(test.visitor, address))).toEqual([503]);
    // What browsers tell of canaries is counted so too.
    const body = { shell: '', mounts: [], errors: [] };
    const report = (who: Person) => who.call('/api/client-errors', { method: 'POST', body, address });
    const reporter = await test.person('reporter');
    expect(await statuses(130, () => report(reporter))).toEqual([200, 429]);
    expect(await statuses(1, () => report(other))).toEqual([200]);
    // At another address it is the same account.
    expect((await owner.call('/api/getUserInfo/', { address: '198.51.100.1' })).status).toBe(429);
  });

  it.each([
    ['without a session', '2001:db8:1:1', '/api/getUserInfo/', {}, 401],
    ['of an unknown path', '2001:db8:1:3', '/api/nothing', {}, 404],
    ['of the sign-in service', '2001:db8:1:4', '/__clerk/v1/environment', {}, 200],
  ])('calls %s count, by the /64 of an IPv6 address', async (_, network, url, headers, status) => {
    let host = 0;
    const ask = () => test.visitor.call(url, { address: `${network}::${(host += 1)}`, headers });
    expect(await statuses(60, ask)).toEqual([status, 429].sort());
    const { headers: told } = await ask();
    expect(Number(told['retry-after'])).toBeGreaterThan(0);
    expect((await other.call('/api/getUserInfo/', { address: `${network}::1` })).status).toBe(200);
  });

  it('a proxy that drops the port of Host is named in the log', async () => {
    lines.length = 0;
    const write = (origin: string) =>
      test.visitor.call('/__clerk/v1/client/sign_ins', { method: 'POST', headers: { host: 'pool.test', origin } });
    expect((await write('https://evil.example')).status).toBe(403);
    expect(lines).toEqual([]);
    expect((await write('https://pool.test:8443')).status).toBe(403);
    expect(lines.map((line) => (JSON.parse(line) as { host: string }).host)).toEqual(['pool.test']);
  });
});

describe('the head of a request', () => {
  let port: number;
  const log: string[] = [];
  const lines = new Writable({ write: (chunk: Buffer, _, done) => done(void log.push(String(chunk))) });
  const test = appOfFile({
    log: createLog('warn', lines),
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      PUBLIC_URL: 'http://pool.test',
      HSTS_SECONDS: '86400',
      SECURITY_CONTACT: 'mailto:security@pool.test, https://pool.test/report',
    },
  });
  beforeAll(async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    port = (test.app.server.address() as AddressInfo).port;
  });

  const ask = (...lines: string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    return text(socket);
  };

  it.each([
    ['two Host headers, spelled differently', ['GET /health HTTP/1.1', 'host: pool.test', 'HOST: pool.test']],
    ['an absolute address of another host', ['GET http://evil.example/api/prices HTTP/1.1', 'Host: pool.test']],
    ['an address without a slash', ['GET health HTTP/1.1', 'Host: pool.test']],
  ])('%s: refused', async (_, lines) => {
    expect(await ask(...lines)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('browsers are told to come over TLS only where TLS is in front', async () => {
    const plain = await ask('GET /health HTTP/1.1', 'Host: pool.test');
    expect(plain.toLowerCase()).not.toContain('strict-transport-security');
    for (const path of ['/health', '/api/nothing', '/nothing'])
      for (const protocol of ['https', 'https, http'])
        expect(await ask(`GET ${path} HTTP/1.1`, 'Host: pool.test', `X-Forwarded-Proto: ${protocol}`)).toMatch(
          /^strict-transport-security: max-age=86400\r$/im,
        );
  });

  it('another host of a proxy is not believed where the address of the pages is known', async () => {
    const policy = async (host: string) =>
      /^Policy: .*$/m.exec(
        await ask('GET /.well-known/security.txt HTTP/1.1', 'Host: behind:3000', `X-Forwarded-Host: ${host}`),
      )?.[0];
    expect(await policy('evil.example')).toBe('Policy: http://behind:3000/pages/security');
    expect(await policy('pool.test, evil.example')).toBe('Policy: http://behind:3000/pages/security');
    expect(await policy('evil.example, pool.test')).toBe('Policy: http://pool.test/pages/security');
  });

  it('security.txt says whom to tell, from the settings', async () => {
    const answer = await ask('GET /.well-known/security.txt HTTP/1.1', 'Host: pool.test', 'X-Forwarded-Proto: https');
    const [head = '', body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^content-type: text\/plain; charset=utf-8\r?$/im);
    const expires = /^Expires: (\S+)$/m.exec(body ?? '')?.[1] ?? '';
    expect(body).toBe(
      `Contact: mailto:security@pool.test\nContact: https://pool.test/report\nExpires: ${expires}\n` +
        'Policy: https://pool.test/pages/security\nPreferred-Languages: en\n',
    );
    // RFC 9116: in less than a year.
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * 86_400_000);
  });

  it('of many requests that are sent before the first is answered, the connection is ended and few are handled', async () => {
    let handled = 0;
    test.app.server.on('request', (_, response) => {
      if (!response.req.socket.destroyed) handled += 1;
    });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /health HTTP/1.1\r\nHost: pool.test\r\n\r\n'.repeat(200));
    await once(socket.resume(), 'close');
    expect(handled).toBeLessThan(10);
  });

  it('behind a trusted proxy requests of one client are not waited for by another', async () => {
    const order: string[] = [];
    const sockets = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = connect(port, '127.0.0.1').setEncoding('utf8');
        socket.write('GET /health HTTP/1.1\r\nHost: pool.test\r\n\r\n');
        await once(socket, 'data');
        return socket;
      }),
    );
    const answered = sockets.map(async (socket, at) => {
      const client = at === 29 ? '192.0.2.2' : '192.0.2.1';
      socket.write(`GET /health HTTP/1.1\r\nHost: pool.test\r\nX-Forwarded-For: ${client}\r\n\r\n`);
      await once(socket, 'data');
      order.push(client);
      socket.destroy();
    });
    await Promise.all(answered);
    expect(order.indexOf('192.0.2.2')).toBeLessThan(10);
  });

  /** A socket that is not connected to anything. */
  class FakeSocket extends EventEmitter {
    paused = false;
    destroyed = false;
    constructor(readonly remoteAddress: string) {
      super();
    }
    pause(): void {
      this.paused = true;
    }
    destroy(): void {
      this.destroyed = true;
      this.emit('close');
    }
  }
  const fakeConnections = (max: number) => {
    const connections = new Connections((address) => address === '192.0.2.9', max);
    const handle = connections.guard(() => undefined);
    return {
      open: (address: string): FakeSocket => {
        const socket = new FakeSocket(address);
        connections.admit(socket as unknown as Socket);
        return socket;
      },
      ask: (socket: FakeSocket): EventEmitter => {
        const response = new EventEmitter();
        handle({ socket } as unknown as IncomingMessage, response as ServerResponse);
        return response;
      },
    };
  };

  it('a network that did so gets no connection for a minute; others and a trusted proxy do', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    const { open, ask: send } = fakeConnections(100);
    for (const address of ['192.0.2.1', '192.0.2.9']) {
      const flooder = open(address);
      for (let sent = 0; sent < 100 && !flooder.destroyed; sent += 1) send(flooder);
      expect(flooder.destroyed).toBe(true);
    }
    const [again, other, trusted] = [open('192.0.2.1'), open('192.0.2.2'), open('192.0.2.9')];
    await new Promise(process.nextTick);
    expect([again.paused, other.paused, trusted.paused]).toEqual([true, false, false]);
    jest.advanceTimersByTime(59_000);
    const stillRefused = open('192.0.2.1');
    jest.advanceTimersByTime(1000);
    const after = open('192.0.2.1');
    await new Promise(process.nextTick);
    expect([again.destroyed, other.destroyed, stillRefused.paused, after.paused]).toEqual([true, false, true, false]);
    jest.useRealTimers();
  });

  it('2,500 idle connections of one address keep nobody out, and no request is cut off for a newcomer', () => {
    const { open, ask: send } = fakeConnections(400);
    const asking = open('192.0.2.1');
    send(asking);
    const idle = Array.from({ length: 2500 }, () => open('192.0.2.1'));
    // Half of all at most, also where others need none of them.
    expect(idle.filter(({ destroyed }) => !destroyed)).toHaveLength(199);
    for (let n = 0; n < 300; n += 1) expect(open(`203.0.113.${n % 250}`).destroyed).toBe(false);
    expect(asking.destroyed).toBe(false);
  });

  it('the header Forwarded is ignored, which the log says once', async () => {
    const lines = (): string[] => log.filter((line) => line.includes('the header Forwarded'));
    for (let n = 0; n < 2; n += 1)
      await ask('GET /health HTTP/1.1', 'Host: pool.test', 'Forwarded: for=198.51.100.8;proto=https');
    expect(lines()).toHaveLength(1);
  });
});
