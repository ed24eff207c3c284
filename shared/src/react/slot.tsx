import { useEffect, useRef } from 'react';
import type { SlotFacts, SlotPlace } from '../contract';
import { useServices } from './services';

type Props = SlotFacts & { place: SlotPlace; className?: string };

/** A place of a page for parts of other remotes (docs/teams.md, "Slots"): empty where nobody brings one. */
export function Slot({ place, id, className }: Props) {
  const { openSlot } = useServices();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => (host.current ? openSlot?.(host.current, place, { id }) : undefined), [openSlot, place, id]);
  // The shell shows it where somebody brings a part.
  return <div ref={host} className={className} hidden />;
}
