import { lazyPart } from '@pool/shared/remote';

export const Joins = lazyPart('workers-joins', async () => (await import('./joins')).Joins, null);
export const Renamed = lazyPart('workers-joins', async () => (await import('./joins')).Renamed, null);
