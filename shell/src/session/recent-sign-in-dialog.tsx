import { useTranslation } from '@pool/shared/i18n';
import { lazy, Suspense, useEffect, useState } from 'react';
import { offerDialog } from './recent-sign-in';

/** The page below stays as it is: nothing typed is lost. */
export function RecentSignInDialog() {
  const { i18n } = useTranslation();
  const [asked, setAsked] = useState<{ answer(given: boolean): void } | null>(null);
  const [Dialog] = useState(() =>
    lazy(
      async () =>
        (
          await Promise.all([
            import(/* webpackChunkName: "account" */ '../pages/account/password-dialog'),
            i18n.loadNamespaces('account'),
          ])
        )[0],
    ),
  );
  useEffect(
    () =>
      offerDialog(async () => {
        const given = await new Promise<boolean>((answer) => setAsked({ answer }));
        setAsked(null);
        return given;
      }),
    [],
  );
  if (!asked) return null;
  return (
    <Suspense>
      <Dialog onDone={asked.answer} />
    </Suspense>
  );
}
