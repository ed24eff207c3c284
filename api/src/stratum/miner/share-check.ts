/** Everything the proxy checks of a share without hashing. */
import type { CheckedJob, JobBook, Proof } from './job-book';
import { ERROR, type ErrorCode, isHex } from '../wire/protocol';
import { bitsAllowed, minedVersion } from '../wire/version-rolling';

export type Submitted<Its> = Proof & { job: Its };
export type Refusal<Its> = {
  code: ErrorCode;
  message: string;
  job?: Its;
  /** Counts towards a ban. Late shares do not: honest miners send them too. */
  bad: boolean;
};

/** Seconds a miner may roll a job's time forward. */
const MAX_NTIME_AHEAD_S = 7200;

const refuse = <Its>(code: ErrorCode, message: string, job?: Its, bad = true): Refusal<Its> => ({
  code,
  message,
  job,
  bad,
});

/** Four bytes of hexadecimal text, whose leading zeros software leaves out: NerdMiner sends `2a` for `0000002a`. */
function padded(value: unknown): string | null {
  const text = typeof value === 'string' && value ? value.padStart(8, '0') : null;
  return isHex(text, 4) ? text : null;
}

/** `params` of a `mining.submit` whose worker was already checked. */
export function checkShare<Its extends CheckedJob>(
  params: unknown[],
  jobs: JobBook<Its>,
): Submitted<Its> | Refusal<Its> {
  const [, jobId, extranonce2, ntime, nonceText, bits] = params;
  if (typeof jobId !== 'string') return refuse(ERROR.other, 'Malformed share');
  const job = jobs.get(jobId);
  if (!job) return refuse<Its>(ERROR.stale, 'Job not found', undefined, !jobs.gave(jobId));
  if (!isHex(extranonce2, job.extranonce2Size)) return refuse(ERROR.other, 'Invalid extranonce2', job);
  const nonce = padded(nonceText);
  if (!isHex(ntime, 4) || nonce === null) return refuse(ERROR.other, 'Malformed share', job);
  const hasBits = bits !== undefined && bits !== null && bits !== '';
  const bitsText = hasBits ? padded(bits) : null;
  if (hasBits && bitsText === null) return refuse(ERROR.other, 'Malformed version bits', job);
  const time = parseInt(ntime, 16);
  if (time < job.ntime || time > job.ntime + MAX_NTIME_AHEAD_S) return refuse(ERROR.other, 'Time out of range', job);
  const versionBits = bitsText === null ? null : parseInt(bitsText, 16);
  if (versionBits !== null && !bitsAllowed(versionBits, job.versionMask))
    return refuse(ERROR.other, 'Version bits outside the mask', job);
  if (performance.now() >= job.shared.staleAt) return refuse(ERROR.stale, 'Stale share', job, false);
  const version = minedVersion(job, versionBits);
  const share = `${extranonce2}${ntime}${nonce}${version}`.toLowerCase();
  const seen = jobs.note(job, share);
  // Where an upstream sends the same work again and leaves no room to change it, miners that begin anew find it again.
  if (seen !== 'first') return refuse(ERROR.duplicate, 'Duplicate share', job, seen === 'repeated');
  return { job, extranonce2, ntime, nonce, version };
}
