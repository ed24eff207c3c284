import type { WorkerState } from '@pool/shared';
import { PageLink } from '@pool/shared/remote';
import type { ReactNode } from 'react';

type Props = { state: WorkerState; group: string | undefined; className?: string; children: ReactNode };

export function WorkersLink({ state, group, ...rest }: Props) {
  const params = new URLSearchParams({ state });
  if (group !== undefined) params.set('group', group);
  return <PageLink page="workers.list" search={`?${params}`} keepWords {...rest} />;
}
