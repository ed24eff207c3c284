/** Untrusted requests: sizes, shapes, origins, errors (security.md 9, 17, 42, 44, 46, 47). */
import { Writable } from 'node:stream';
import { createLog } from '../../platform/log';
import { ORIGIN, testApp, type Person, type TestApp } from '../testing/test-app';

describe('requests', () => {
  let test: TestApp;
  let owner: Person;
  let admin: Person;
  const lines: string[] = [];

  beforeAll(async () => {
    const log = createLog(
      'info',
      new Writable({
        write(chunk: Buffer, _, done) {
          lines.push(...chunk.toString().split('\n').filter(Boolean));
          done();
        },
      }),
    );
    test = await testApp({ log });
    owner = await test.person('owner');
    admin = await test.person('boss', { role: 'admin' });
  });
  afterAll(() => test.close());

  const post = (raw: string, headers: Record<string, string> = {}) =>
    owner.call('/api/subAccounts/', { method: 'POST', raw, headers });

  describe('bodies', () => {
    it('over 64 KiB: 413', async () => {
      const answer = await post(JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) }));
      expect([answer.status, answer.code]).toEqual([413, 'payload_too_large']);
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
    it('an unavailable database: 503 with Retry-After; alive but not ready', async () => {
      expect((await owner.call('/ready')).status).toBe(200);
      const gone = jest
        .spyOn(test.database.pool, 'query')
        .mockRejectedValue(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) as never);
      const answer = await owner.call('/api/payment/');
      expect([answer.status, answer.code, answer.headers['retry-after']]).toEqual([503, 'database_unavailable', '5']);
      const signIn = await test.app.inject({
        method: 'POST',
        url: '/__clerk/v1/client/sign_ins',
        headers: { host: 'pool.test:3000', origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'identifier=owner&password=x&strategy=password',
      });
      expect([signIn.statusCode, signIn.headers['retry-after'], signIn.json()]).toEqual([
        503,
        '5',
        expect.objectContaining({ errors: [expect.objectContaining({ code: 'service_unavailable' })] }),
      ]);
      expect([(await owner.call('/health')).status, (await owner.call('/ready')).status]).toEqual([200, 503]);
      gone.mockRestore();
      expect((await owner.call('/api/payment/')).status).toBe(200);
    });
  });

  it('limits how often codes can be tried', async () => {
    const codes: number[] = [];
    for (let i = 0; i < 11; i += 1)
      codes.push((await admin.post('/api/referral/activate', { referralCode: `WRONG${i}` })).status);
    expect(codes).toEqual([...Array<number>(10).fill(404), 429]);
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
    const { headers } = await owner.call('/api/getUserInfo/', { headers: { cookie: '' } });
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

  it('row 44: watcher links and API keys are in no line of the log, anywhere in a path', async () => {
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
  let test: TestApp;
  let owner: Person;
  let other: Person;
  const lines: string[] = [];
  beforeAll(async () => {
    const log = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(String(chunk))) });
    test = await testApp({ env: { RATE_LIMIT: '50' }, log: createLog('warn', log) });
    owner = await test.person('owner');
    other = await test.person('other');
  });
  afterAll(() => test.close());
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
