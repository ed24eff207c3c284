import type { SlotFacts } from '@pool/shared';
import { defineSlot, lazyPart } from '@pool/shared/remote';
import { Skeleton } from '@pool/shared/ui/core';

const WorkerEvents = lazyPart(
  'workers-more',
  async () => (await import('../pages/workers/inspector/worker-events')).WorkerEvents,
  <Skeleton height={48} />,
);

const History = ({ id }: SlotFacts) => (id === undefined ? null : <WorkerEvents id={id} />);

export const { bootstrap, mount, update, unmount } = defineSlot(History);
