import { lazyPart } from '@pool/shared/remote';
import { useEffect, useState } from 'react';
import { offerDialog } from '../../session/recent-sign-in';

const PasswordDialog = lazyPart('account', () => import(/* webpackChunkName: "account" */ './password-dialog'), null);

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
  return asked && <PasswordDialog onDone={asked.answer} />;
}
