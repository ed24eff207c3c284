import { useApi } from '@pool/shared/remote';
import { useMutation } from '@pool/shared/query';

/** Activates somebody's code for me, once. Throws `ApiError`; its `code` says why not. */
export function useActivate() {
  const api = useApi();
  return useMutation({
    mutationFn: (referralCode: string) => api('POST /referral/activate', { body: { referralCode } }),
  });
}
