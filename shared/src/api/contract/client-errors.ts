import { z } from 'zod';
import { manages, userCall } from './endpoint';

/** `load`: its files did not come or do not fit; `slow`: a mount of more than 3 s; `unfinished`: one hung the tab. */
export const CLIENT_ERRORS = ['crash', 'load', 'error', 'rejection', 'text', 'slow', 'unfinished'] as const;

const remote = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/);
const version = z.string().regex(/^\w[\w.+-]{0,80}$/);

/** What browsers tell of errors; no data of the user. */
export const clientErrors = {
  'POST /client-errors': userCall(manages('person'), {
    summary: 'Report errors of the pages, and how their remotes were mounted. At most 2 KB',
    body: z.strictObject({
      /** Name of the shell's build. */
      shell: z.string().regex(/^\w{0,32}$/),
      /** `ms`: null when it was not measured. */
      mounts: z.array(z.strictObject({ remote, version, ms: z.int().min(0).max(600_000).nullable() })).max(20),
      errors: z
        .array(
          z.strictObject({
            kind: z.enum(CLIENT_ERRORS),
            /** Whose files the stack names; null: the shell's. */
            remote: remote.nullable(),
            version: version.nullable(),
            message: z.string().max(300),
            stack: z.string().max(1000),
            count: z.int().min(1).max(1_000),
            /** Mounts of which this is the first error. */
            faultyMounts: z.int().min(0).max(1_000),
          }),
        )
        .max(20),
    }),
    response: z.object({ accepted: z.literal(true) }),
  }),
};
