/**
 * Configuration of the shell, which the server writes into the HTML (ID_CONFIG of page-start).
 */
import type { RemoteManifest } from '.';

export type PublicConfig = {
  identity: {
    publishableKey: string;
    /** Set for the embedded identity; absent when the hosted service is used. */
    proxyUrl?: string;
    /** Whether the embedded service mails codes to confirm an address and for a new password. */
    sendsMail?: boolean;
    /** Self-hosted clerk-js: complete with sign-in forms, and the part without forms. */
    clerkJsUrl: string;
    clerkJsHeadlessUrl: string;
    signInUrl: string;
    signUpUrl: string;
    afterSignInUrl: string;
    afterSignUpUrl: string;
  };
  /** Id of the signed-in user at the identity service; null when signed out, or not known before clerk-js has run. */
  userId: string | null;
  /** The remotes this caller may load. */
  remotes: RemoteManifest[];
  /** The page that lists the user whose pages an admin looks at. */
  viewedUser?: string;
  /** CSP nonce of this page, for styles antd and Clerk insert. */
  nonce: string;
  /** Whether the pool runs on demo data; the app bar shows it. */
  demo: boolean;
  /** Whether clicks and events are traced to the server's statements. */
  traces?: boolean;
  supportEmail: string;
  /** The service worker has to be removed. */
  noWorker?: true;
};
