import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/database';
import { testDatabase } from '../platform/db/testing/test-database';
import { PICTURE_MAX } from './picture';
import { Browser, HOST, startService } from './testing/identity';

let database: Database;
let app: FastifyInstance;
beforeAll(async () => {
  database = await testDatabase();
  ({ app } = await startService(database.pool));
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const HEADS = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
  'image/gif': [...Buffer.from('GIF89a')],
  'image/webp': [...Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
};
const image = (type: keyof typeof HEADS, size = 100) => Buffer.concat([Buffer.from(HEADS[type]), Buffer.alloc(size)]);

const cookiesOf = (someone: Browser) => [...someone.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
/** What clerk-js sends for a `File`: a form with one part. */
async function send(someone: Browser, bytes: Buffer, { field = 'file', origin = `http://${HOST}` } = {}) {
  const form = new FormData();
  // Its name and its type are the browser's word, which counts for nothing.
  form.append(field, new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), 'me.png');
  const body = new Response(form);
  return app.inject({
    method: 'POST',
    url: '/__clerk/v1/me/profile_image',
    headers: {
      host: HOST,
      origin,
      cookie: cookiesOf(someone),
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}
const get = (someone: Browser, url: string) =>
  app.inject({ method: 'GET', url, headers: { host: HOST, cookie: cookiesOf(someone) } });
async function newcomer(name: string) {
  const someone = new Browser(app, '10.2.0.1');
  await someone.signUp(name);
  return someone;
}
const userOf = async (someone: Browser) =>
  (await someone.session())?.user as unknown as { has_image: boolean; image_url: string };

test.each(['image/png', 'image/webp'] as const)('%s: set, read by its owner alone, removed', async (type) => {
  const name = type.replace('image/', 'likes-');
  const owner = await newcomer(name);
  expect(await userOf(owner)).toMatchObject({ has_image: false, image_url: '' });
  const bytes = image(type);
  const set = await send(owner, bytes);
  expect(set.statusCode).toBe(200);
  const { image_url: url, ...user } = await userOf(owner);
  expect(user).toMatchObject({ has_image: true });
  expect(set.json()).toMatchObject({ response: { object: 'image', public_url: url } });

  const shown = await get(owner, url);
  expect(shown.headers).toMatchObject({
    'content-type': type,
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect(shown.rawPayload).toEqual(bytes);
  expect((await get(new Browser(app), url)).statusCode).toBe(401);
  expect((await get(await newcomer(`${name}-2`), url)).statusCode).toBe(404);

  await send(owner, image(type, 200));
  expect((await get(owner, url)).statusCode).toBe(404);
  expect((await owner.ask('DELETE', '/me/profile_image')).body.response).toMatchObject({ object: 'deleted_object' });
  expect(await userOf(owner)).toMatchObject({ has_image: false, image_url: '' });
  expect((await database.pool.query('select from identity_picture')).rowCount).toBe(0);
});

test('is stored ten times an hour, so that nobody fills the database with those of before', async () => {
  const owner = await newcomer('eager');
  for (let n = 0; n < 10; n += 1) expect((await send(owner, image('image/png', 100 + n))).statusCode).toBe(200);
  const { statusCode, headers } = await send(owner, image('image/png'));
  expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  await database.pool.query("delete from identity_user where user_name = 'eager'");
});

describe('refused', () => {
  let owner: Browser;
  beforeAll(async () => {
    owner = await newcomer('careful');
  });
  test.each<[string, Buffer, { field?: string; origin?: string }, number]>([
    ['a drawing that may have scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {}, 422],
    ['too large', image('image/png', PICTURE_MAX), {}, 422],
    ['far too large', image('image/png', 4 * PICTURE_MAX), {}, 413],
    ['from another origin', image('image/png'), { origin: 'https://evil.example' }, 403],
  ])('%s', async (_, bytes, how, status) => {
    expect((await send(owner, bytes, how)).statusCode).toBe(status);
    expect(await userOf(owner)).toMatchObject({ has_image: false });
  });

  test.each([
    ['multipart/form-data', '--x\r\n'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"'],
    ['multipart/form-data; boundary=x', ''],
  ])('what is no form: %s %j', async (type, body) => {
    const answer = await owner.ask('POST', '/me/profile_image', { body }, { 'content-type': type });
    expect(answer.status).toBe(422);
  });
});
