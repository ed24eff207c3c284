/** What has to be typed into a miner: address, worker name and password. */

type Connection = {
  host: string;
  port: number;
  tlsPort: number | null;
  exampleUser: string;
  passwordSet: boolean;
};

export type MinerWish = {
  /** Name of the worker, the part after `account.`. */
  name: string;
  /** Share difficulty to ask for; null leaves it to the pool. */
  difficulty: number | null;
};

export type MinerSettings = { url: string; tlsUrl: string | null; user: string; password: string };

/** Stands for the account's miner password, which the server never returns. */
const SECRET = 'PASSWORD';

/** The settings by `GET /connectionInfo/`, whose example of a worker has a name when none is wished. */
export function minerSettings(
  { host, port, tlsPort, exampleUser, passwordSet }: Connection,
  wish?: MinerWish,
): MinerSettings {
  const account = exampleUser.split('.')[0] ?? exampleUser;
  const parts = [...(wish?.difficulty ? [`d=${wish.difficulty}`] : []), ...(passwordSet ? [SECRET] : [])];
  return {
    url: `stratum+tcp://${host}:${port}`,
    tlsUrl: tlsPort === null ? null : `stratum+ssl://${host}:${tlsPort}`,
    user: wish ? `${account}.${wish.name}` : exampleUser,
    // Any password is accepted, but miners ask for one.
    password: parts.join(',') || 'x',
  };
}

/** Everything in one URI, which miner apps read from a QR code. The miner password is left out. */
export function minerUri({ url, user, password }: MinerSettings): string {
  const shown = password.includes(SECRET) ? '' : `:${encodeURIComponent(password)}`;
  return url.replace('://', `://${user}${shown}@`);
}

/** The settings as options, which cgminer, BFGMiner, cpuminer and ccminer share. */
export const minerOptions = ({ url, user, password }: MinerSettings): string => `-o ${url} -u ${user} -p ${password}`;
