import { lazyPart } from '@pool/shared/remote';
import { Suspense, useEffect, useState } from 'react';
import { offerDialog } from './recent-sign-in';

const PasswordDialog = lazyPart<{ onDone(given: boolean): void }>(
  'account',
  () => import(/* webpackChunkName: "account" */ '../pages/account/password-dialog'),
);

/** The page below stays as it is: nothing typed is lost. */
export function RecentSignInDialog() {
  const [asked, setAsked] = useState<{ answer(given: boolean): void } | null>(null);
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
      <PasswordDialog onDone={asked.answer} />
    </Suspense>
  );
}
