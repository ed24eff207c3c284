/** Test helper: calls to servers that are processes, as from behind a balancer with the pool's one address. */
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const HOST = 'pool.example';

export const send = (port: number, path: string, method = 'GET', headers: Record<string, string> = {}, body = '') =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(
      { port, path, method, agent: false, headers: { host: HOST, origin: `http://${HOST}`, ...headers } },
      resolve,
    )
      .on('error', reject)
      .end(body);
  });

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** A call of the API that succeeds: its answer. */
export async function call<T>(port: number, token: string, path: string, method = 'GET', body?: object): Promise<T> {
  const headers = { ...bearer(token), cookie: 'XSRF-TOKEN=x', 'x-xsrf-token': 'x' };
  const type = { 'content-type': 'application/json' };
  const answer = await send(
    port,
    `/api${path}`,
    method,
    { ...headers, ...(body && type) },
    body && JSON.stringify(body),
  );
  const said = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${said}`);
  return JSON.parse(said) as T;
}

function signIn(port: number, identifier: string, password: string): Promise<IncomingMessage> {
  const body = new URLSearchParams({ identifier, password, strategy: 'password' }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return send(port, '/__clerk/v1/client/sign_ins', 'POST', type, body);
}

/** A new session. `cookie`: of its browser. */
export async function sessionOf(
  port: number,
  user: string,
  password: string,
): Promise<{ token: string; cookie: string }> {
  const answer = await signIn(port, user, password);
  type Signed = { client: { sessions: { last_active_token: { jwt: string } }[] } };
  const { client } = JSON.parse(await text(answer)) as Signed;
  const cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  return { token: client.sessions[0]?.last_active_token.jwt ?? '', cookie };
}
