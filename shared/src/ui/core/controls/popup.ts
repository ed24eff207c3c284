import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

/** Calls `act` when what is outside of all `elements` is pressed, or has another of `events`, until `signal`. */
export function onOutside(
  elements: readonly (Element | null)[],
  act: () => void,
  signal: AbortSignal,
  events = ['pointerdown'],
): void {
  const check = ({ target }: Event) => {
    if (target instanceof Node && !elements.some((element) => element?.contains(target))) act();
  };
  for (const event of events) addEventListener(event, check, { capture: true, signal });
}

/** A panel below its button, which Escape and `close` focus again. `root`: props of the element around both. */
export function usePopup() {
  const ref = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    onOutside([ref.current], () => setOpen(false), ended.signal, ['pointerdown', 'focusin']);
    return () => ended.abort();
  }, [open]);
  const close = () => {
    setOpen(false);
    ref.current?.querySelector('button')?.focus();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => open && key === 'Escape' && close();
  return { open, setOpen, close, root: { ref, onKeyDown } };
}
