import { createApiClient, type ApiClient } from '@pool/shared';
import { createQueryClient, type QueryClient } from '@pool/shared/query';

export type GetToken = () => Promise<string | null>;

/** Holds API calls back until the identity library knows who is here; signed out means no token, not no answer. */
export class TokenGate {
  private open: (getToken: GetToken) => void = () => undefined;
  private source = new Promise<GetToken>((resolve) => { this.open = resolve; });
  private settled = false;

  set(getToken: GetToken): void {
    if (this.settled) this.source = Promise.resolve(getToken);
    else this.open(getToken);
    this.settled = true;
  }

  readonly get: GetToken = async () => (await this.source)();
}

/** What exists once per page. */
export type Singletons = { api: ApiClient; queryClient: QueryClient; tokens: TokenGate };

export function createSingletons(): Singletons {
  const tokens = new TokenGate();
  return { api: createApiClient({ getToken: tokens.get }), queryClient: createQueryClient(), tokens };
}
