import type { WorkerState } from '@pool/shared';
import { PageLink } from '@pool/shared/remote';
import type { ReactNode } from 'react';

type Props = { state: WorkerState; group: string | undefined; className?: string; children: ReactNode };

/** Link to the list of workers in a state, of a group if there is one. */
export function WorkersLink({ state, group, ...rest }: Props) {
  const params = new URLSearchParams({ state });
  if (group !== undefined) params.set('group', group);
  return <PageLink page="workers.list" search={`?${params}`} keepWords {...rest} />;
}
