import { isMissingFile } from '@pool/shared/remote';

/** A remote cannot be used; `reason` selects the panel's text, `facts` are inserted into it. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  constructor(
    readonly reason: 'unreachable' | 'slow' | 'shellBehind' | 'remoteBehind' | 'crashed',
    remote: string,
    cause?: unknown,
    readonly facts?: { needs: string; has: string },
  ) {
    super(`Remote ${remote}: ${reason}`, { cause });
  }

  /** Its files did not come: they may as soon as the network is back. */
  get isOfNetwork(): boolean {
    return this.reason === 'unreachable' || this.reason === 'slow';
  }
}

/** What `error`, thrown by a remote or on the way to it, is to the panel in its place. */
export const failureOf = (error: unknown, remote: string): RemoteFailure =>
  error instanceof RemoteFailure
    ? error
    : new RemoteFailure(isMissingFile(error) ? 'unreachable' : 'crashed', remote, error);
