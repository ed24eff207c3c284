/** Changes that wait, with what is in force before each and after it. Suspends. */
import { lazyPart } from '../../react/lazy-part';
import type { ShownChange } from '../../api/contract/waiting';
import type { WaitingChangesProps } from './waiting-changes';

export const WaitingChanges = lazyPart<WaitingChangesProps>(
  'waiting',
  async () => (await import('./waiting-changes')).WaitingChanges,
  null,
);
export const BeforeAfter = lazyPart<Pick<ShownChange, 'before' | 'after'>>(
  'waiting',
  async () => (await import('./before-after')).BeforeAfter,
  null,
);
