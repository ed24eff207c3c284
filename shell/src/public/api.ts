import { createApiClient } from '@pool/shared';

/** Client for the calls that need no sign-in. */
export const publicApi = createApiClient({ getToken: async () => null });
