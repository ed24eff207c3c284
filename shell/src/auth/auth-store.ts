/** The session as the pages know it: first from the cookies, then from Clerk once it has started. */
import { ApiError } from '@pool/shared';
import type { IdentityCalls } from './identity-calls';
import { hasSignedInMark, isFresh, readEarlySession, userOfToken, type EarlySession } from './early-session';
import { endSession } from './end-session';

export type AuthStatus = 'loading' | 'signed-out' | 'signed-in' | 'signed-in-with-organization';
/** `picture`: address of the user's picture; null: none, or not known yet. */
export type AuthSnapshot = {
  state: AuthStatus;
  userId: string | null;
  organizationId: string | null;
  picture: string | null;
};
/** What the store uses of Clerk once it runs. */
export type AuthBackend = IdentityCalls & { getToken(): Promise<string | null>; signOut(): Promise<void> };
/** An element of the page for one of Clerk's forms. */
export type FormSlot = { form: 'sign-in' | 'sign-up' | 'security'; element: HTMLElement };

const LOADING: AuthSnapshot = { state: 'loading', userId: null, organizationId: null, picture: null };

const snapshot = (
  userId: string | null | undefined,
  organizationId: string | null | undefined,
  picture: string | null = null,
): AuthSnapshot =>
  userId
    ? {
        state: organizationId ? 'signed-in-with-organization' : 'signed-in',
        userId,
        organizationId: organizationId ?? null,
        picture,
      }
    : { ...LOADING, state: 'signed-out' };

export class AuthStore {
  private current: AuthSnapshot;
  private readonly listeners = new Set<() => void>();
  private early: EarlySession | null;
  private backend: AuthBackend | undefined;
  private waiting: { resolve(backend: AuthBackend): void; reject(error: unknown): void }[] = [];
  /** Whether Clerk is needed now: it is fetched only then. */
  wanted: boolean;
  /** Clerk could not be started. */
  failed = false;
  private leaving = false;
  slot: FormSlot | null = null;

  constructor(
    cookies: string,
    private readonly now: () => number = Date.now,
    /** User of a saved page, shown without a session until the pool answers: Clerk would sign the user out. */
    private saved: string | null = null,
  ) {
    this.early = readEarlySession(cookies, now());
    const signedOut = !hasSignedInMark(cookies);
    this.wanted = !this.early && !signedOut;
    this.current = LOADING;
    if (saved) this.current = snapshot(saved, null);
    else if (this.early) this.current = snapshot(this.early.userId, this.early.organizationId, this.early.picture);
    else if (signedOut) this.current = snapshot(null, null);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  readonly getSnapshot = (): AuthSnapshot => this.current;
  readonly isWanted = (): boolean => this.wanted;
  readonly hasFailed = (): boolean => this.failed;
  readonly getSlot = (): FormSlot | null => this.slot;

  readonly want = (): void => {
    if (this.wanted || this.saved) return;
    this.wanted = true;
    this.changed();
  };

  /** Called when Clerk has started, and on every change after that. */
  connect(
    userId: string | null | undefined,
    organizationId: string | null | undefined,
    backend: AuthBackend,
    picture?: string | null,
  ): void {
    const next = snapshot(userId, organizationId, picture);
    const same =
      next.state === this.current.state &&
      next.userId === this.current.userId &&
      next.organizationId === this.current.organizationId &&
      next.picture === this.current.picture;
    this.backend = backend;
    this.early = null;
    this.failed = false;
    for (const { resolve } of this.waiting.splice(0)) resolve(backend);
    if (same || this.leaving) return;
    if (this.current.userId !== null && this.current.userId !== next.userId) return this.end();
    this.current = next;
    this.changed();
  }

  fail(): void {
    this.failed = true;
    for (const { reject } of this.waiting.splice(0)) reject(noAnswer());
    this.changed();
  }

  /** Clerk, fetched now if it was not needed before. Rejects with an `ApiError` when it does not respond. */
  readonly started = (): Promise<AuthBackend> => {
    if (this.backend) return Promise.resolve(this.backend);
    if (this.failed || this.saved) return Promise.reject(noAnswer());
    this.want();
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  };

  /** Whether the session is being ended, or has been. */
  readonly isLeaving = (): boolean => this.leaving;

  readonly getToken = async (): Promise<string | null> => {
    if (this.saved) return null;
    if (!this.backend && this.early && isFresh(this.early, this.now())) return this.early.token;
    if (!this.backend && this.current.state === 'signed-out') return null;
    return (await this.started()).getToken();
  };

  /** The pool answers a saved page again; false: not to its user. */
  resume(cookies: string): boolean {
    const early = readEarlySession(cookies, this.now());
    if (early?.userId !== this.saved) return false;
    this.early = early;
    this.saved = null;
    return true;
  }

  /** Ends the page when the cookies are no longer those of its user. */
  readonly check = (cookies: string): void => {
    // A sign-out knows where it leads.
    if (this.leaving) return;
    const { userId } = this.current;
    // The token is not always there; then Clerk will tell.
    const here = hasSignedInMark(cookies) ? (userOfToken(cookies) ?? userId) : null;
    if (userId !== here && userId !== null) this.end();
  };

  /** The pages are taken away at once, and do not ask to sign in. */
  private end(path?: string): void {
    this.leaving = true;
    this.current = LOADING;
    this.changed();
    endSession(path);
  }

  /** Goes on in an organization, or alone (null). The pages go first: nothing is asked with the other's rights. */
  readonly actIn = async (organizationId: string | null, path = '/'): Promise<void> => {
    const { actIn } = await this.started();
    this.leaving = true;
    this.current = LOADING;
    this.changed();
    try {
      await actIn(organizationId);
    } finally {
      location.assign(path);
    }
  };

  /** Ends the session and opens the landing page, also when the sign-in service does not respond. */
  readonly signOut = async (): Promise<void> => {
    // This runs before Clerk starts: it may learn only then that the session is over.
    this.leaving = true;
    try {
      await (await this.started()).signOut();
    } finally {
      this.end('/');
    }
  };

  place(slot: FormSlot): () => void {
    this.slot = slot;
    this.wanted = true;
    this.changed();
    return () => {
      if (this.slot !== slot) return;
      this.slot = null;
      this.changed();
    };
  }
}

const noAnswer = (): ApiError =>
  new ApiError({ type: 'about:blank', title: 'The sign-in service does not answer', status: 0, code: 'offline' });
