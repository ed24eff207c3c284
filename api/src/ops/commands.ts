/** The commands of `npm run admin`. They run inside the running server, or alone when none runs. */
import { writeAudit } from '../platform/audit';
import { AuditBroken, exportAudit, verifyAudit } from '../platform/audit-chain';
import { IdentityError } from '../identity';
import { LOG_LEVELS } from '../platform/log';
import { forgetUnreadable } from './sealed-secrets';
import { describeUncounted } from '../mining/shares/uncounted';
import { readNodes, retireNode } from '../nodes/nodes';
import { BOUNCE } from './bounce';
import { ACTOR, OPERATOR, type Command, type CommandContext } from './command';
import { OperatorError } from '../platform/operator-error';
import { lateWork } from './late-work';
import { ledgerHash } from './ledger-hash';
import { MOVES } from './move-database';
import { USER_COMMANDS } from './user-commands';
import { Refused } from '../platform/refused';
import { z } from 'zod';

function day(text: string | undefined): string | undefined {
  if (text !== undefined && !z.iso.date().safeParse(text).success)
    throw new OperatorError(`"${text}" is not a day: YYYY-MM-DD.`);
  return text;
}

const timeOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

const COMMANDS: Record<string, Command> = {
  ...USER_COMMANDS,
  'close-day': {
    takes: '[YYYY-MM-DD] [confirm]',
    what:
      'closes a finished UTC day, or all that are not closed yet, and opens payments; ' +
      'confirm: also a day whose figures are not plausible',
    run: async ({ pool, closeDays }, [text, confirm]) => {
      const of = day(text);
      if (confirm !== undefined && (confirm !== 'confirm' || of === undefined))
        throw new OperatorError(`"${confirm}" is not "confirm", which follows a day.`);
      const decision =
        confirm !== undefined && of !== undefined
          ? { day: of, tag: null, reason: ACTOR, withhold: [], actor: OPERATOR }
          : undefined;
      const closed = await closeDays(of, decision);
      await writeAudit(pool, OPERATOR, 'payments.calculate', text ?? null, { after: closed });
      return (
        `${closed.days} days, ${closed.accounts} sub-accounts, ${closed.grossSat} satoshis gross, ` +
        `${closed.netSat} net; ${closed.payments} payments opened.`
      );
    },
  },
  'late-work': {
    takes: '[YYYY-MM-DD]',
    what: 'work that was counted after its day was closed, and is not paid; of a day, else of the last 31',
    reads: true,
    run: async ({ pool }, [text]) => {
      const rows = await lateWork(pool, day(text));
      if (rows.length === 0) return 'None: every closed day is paid in full.';
      return [
        ...rows.map(
          ({ account, algorithm, day: of, grossSat, rightSat, work }) =>
            `${of}  ${account}  ${algorithm}  paid ${grossSat} satoshis gross, ${rightSat} with the late work ` +
            `(paidWork ${work})`,
        ),
        "To pay it, correct the earning in the admins' pages, or by PUT /api/earnings/{day} with that paidWork.",
      ].join('\n');
    },
  },
  uncounted: {
    takes: '[retry]',
    what: 'shares that are not counted, by day; retry: what was refused is tried once more',
    run: async ({ pool, shares }, [retry]) => {
      if (retry !== undefined && retry !== 'retry') throw new OperatorError(`"${retry}" is not "retry".`);
      const lines: string[] = [];
      if (retry) {
        const files = await shares.retryRefused();
        await writeAudit(pool, OPERATOR, 'shares.retry_refused', null, { after: { files } });
        lines.push(`${files} files are tried once more.`);
      }
      const left = await shares.uncounted();
      return [...lines, ...(left.length ? left.map(describeUncounted) : ['All shares are counted.'])].join('\n');
    },
  },
  nodes: {
    takes: '',
    what: 'the processes that share the database, and how far each has counted',
    reads: true,
    run: async ({ pool }) => {
      const lines = (await readNodes(pool)).map(({ id, roles, place, silentS, countedThrough }) => {
        const counted = countedThrough === null ? 'no journal' : `counted through ${timeOf(countedThrough)}`;
        return `${id}  ${roles.join(',')}  ${place}  ${counted}  heard ${Math.round(silentS)} s ago`;
      });
      return lines.join('\n') || 'None: one process does everything, or nothing runs.';
    },
  },
  'retire-node': {
    takes: '<node>',
    what: 'gives up a node that does not come back: days are closed without the shares that only it has',
    reads: true,
    run: async ({ pool }, [id = '']) => {
      const refused = await retireNode(pool, id, OPERATOR);
      if (refused !== null) throw new OperatorError(refused);
      return (
        `Node ${id} is retired: no day waits for it. Start it again with its DATA_DIR, and what it has not counted ` +
        'is counted, and late where its day is closed.'
      );
    },
  },
  'ledger-hash': {
    takes: '',
    what: 'one figure for the whole ledger, to compare with a backup or a copy',
    reads: true,
    run: async ({ pool }) => {
      const { hash, entries, lastId } = await ledgerHash(pool);
      return `${hash}  ${entries} entries, the last is #${lastId}`;
    },
  },
  'verify-audit': {
    takes: '[hash]',
    reads: true,
    what: 'checks the chain of the audit log, names its first broken entry; hash: a noted one, which must still be there',
    run: async ({ pool }, [kept]) => {
      if (kept !== undefined && !/^[0-9a-f]{64}$/.test(kept))
        throw new OperatorError(`"${kept}" is not a hash of the chain.`);
      const { seq, hash } = await verifyAudit(pool, kept);
      return `${hash}  ${seq} entries, none changed or missing. Keep this hash elsewhere: it is what shows a removed end.`;
    },
  },
  'export-audit': {
    takes: '',
    reads: true,
    what: 'the audit log with its hashes, as JSON lines',
    run: async ({ pool }) => exportAudit(pool),
  },
  'forget-secrets': {
    takes: '',
    what: 'says that the key of passwords and apps this server cannot read is lost: their owners give them again',
    run: async ({ pool, secrets }) => {
      const lost = await forgetUnreadable(pool, secrets(), ACTOR);
      const passwords = lost.passwords + lost.held;
      if (passwords + lost.webhooks + lost.apps === 0) return 'None: every secret can be read.';
      return (
        `${passwords} passwords of upstream pools, ${lost.webhooks} secrets of webhooks and ${lost.apps} authenticator ` +
        'apps are lost. Miners of these pools wait until their owners give the passwords again; nothing is sent to these ' +
        'webhooks until they are made again; users of these apps sign in with backup codes.'
      );
    },
  },
  bounce: BOUNCE,
  'log-level': {
    takes: '[level]',
    reads: true,
    what: `what the running server logs until it ends: ${LOG_LEVELS.join(', ')}`,
    run: async ({ log }, [level]) => {
      if (!log) throw new OperatorError('No server runs on this DATA_DIR. Its level is LOG_LEVEL when it starts.');
      if (level !== undefined && !(LOG_LEVELS as readonly string[]).includes(level))
        throw new OperatorError(`"${level}" is not a level: ${LOG_LEVELS.join(', ')}.`);
      if (level !== undefined) log.level = level;
      return log.level;
    },
  },
};

