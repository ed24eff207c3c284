/** The pool at POOL_URL, asked before something is published for it. */
import type { RemoteManifest } from '../../shared/src/contract';
import { isGated } from '../../api/src/remotes/manifest';

const ANSWER_MS = 10_000;
/** A clock that is further off makes histories and canaries wrong. */
const CLOCK_MS = 5 * 60_000;

export function poolAt(address: string): URL {
  if (!/^https?:\/\/./.test(address) || !URL.canParse(address))
    throw new Error(`'${address}' is no address of a pool: https://pool.example`);
  return new URL(address);
}

async function ask(pool: URL, path: string, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(new URL(path, pool), { ...request, signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    throw new Error(`${pool.origin} does not answer: ${cause?.message ?? message}`, { cause: error });
  }
}

/** What the pool's shell offers. Throws where it is no pool, or its clock is another. */
export async function surfaceAt(pool: URL): Promise<string> {
  const answer = await ask(pool, '/surface.txt');
  const text = await answer.text();
  if (!answer.ok || !text.startsWith('@pool/shared '))
    throw new Error(
      `${pool.origin} does not say what its shell offers (/surface.txt: ${answer.status}): is it a pool?`,
    );
  const ahead = Date.now() - Date.parse(answer.headers.get('date') ?? '');
  if (Math.abs(ahead) > CLOCK_MS)
    throw new Error(
      `the clock of this machine is ${Math.round(Math.abs(ahead) / 60_000)} min ${ahead > 0 ? 'ahead of' : 'behind'} the pool's: set it first`,
    );
  return text;
}

/** Throws where POOL_USER, which says who the team is, cannot sign in: anybody could write a name there. */
export async function assertAccount(pool: URL): Promise<void> {
  const { POOL_USER: identifier = '', POOL_PASSWORD: password = '' } = process.env;
  const post = (path: string, headers: Record<string, string> = {}, body?: URLSearchParams) =>
    ask(pool, `/__clerk/v1/${path}`, { method: 'POST', headers: { origin: pool.origin, ...headers }, body });
  const form = new URLSearchParams({ identifier, password, strategy: 'password' });
  const answer = await post('client/sign_ins', {}, form);
  if (answer.status === 404)
    throw new Error(`${pool.origin} cannot be asked for accounts: say who the team is by REMOTE_SIGNING_KEY`);
  if (!answer.ok) {
    const { errors = [] } = (await answer.json()) as { errors?: { code: string }[] };
    throw new Error(`POOL_USER '${identifier}' cannot sign in: ${errors[0]?.code ?? answer.status}`);
  }
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '');
  await post('client?_method=DELETE', { cookie: cookie.join('; ') });
}

/** Whether the pool has the files of the version. What not every miner may use is not told to this visitor: taken to be there. */
export async function isServedAt(pool: URL, { entry, requires }: RemoteManifest): Promise<boolean> {
  return isGated(requires) || (await ask(pool, new URL(entry, pool).pathname)).ok;
}
