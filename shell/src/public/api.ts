import { createApiClient } from '@pool/shared';

/** For the calls that need no sign-in. */
export const publicApi = createApiClient({ getToken: async () => null });
