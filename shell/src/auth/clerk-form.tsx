import { useTranslation } from '@pool/shared/i18n';
import { useEffect, useRef } from 'react';
import { useAuthContext } from './auth-provider';
import type { FormSlot } from './auth-store';
import { formLanguage } from './forms/clerk-texts';
import { aidForm } from './forms/form-aids';

/** The place of one of Clerk's forms on a page. It reads as its own language does, also inside an Arabic page. */
export function ClerkForm({ form, className }: { form: FormSlot['form']; className?: string }) {
  const { i18n } = useTranslation();
  const { store } = useAuthContext();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const stopAiding = aidForm(form, place.current);
    const leave = store.place({ form, element: place.current });
    return () => {
      leave();
      stopAiding();
    };
  }, [store, form]);
  return <div ref={place} className={className} lang={formLanguage(i18n.resolvedLanguage)} dir="ltr" />;
}
