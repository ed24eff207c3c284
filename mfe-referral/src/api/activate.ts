import { useApi } from '@pool/shared/remote';
import { useMutation } from '@pool/shared/query';

/** Activates another user's code, once. Throws `ApiError`; its `code` is the reason. */
export function useActivate() {
  const api = useApi();
  return useMutation({
    mutationFn: (referralCode: string) => api('POST /referral/activate', { body: { referralCode } }),
  });
}
