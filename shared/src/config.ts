/** What the server writes into the HTML (`<script type="application/json" id="pool-config">`) for the shell to start with. */
import type { RemoteManifest } from './contract';

export type PublicConfig = {
  identity: {
    publishableKey: string;
    /** Set for the embedded identity; absent when the hosted service is used. */
    proxyUrl?: string;
    /** Self-hosted clerk-js: the whole of it (sign-in forms), and the part without forms. */
    clerkJsUrl: string;
    clerkJsHeadlessUrl: string;
    signInUrl: string;
    signUpUrl: string;
    afterSignInUrl: string;
    afterSignUpUrl: string;
  };
  /** Who asked for the page (the sign-in service's id); null: nobody, or not known before clerk-js has run. */
  userId: string | null;
  /** The remotes this caller may load. */
  remotes: RemoteManifest[];
  /** CSP nonce of this page, for styles antd and Clerk insert. */
  nonce: string;
  /** The pool runs on demo data: the app bar says so. */
  demo: boolean;
  supportEmail: string;
};
