import { ApiError } from '@pool/shared';
import { useQueryClient } from '@pool/shared/query';
import { useEffect, useState } from 'react';

const restart = () => location.assign('/');

/** Begins anew when the user is no longer a member of the page's organization (`organizationId`: now). */
export function useSameOrganization(organizationId: string | null): void {
  const client = useQueryClient();
  const [first] = useState(organizationId);
  useEffect(() => {
    if (organizationId !== first) restart();
  }, [organizationId, first]);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (error instanceof ApiError && error.problem.code === 'not_member') restart();
      }),
    [client],
  );
}