export const USAGE = Object.entries({ ...COMMANDS, ...MOVES })
  .map(([name, { takes, what }]) => `  ${`${name} ${takes}`.padEnd(34)} ${what}`)
  .join('\n');

const commandOf = (name: string): Command | undefined => (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined);

/** Whether a command writes nothing; `uncounted` writes with `retry` only. An unknown one is refused and writes nothing. */
export const onlyReads = ([name = '', ...args]: readonly string[]): boolean =>
  name === 'uncounted' ? args.length === 0 : (commandOf(name)?.reads ?? !commandOf(name));

/** Runs a command; yields the text to print, with its last line feed. Throws `OperatorError` when it cannot be done. */
export async function* runCommand(
  context: CommandContext,
  [name = '', ...args]: readonly string[],
): AsyncGenerator<string> {
  const command = commandOf(name);
  if (!command) throw new OperatorError(`There is no command "${name}". There are:\n${USAGE}`);
  const max = command.takes ? command.takes.split(' ').length : 0;
  const min = command.takes.split(' ').filter((word) => word.startsWith('<') || word.includes('|')).length;
  if (args.length > max || args.length < min) throw new OperatorError(`npm run admin -- ${name} ${command.takes}`);
  try {
    const text = await command.run(context, args);
    if (typeof text === 'string') yield `${text}\n`;
    else yield* text;
  } catch (error) {
    if (error instanceof IdentityError || error instanceof AuditBroken || error instanceof Refused)
      throw new OperatorError(error.message);
    throw error;
  }
}
