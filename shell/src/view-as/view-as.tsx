import { ApiError, createApiClient, type PublicConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { userInfoQuery } from '@pool/shared/remote';
import { CircleUser, Message } from '@pool/shared/ui/core';
import { useEffect, useState } from 'react';
import { useAuthState } from '../auth';
import { OutletSkeleton } from '../remotes/outlet-skeleton';
import { SignedIn } from '../signed-in';
import styles from './view-as.module.css';

/** Interval of asking whether the admin still is one. */
const CHECK_MS = 60_000;

type Props = { config: PublicConfig; userName: string };

/** A user's pages, read-only. Opened and left by a page load: user and admin are never in one memory. */
export default function ViewAs(props: Props) {
  const { state, userId } = useAuthState();
  const { signInUrl } = props.config.identity;
  const isSignedOut = state !== 'loading' && userId === null;
  useEffect(() => {
    const { pathname, search } = location;
    if (isSignedOut) location.replace(`${signInUrl}?${new URLSearchParams({ redirect_url: pathname + search })}`);
  }, [isSignedOut, signInUrl]);
  if (userId === null)
    return (
      <main style={{ padding: 24 }}>
        <OutletSkeleton />
      </main>
    );
  return <Viewed {...props} viewId={`${userId} ${props.userName}`} />;
}

function Viewed({ config, userName, viewId }: Props & { viewId: string }) {
  const { t } = useTranslation();
  const { getToken } = useAuthState();
  // The server answers as the user, and refuses everything but reading.
  const [api] = useState(() => createApiClient({ getToken, headers: { 'X-View-As': userName } }));
  const { error } = useQuery({ ...userInfoQuery(api, viewId), refetchInterval: CHECK_MS });
  // No such user, or the viewer is no admin any more: the last figures go too.
  if (error instanceof ApiError && [403, 404].includes(error.status))
    return (
      <main>
        <Message title={t('ui.denied.title')} text={t('ui.denied.text')}>
          <a href="/">{t('ui.denied.home')}</a>
        </Message>
      </main>
    );
  return (
    <div className={styles.view}>
      <aside className={styles.banner} aria-label={t('viewAs.banner')}>
        <CircleUser size={18} strokeWidth={2} className={styles.icon} />
        <strong className={styles.text}>{t('viewAs.as', { name: userName.replace('~', ' · ') })}</strong>
        <span className={styles.note}>{t('viewAs.readOnly')}</span>
        <a className={styles.back} href={config.viewedUser ?? '/'}>
          {t('viewAs.back')}
        </a>
      </aside>
      <SignedIn api={api} config={config} userId={viewId} viewing={userName} />
    </div>
  );
}
