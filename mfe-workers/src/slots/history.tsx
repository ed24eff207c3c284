import type { SlotFacts } from '@pool/shared';
import { defineSlot } from '@pool/shared/remote';
import { TimelineList } from '@pool/shared/ui/timeline';

const History = ({ id }: SlotFacts) => (id === undefined ? null : <TimelineList worker={id} />);

export const { bootstrap, mount, update, unmount } = defineSlot(History);
