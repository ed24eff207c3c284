import type { WorkerState } from '@pool/shared';
import { PageLink, useServices } from '@pool/shared/remote';
import type { ReactNode } from 'react';

const PAGE = 'workers.list';

type Place = { state: WorkerState; group: string | undefined };

function searchOf({ state, group }: Place): string {
  const params = new URLSearchParams({ state });
  if (group !== undefined) params.set('group', group);
  return `?${params}`;
}

/** The list of these workers; undefined where the user has no such page. */
export function useWorkersPath(place: Place): string | undefined {
  const path = useServices().pages[PAGE];
  return path && path + searchOf(place);
}

export function WorkersLink({ state, group, ...rest }: Place & { className?: string; children: ReactNode }) {
  return <PageLink page={PAGE} search={searchOf({ state, group })} keepWords {...rest} />;
}
