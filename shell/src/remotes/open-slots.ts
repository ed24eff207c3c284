/** The slots of the pages on screen; what is in them is drawn later (slots.tsx). */
import type { RemoteServices } from '@pool/shared';

type Arguments = Parameters<NonNullable<RemoteServices['openSlot']>>;
export type OpenSlot = { id: number; element: HTMLElement; place: Arguments[1]; facts: Arguments[2] };

let last = 0;
let slots: readonly OpenSlot[] = [];
const listeners = new Set<() => void>();

function change(next: readonly OpenSlot[]): void {
  slots = next;
  listeners.forEach((tell) => tell());
}

export function openSlot(...[element, place, facts]: Arguments): () => void {
  const slot = { id: (last += 1), element, place, facts };
  change([...slots, slot]);
  return () => change(slots.filter((each) => each !== slot));
}

export const openSlots = (): readonly OpenSlot[] => slots;

export function followSlots(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
