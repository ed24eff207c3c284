/** What the account pages ask of the sign-in service beside the session itself. Part of Clerk's chunk. */
import type { useClerk } from '@clerk/clerk-react';
import { isClerkAPIResponseError, isClerkRuntimeError } from '@clerk/clerk-react/errors';
import { ApiError, westernDigits } from '@pool/shared';

type Clerk = ReturnType<typeof useClerk>;
type EmailAddress = NonNullable<NonNullable<Clerk['user']>['primaryEmailAddress']>;

/** A signed-in browser of the user. */
export type SignedInDevice = {
  id: string;
  /** This browser. */
  current: boolean;
  /** `Firefox 140`; empty when not known. */
  browser: string;
  /** `Windows`, `iPhone`; empty when not known. */
  device: string;
  address: string | null;
  /** Unix seconds. */
  lastSeenAt: number;
};

type NewPassword = { current: string; next: string; signOutOthers: boolean };

/** Each throws an `ApiError` with the service's own code: `form_password_incorrect`. */
export type IdentityCalls = {
  devices(): Promise<SignedInDevice[]>;
  signOutDevice(id: string): Promise<void>;
  /** Counts as a recent sign-in from then on, or once `enterCode` has got a code as well. */
  enterPassword(password: string): Promise<'complete' | 'needs_code'>;
  /** Whether this browser can ask the user for a passkey. */
  hasPasskey(): boolean;
  /** Same as `enterPassword`; false: the user does not want to. */
  givePasskey(): Promise<'complete' | 'needs_code' | false>;
  /** A code of two-step sign-in: of the authenticator app, or a backup code. */
  enterCode(code: string): Promise<void>;
  changePassword(password: NewPassword): Promise<void>;
  /** Null: none any more. */
  setPicture(picture: Blob | null): Promise<void>;
  /** The account's address; null: it has none. */
  email(): Promise<{ address: string; isConfirmed: boolean } | null>;
  /** Mails a code that confirms the address. */
  sendEmailCode(): Promise<void>;
  /** Mails a code to an address that is to take the place of the account's. Needs a recent sign-in. */
  changeEmail(address: string): Promise<void>;
  /** The code that was mailed last. */
  enterEmailCode(code: string): Promise<void>;
  /** Goes on in an organization; null: as the person alone. */
  actIn(organizationId: string | null): Promise<void>;
};

/** The code without the spaces that apps show, in the digits that the service reads. */
const typedCode = (code: string): string => westernDigits(code).replaceAll(/\s/g, '');

const refused = (status: number, code: string, detail?: string): ApiError =>
  new ApiError({ type: 'about:blank', title: code, status, code, detail });

async function asApiError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isClerkAPIResponseError(error)) throw error;
    const [first] = error.errors;
    throw refused(error.status, first?.code ?? 'server_error', first?.longMessage ?? first?.message);
  }
}

function emailOf(clerk: Clerk) {
  const { primaryEmailAddress } = signedIn(clerk).user;
  if (!primaryEmailAddress) throw refused(404, 'not_found');
  return primaryEmailAddress;
}

function signedIn({ session, user }: Clerk) {
  if (!session || !user) throw refused(401, 'unauthorized');
  return { session, user };
}

/** The next call is sent with a token that says so. */
const renewToken = (session: NonNullable<Clerk['session']>) => asApiError(session.getToken({ skipCache: true }));

export function identityCalls(clerk: Clerk): IdentityCalls {
  let mailedTo: EmailAddress | null = null;
  const after = async ({ status }: { status: string }): Promise<'complete' | 'needs_code'> => {
    if (status === 'needs_second_factor') return 'needs_code';
    await renewToken(signedIn(clerk).session);
    return 'complete';
  };
  return {
    async devices() {
      const { session, user } = signedIn(clerk);
      const sessions = await asApiError(user.getSessions());
      return sessions.map(
        ({ id, lastActiveAt, latestActivity: { browserName, browserVersion, deviceType, ipAddress } }) => ({
          id,
          current: id === session.id,
          browser: [browserName, browserVersion?.split('.')[0]].filter(Boolean).join(' '),
          device: deviceType ?? '',
          address: ipAddress ?? null,
          lastSeenAt: Math.floor(lastActiveAt.getTime() / 1000),
        }),
      );
    },
    async signOutDevice(id) {
      const sessions = await asApiError(signedIn(clerk).user.getSessions());
      const found = sessions.find((session) => session.id === id);
      if (found) await asApiError(found.revoke());
    },
    async enterPassword(password) {
      const { session } = signedIn(clerk);
      const begun = await asApiError(session.startVerification({ level: 'multi_factor' }));
      // The hosted service may know the user by another way only.
      if (!begun.supportedFirstFactors?.some(({ strategy }) => strategy === 'password'))
        throw refused(409, 'password_unavailable');
      return after(await asApiError(session.attemptFirstFactorVerification({ strategy: 'password', password })));
    },
    hasPasskey: () => 'PublicKeyCredential' in window && signedIn(clerk).user.passkeys.length > 0,
    async givePasskey() {
      const { session } = signedIn(clerk);
      await asApiError(session.startVerification({ level: 'multi_factor' }));
      try {
        return await after(await asApiError(session.verifyWithPasskey()));
      } catch (error) {
        if (!isClerkRuntimeError(error)) throw error;
        if (error.code === 'passkey_retrieval_cancelled') return false;
        throw refused(422, 'passkey_refused');
      }
    },
    async enterCode(code) {
      const { session } = signedIn(clerk);
      const typed = typedCode(code);
      const strategy = /^\d{6}$/.test(typed) ? 'totp' : 'backup_code';
      await asApiError(session.attemptSecondFactorVerification({ strategy, code: typed }));
      await renewToken(session);
    },
    async changePassword({ current, next, signOutOthers }) {
      const { user } = signedIn(clerk);
      await asApiError(
        user.updatePassword({ currentPassword: current, newPassword: next, signOutOfOtherSessions: signOutOthers }),
      );
    },
    async setPicture(picture) {
      await asApiError(signedIn(clerk).user.setProfileImage({ file: picture }));
    },
    async email() {
      const { primaryEmailAddress: email } = signedIn(clerk).user;
      return email && { address: email.emailAddress, isConfirmed: email.verification.status === 'verified' };
    },
    async sendEmailCode() {
      mailedTo = await asApiError(emailOf(clerk).prepareVerification({ strategy: 'email_code' }));
    },
    async changeEmail(address) {
      const { user } = signedIn(clerk);
      mailedTo = await asApiError(
        user
          .createEmailAddress({ email: address })
          .then((email) => email.prepareVerification({ strategy: 'email_code' })),
      );
    },
    async enterEmailCode(code) {
      await asApiError((mailedTo ?? emailOf(clerk)).attemptVerification({ code: typedCode(code) }));
    },
    async actIn(organizationId) {
      await asApiError(clerk.setActive({ session: signedIn(clerk).session, organization: organizationId }));
    },
  };
}
