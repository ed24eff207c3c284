/** The picture of a user. Only its owner sees it. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { type Call, clientOf, type PostOptions, type Routes, signedIn } from '../calls';
import { sql, valueOf } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { SharedRateLimit } from '../../platform/limits/shared-rate-limit';
import { errors, fieldError } from '../errors';
import { pictureUrl } from '../resources';
import type { IdentityService } from '../service';
import { updateUser, type UserRow } from '../store';

/** Bytes. The page makes a picture of 256 x 256 px of what a user chooses. */
export const PICTURE_MAX = 512 * 1024;
/** Pictures that a user stores in an hour: the database keeps those of before until it is vacuumed. */
const STORED_AN_HOUR = 10;
/** Bytes of the form around the picture. */
const FORM_BYTES = 4096;

/** First bytes of the four types. The type that a browser names is not asked: nothing else is ever served. */
const TYPES = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/png': /^\x89PNG\r\n/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[^]{4}WEBP/,
};
function typeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 12);
  return Object.entries(TYPES).find(([, start]) => start.test(head))?.[0];
}

const invalid = () => fieldError('image_invalid', 'file', 'A picture is a JPG, PNG, GIF or WEBP of at most 512 KB.');

/** The `file` of a form as clerk-js sends it. */
async function fileOf({ body, headers }: Call['request']): Promise<Buffer> {
  const form = await new Response(body as Buffer<ArrayBuffer>, {
    headers: { 'content-type': headers['content-type'] ?? '' },
  })
    .formData()
    .catch(() => null);
  const file = form?.get('file');
  if (!file || typeof file === 'string' || file.size > PICTURE_MAX) throw invalid();
  const bytes = Buffer.from(await file.arrayBuffer());
  if (!typeOf(bytes)) throw invalid();
  return bytes;
}

/** Null: none any more. */
const store = (db: Pool, { id }: UserRow, bytes: Buffer | null): Promise<UserRow> =>
  transaction(db, async (tx) => {
    const picture = bytes && createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    // First the row of the user: of two pictures at once the later one is both here and there.
    const user = await updateUser(tx, id, sql`picture = ${picture}, updated_at = ${new Date()}`);
    if (!user) throw errors.signedOut();
    await tx.query(sql`delete from identity_picture where user_id = ${id}`);
    if (bytes) await tx.query(sql`insert into identity_picture (user_id, bytes) values (${id}, ${bytes})`);
    return user;
  });

export async function pictureRoutes(
  app: FastifyInstance,
  { on, service }: { on(app: FastifyInstance, routes: Routes, post: PostOptions): void; service: IdentityService },
): Promise<void> {
  const { db } = service;
  // Refused before the form is read, which takes ten milliseconds.
  const rate = { name: 'pictures', perMinute: STORED_AN_HOUR };
  const stored = new SharedRateLimit(db, 'pictures', STORED_AN_HOUR, 3_600_000);
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const routes: Routes = {
    'GET /v1/me/profile_image': async (call) => {
      const { user } = signedIn(call);
      const { v } = call.request.query as { v?: unknown };
      if (!user.picture || v !== user.picture) throw errors.notFound();
      const bytes = await valueOf<Buffer>(db)`select bytes from identity_picture where user_id = ${user.id}`;
      const type = bytes && typeOf(bytes);
      if (!type) throw errors.notFound();
      return call.reply
        .header('cache-control', 'private, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(type)
        .send(bytes);
    },
    'POST /v1/me/profile_image': async (call) => {
      const visitor = signedIn(call);
      const bytes = await fileOf(call.request);
      const { wait } = await stored.take(visitor.user.id);
      if (wait) throw errors.tooMany(wait);
      const user = await store(db, visitor.user, bytes);
      return {
        response: { object: 'image', id: user.picture, name: null, public_url: pictureUrl(user) },
        client: await clientOf(service, { ...visitor, user }, call.origin),
      };
    },
    'DELETE /v1/me/profile_image': async (call) => {
      const visitor = signedIn(call);
      const user = await store(db, visitor.user, null);
      return {
        response: { object: 'deleted_object', id: visitor.user.picture, deleted: true },
        client: await clientOf(service, { ...visitor, user }, call.origin),
      };
    },
  };
  on(app, routes, { bodyLimit: PICTURE_MAX + FORM_BYTES, config: { rate } });
}
