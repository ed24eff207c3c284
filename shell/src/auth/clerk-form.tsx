import { useEffect, useRef } from 'react';
import { useAuthContext } from './auth-provider';
import type { FormSlot } from './auth-store';

/** The element for one of Clerk's forms on a page. */
export function ClerkForm({ form, className }: { form: FormSlot['form']; className?: string }) {
  const { store } = useAuthContext();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current ? store.place({ form, element: place.current }) : undefined), [store, form]);
  return <div ref={place} className={className} />;
}
