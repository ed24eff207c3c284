import type { Around } from '../../../testing/server-process';

/** Test helper: runs a server in a mount namespace of its own, after a shell script with arguments. */
export const inNamespace = (script: string, ...args: string[]): Around => ({
  command: [
    'unshare',
    '--map-root-user',
    '--mount',
    ...['sh', '-ec', `${script} && shift ${args.length} && exec "$@"`, 'sh'],
    ...args,
  ],
});
