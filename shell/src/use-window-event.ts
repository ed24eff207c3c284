import { useEffect, useEffectEvent } from 'react';

/** Calls the `listener` of the last rendering for each event of the window. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const heard = (event: WindowEventMap[Type]) => onEvent(event);
    addEventListener(type, heard);
    return () => removeEventListener(type, heard);
  }, [type]);
}
