import type { Connection } from '@pool/shared';

/** Where miners of `northfield` connect, for tests; `facts` overrides fields. */
export const connection = (facts: Partial<Connection> = {}): Connection => ({
  algorithm: 'SHA256_ASICBOOST',
  host: 'sha.pool.example',
  port: 3311,
  tlsPort: null,
  exampleUser: 'northfield.worker1',
  dedicated: false,
  passwordSet: false,
  upstream: true,
  ...facts,
});
