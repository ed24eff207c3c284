/** What waits for a person: changes, and what broke where. Suspends. */
import { lazyPart } from '../../react/lazy-part';
import type { ShownChange } from '../../api/contract/waiting';
import type { FarmEventsProps } from './farm-events';
import type { WaitingChangesProps } from './waiting-changes';

export { useQuietChoices } from './use-quiet-choices';
/** Where workers went off together, one sentence each, with who looks after it; nothing while all is well. */
export const FarmEvents = lazyPart<FarmEventsProps>(
  'events',
  async () => (await import('./farm-events')).FarmEvents,
  null,
);
/** Changes that wait, with what is in force before each and after it. */
export const WaitingChanges = lazyPart<WaitingChangesProps>(
  'waiting',
  async () => (await import(/* webpackChunkName: "waiting" */ './waiting-changes')).WaitingChanges,
  null,
);
export const BeforeAfter = lazyPart<Pick<ShownChange, 'before' | 'after'>>(
  'waiting',
  async () => (await import(/* webpackChunkName: "waiting" */ './before-after')).BeforeAfter,
  null,
);
