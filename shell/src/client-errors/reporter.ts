/** Sends what went wrong in the page, and how remotes were mounted, to `POST /client-errors`. */
import { ApiError, type ApiClient, type CallOptions } from '@pool/shared';
import { pageReports, type PageReport } from '@pool/shared/page-start';
import { build } from '../remotes/integrity';
import { RemoteFailure } from '../remotes/failure';
import { describe, isForeign, withoutPersons } from './describe';

type Body = CallOptions<'POST /client-errors'>['body'];
type ClientError = Body['errors'][number];

/** Reports of so long are sent together. */
const BATCH_MS = 1_000;
/** What the server takes. */
const BYTES = 2_000;
const bytesOf = (body: unknown): number => new TextEncoder().encode(JSON.stringify(body)).length;
/** Requests of a page: an error that repeats for ever is known by then. */
const REQUESTS = 40;
const TEXTS = 10;
const MOUNTS = 8;
const SLOW_MS = 3_000;

export class Reporter {
  private readonly errors = new Map<string, ClientError>();
  private readonly mounts: Body['mounts'] = [];
  /** The version of each remote that was mounted last. */
  private readonly versions = new Map<string, string>();
  /** Remotes of whose last mount an error is known. */
  private readonly faulty = new Set<string>();
  private readonly seen = new WeakSet<object>();
  private readonly told: (() => void)[] = [];
  private texts = 0;
  private requests = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly api: ApiClient) {}

  start(): void {
    const reports = pageReports();
    for (const report of reports.splice(0)) this.take(report);
    reports.push = (report) => {
      if (report) this.take(report);
      return 0;
    };
    addEventListener('pagehide', () => void this.send());
  }

  take(report: PageReport): void {
    if (report instanceof Event) this.takeEvent(report);
    else if ('text' in report) this.takeText(report.text);
    else this.takeMount(report);
    if (this.errors.size + this.mounts.length > 0) this.timer ??= setTimeout(() => void this.send(), BATCH_MS);
  }

  private takeEvent(event: ErrorEvent | PromiseRejectionEvent): void {
    const isRejection = event.type === 'unhandledrejection';
    const error: unknown = 'reason' in event ? event.reason : event.error;
    const isOffline = error instanceof ApiError && error.status === 0;
    if (isForeign(error) || isOffline || this.isSeen(error)) return;
    this.add(isRejection ? 'rejection' : 'error', describe(error));
  }

  private isSeen(error: unknown): boolean {
    if (typeof error !== 'object' || error === null) return false;
    const wasSeen = this.seen.has(error);
    this.seen.add(error);
    return wasSeen;
  }

  private takeText(key: string): void {
    const [remote = ''] = key.split('.');
    const version = this.versions.get(remote);
    if ((this.texts += 1) > TEXTS) return;
    const about = version === undefined ? { remote: null, version: null } : { remote, version };
    this.add('text', { ...about, message: withoutPersons(key), stack: '' });
  }

  private takeMount(report: Extract<PageReport, { phase: string }>): void {
    const { remote, version, phase } = report;
    const about = { remote, version };
    switch (phase) {
      case 'begun':
        this.faulty.delete(remote);
        this.versions.set(remote, version);
        break;
      case 'ended':
        this.mounts.push({ ...about, ms: report.ms && Math.round(report.ms) });
        if (report.ms !== null && report.ms > SLOW_MS)
          this.add('slow', { ...about, message: 'A mount took more than 3 s', stack: '' });
        break;
      case 'unfinished':
        this.mounts.push({ ...about, ms: null });
        this.told.push(report.told);
        this.add('unfinished', { ...about, message: 'A mount began and did not end', stack: '' });
        this.faulty.delete(remote);
        break;
      case 'failed':
        this.takeFailure(about, report.error);
    }
  }

  private takeFailure(about: { remote: string; version: string }, failure: unknown): void {
    const { reason, cause, isOfNetwork } =
      failure instanceof RemoteFailure ? failure : new RemoteFailure('crashed', about.remote, failure);
    // The outlet reports it as an error too.
    for (const error of [failure, cause]) this.isSeen(error);
    if (isOfNetwork && !navigator.onLine) return;
    const { message, stack } = describe(cause ?? failure);
    if (reason === 'crashed') this.add('crash', { ...about, message, stack });
    else this.add('load', { ...about, message: `${reason}: ${message}`, stack });
  }

  private add(kind: ClientError['kind'], about: Pick<ClientError, 'remote' | 'version' | 'message' | 'stack'>): void {
    const { remote } = about;
    let faultyMounts = 0;
    if (kind !== 'slow' && remote !== null && !this.faulty.has(remote)) {
      this.faulty.add(remote);
      faultyMounts = 1;
    }
    const name = [kind, remote, about.version, about.message].join(' ');
    const { count, faultyMounts: before } = this.errors.get(name) ?? { count: 0, faultyMounts: 0 };
    const known = { count: Math.min(count + 1, 1_000), faultyMounts: before + faultyMounts };
    this.errors.set(name, { kind, ...about, ...known });
  }

  /** The part of what is known that one request takes. */
  private nextBody(): Body {
    const body: Body = { shell: build.name ?? '', mounts: this.mounts.splice(0, MOUNTS), errors: [] };
    for (const [name, { ...error }] of this.errors) {
      if (bytesOf([...body.mounts, ...body.errors, error]) > BYTES) {
        if (body.mounts.length + body.errors.length > 0) break;
        // One that is too long alone, in letters of several bytes, keeps what counts.
        Object.assign(error, { message: error.message.slice(0, 100), stack: '' });
      }
      body.errors.push(error);
      this.errors.delete(name);
    }
    return body;
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const told = this.told.splice(0);
    while (this.errors.size + this.mounts.length > 0 && (this.requests += 1) <= REQUESTS)
      // What cannot be sent is lost: there is nobody to tell.
      await this.api('POST /client-errors', { body: this.nextBody() }).catch(() => undefined);
    for (const resolve of told) resolve();
  }
}
