/** Messages and stacks as they may leave the browser: short, without what names a person. */

const MESSAGE = 200;
const STACK = 500;
const FRAMES = 6;
const IN_REMOTE = /\/remotes\/([a-z][a-z0-9-]*)\/(\w[\w.+-]*)\//;

/** Text without origins and queries of URLs, e-mail addresses, and long words such as payout addresses and tokens. */
export const withoutPersons = (text: string): string =>
  text
    .replaceAll(/\bhttps?:\/\/[^\s/)]+/g, '')
    .replaceAll(/[?#][^\s):]*/g, '')
    .replaceAll(/[^\s()<>"']+@[^\s()<>"']+\.\w+/g, '…')
    .replaceAll(/(?<![\w/.-])\w{24,}/g, '…');

type Described = { message: string; stack: string; remote: string | null; version: string | null };

/** The error and its causes, the outermost first. */
function chain(error: unknown): Error[] {
  const errors: Error[] = [];
  for (let at = error; at instanceof Error && !errors.includes(at); at = at.cause) errors.push(at);
  return errors;
}

/** `remote`, `version`: whose files the stack names; null: none's. */
export function describe(error: unknown): Described {
  const errors = chain(error);
  const source = errors.find(({ stack }) => IN_REMOTE.test(stack ?? '')) ?? errors[0];
  const [, remote = null, version = null] = IN_REMOTE.exec(source?.stack ?? '') ?? [];
  const frames = (source?.stack ?? '').split('\n').filter((line) => /:\d+:\d+\)?$/.test(line));
  const text = source ? `${source.name}: ${source.message}` : String(error);
  return {
    message: withoutPersons(text).slice(0, MESSAGE),
    stack: withoutPersons(
      frames
        .slice(0, FRAMES)
        .map((line) => line.trim())
        .join('\n'),
    ).slice(0, STACK),
    remote,
    version,
  };
}

/** Whether this is nobody's fault here: a request given up, no network, a browser's extension. */
export const isForeign = (error: unknown): boolean =>
  error === null ||
  error === undefined ||
  chain(error).some(
    ({ name, stack = '' }) => name === 'AbortError' || name === 'CancelledError' || stack.includes('-extension://'),
  );
