import type { WorkerState } from '@pool/shared';

/** The list of workers in a state, of a group if there is one. */
export function workersLink(state: WorkerState, group: string | undefined): string {
  const params = new URLSearchParams({ state });
  if (group !== undefined) params.set('group', group);
  return `/workers/?${params}`;
}
