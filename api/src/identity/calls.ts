/** A call of clerk-js as the routes get it, and how they are registered. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { organizationsOf } from '../accounts/organizations/organizations';
import { errors } from './errors';
import { passkeysOf } from './factors/passkeys';
import { clientJson, type Own, type Shown } from './resources';
import type { IdentityService } from './service';
import type { Device, SignedIn, Visitor } from './store';

/** A longer text keeps its beginning, which is too long for every field: its check says so. */
const text = z
  .string()
  .transform((given) => given.slice(0, 2000))
  .optional()
  .catch(undefined);
/** The fields of clerk-js that are used here; locale and the rest are ignored. */
export const fields = z.object({
  identifier: text,
  strategy: text,
  code: text,
  password: text,
  username: text,
  email_address: text,
  first_name: text,
  last_name: text,
  current_password: text,
  new_password: text,
  sign_out_of_other_sessions: text,
  name: text,
  active_organization_id: text,
  organization_id: text,
  /** JSON; of a new passkey with what its device says about itself, which is not asked for. */
  public_key_credential: z.string().max(12_000).optional().catch(undefined),
});
type Fields = z.infer<typeof fields>;
export type Call = {
  request: FastifyRequest<{ Params: Record<string, string> }>;
  reply: FastifyReply;
  body: Fields;
  visitor: Visitor | null;
  device: Device;
  origin: string;
};
export type Handler = (call: Call) => Promise<unknown>;
export type PostOptions = { bodyLimit?: number; config?: FastifyContextConfig };
export type Routes = Partial<Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /v1/${string}`, Handler>>;

/** The signed-in browser; `:session` in the path must be its own session. */
export const signedIn = ({ visitor, request }: Call): SignedIn => {
  if (!visitor?.session) throw errors.signedOut();
  if (request.params.session !== undefined && request.params.session !== visitor.session.id) throw errors.notFound();
  return visitor;
};

export const ownOf = async ({ db }: IdentityService, { user }: SignedIn): Promise<Own> => ({
  passkeys: await passkeysOf(db, user.id),
  memberships: await organizationsOf(db, user.id),
});

/** What the answer about a signed-in user says besides. */
export async function shownOf(service: IdentityService, visitor: SignedIn, origin: string): Promise<Shown> {
  const own = await ownOf(service, visitor);
  const active = own.memberships.find(({ organization }) => organization.id === visitor.session.organizationId) ?? null;
  return { ...own, active, token: await service.token(visitor, origin, active) };
}

export const clientOf = async (service: IdentityService, visitor: Visitor, origin: string) =>
  clientJson(visitor, visitor.session ? await shownOf(service, visitor, origin) : null);
