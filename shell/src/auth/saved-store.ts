import { AuthStore, noAnswer, snapshot, type AuthBackend } from './auth-store';
import { readEarlySession } from './early-session';

/** The session of a saved page: its user without one, until the pool answers. Clerk would sign the user out. */
export class SavedStore extends AuthStore {
  private readonly ordinary = {
    want: (this as AuthStore).want,
    started: (this as AuthStore).started,
    getToken: (this as AuthStore).getToken,
  };
  private saved = true;

  constructor(userId: string, now?: () => number) {
    super('', now);
    this.current = snapshot(userId, null);
  }

  /** The pool answers again; false: not to this user. */
  resume(cookies: string): boolean {
    const early = readEarlySession(cookies, this.now());
    if (early?.userId !== this.current.userId) return false;
    this.early = early;
    this.saved = false;
    return true;
  }

  override readonly want = (): void => {
    if (!this.saved) this.ordinary.want();
  };
  override readonly started = (): Promise<AuthBackend> =>
    this.saved ? Promise.reject(noAnswer()) : this.ordinary.started();
  override readonly getToken = async (): Promise<string | null> => (this.saved ? null : this.ordinary.getToken());
}
