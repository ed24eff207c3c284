/** A browser for tests of the sign-in service: keeps cookies and sends what clerk-js does. */
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { identityUrls, readConfig } from '../../platform/config';
import './cheap-passwords';
import type { Mailer } from '../../messages/mail';
import { testSecrets } from '../../testing/secrets';
import { openIdentity, type Identity, type PoolAccounts } from '../index';

export const HOST = 'pool.test:3000';
export const PASSWORD = 'correct horse 7';
export const noAccounts: PoolAccounts = {
  nameTaken: async () => false,
  isDisabled: async () => false,
  isAdmin: async () => false,
  userCreated: async () => true,
  twoStepChanged: async () => null,
  told: async () => undefined,
  adminsTold: async () => undefined,
  emailIs: async () => undefined,
  hold: async () => new Date(),
};

export async function startService(
  db: Pool,
  pool: PoolAccounts = noAccounts,
  {
    trustProxy = false,
    secrets = testSecrets(),
    mailer = null as Mailer | null,
    publicUrl = undefined as string | undefined,
  } = {},
): Promise<{ app: FastifyInstance; identity: Identity; routes: string[] }> {
  const app = fastify({ trustProxy });
  const routes: string[] = [];
  app.addHook('onRoute', ({ url }) => void routes.push(url));
  await app.register(cookie);
  const identity = await openIdentity({
    db,
    pool,
    secrets,
    mailer,
    publicUrl,
    supportEmail: 'support@pool.test',
    urls: identityUrls(readConfig({})),
  });
  await identity.register(app);
  app.get('/page', async (request, reply) => identity.page(request, reply));
  await app.ready();
  return { app, identity, routes };
}

export type Answer = {
  status: number;
  headers: Record<string, unknown>;
  /** The JSON of the response. */
  body: {
    response?: Record<string, never>;
    client?: { sessions: Session[]; sign_in: unknown } | null;
    errors?: { code: string; long_message: string; meta?: { param_name: string } }[];
    jwt?: string;
  };
};
export type Session = {
  id: string;
  user: { id: string; username: string; updated_at: number; public_metadata: unknown; unsafe_metadata: unknown };
  last_active_token: { jwt: string };
};

export class Browser {
  readonly cookies = new Map<string, string>();
  /** `Set-Cookie` lines of the last response. */
  lines: string[] = [];
  private address: string;

  constructor(
    private readonly app: FastifyInstance,
    address = '10.0.0.1',
  ) {
    this.address = address;
  }

  at(address: string): this {
    this.address = address;
    return this;
  }

  async ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: Record<string, string>,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> {
    const override = method === 'PATCH' || method === 'DELETE' ? `?_method=${method}` : '';
    const answer = await this.app.inject({
      method: method === 'GET' ? 'GET' : 'POST',
      url: path.startsWith('/page') ? path : `/__clerk/v1${path}${override}`,
      remoteAddress: this.address,
      headers: Object.fromEntries(
        Object.entries({
          host: HOST,
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(method === 'GET'
            ? {}
            : { origin: `http://${HOST}`, 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        }).filter(([, value]) => value !== undefined),
      ),
      payload: body && new URLSearchParams(body).toString(),
    });
    this.lines = [answer.headers['set-cookie'] ?? []].flat();
    for (const { name, value, maxAge, expires } of answer.cookies) {
      if (maxAge === 0 || (expires && expires.getTime() < Date.now())) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: answer.statusCode, headers: answer.headers, body: answer.body ? answer.json() : {} };
  }

  signUp = (username: string, more: Record<string, string> = {}): Promise<Answer> =>
    this.ask('POST', '/client/sign_ups', {
      username,
      email_address: `${username.toLowerCase()}@example.com`,
      password: PASSWORD,
      ...more,
    });

  async signIn(identifier: string, password = PASSWORD): Promise<Answer> {
    const begun = await this.ask('POST', '/client/sign_ins', { identifier });
    if (begun.status !== 200) return begun;
    return this.ask('POST', `/client/sign_ins/${String(begun.body.response?.id)}/attempt_first_factor`, {
      strategy: 'password',
      password,
    });
  }

  async client(): Promise<{ sessions: Session[] } | null> {
    return ((await this.ask('GET', '/client')).body.response ?? null) as { sessions: Session[] } | null;
  }

  async session(): Promise<Session | undefined> {
    return (await this.client())?.sessions[0];
  }
}

/** Status of a refused form, and the code of each field. */
export const refusal = ({ status, body }: Answer): string =>
  `${status} ${body.errors?.[0]?.code}${body.errors?.[0]?.meta ? ` ${body.errors[0].meta.param_name}` : ''}`;
