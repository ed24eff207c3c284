import { Secrets } from '../platform/secrets';

/** The key of tests that need no key of their own: the signing key of the test databases is encrypted with it. */
export const testSecrets = (): Secrets => new Secrets([Buffer.alloc(32, 'test')]);
