import {
  ApiError,
  createApiClient,
  createAbility,
  pagesOf,
  type Answer,
  type ApiClient,
  type PublicConfig,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery, useQueryClient } from '@pool/shared/query';
import { ServicesProvider, usePageTitle } from '@pool/shared/remote';
import { Navigate, useLocation } from '@pool/shared/router';
import { watchBase } from '@pool/shared/public-pages';
import { selectedZone } from '@pool/shared/selection';
import { useFormat, Message } from '@pool/shared/ui/core';
import { useMemo, useState } from 'react';
import { AccountPicker } from '../../layout/bar/account-picker';
import { AlgorithmPicker } from '../../layout/bar/algorithm-picker';
import { useLiveEvents } from '../../live/use-live-events';
import { NoAnswer } from '../../pages/no-answer';
import { NotFound } from '../../pages/not-found';
import { activePath, linksIn, navigation, remoteAt } from '../../remotes/registry';
import { openSlot } from '../../remotes/open-slots';
import { OutletSkeleton } from '../../remotes/outlet-skeleton';
import { RemoteOutlet } from '../../remotes/remote-outlet';
import { Slots } from '../../remotes/slots';
import { report } from '../../report';
import { carry, carriedSearch } from '../../session/carried-params';
import { useSelection } from '../../session/selection';
import { useSettingsStore } from '../../settings/settings-context';
import { Frame } from '../frame';
import styles from '../frame.module.css';

/** Interval of asking whether the link still works. */
const CHECK_MS = 60_000;

type Shown = Answer<'GET /watch'>;
type Props = { config: PublicConfig };

/** `/watch/<token>`: the owner's pages as far as the link's scopes reach, by the same remotes; read-only. */
export default function WatchPage({ config }: Props) {
  const { t } = useTranslation();
  const [api] = useState(() => {
    const token = watchBase(location.pathname)?.split('/').at(-1) ?? '';
    return createApiClient({ getToken: async () => token });
  });
  const watch = useQuery({
    queryKey: ['watch'],
    queryFn: ({ signal }) => api('GET /watch', { signal }),
    refetchInterval: CHECK_MS,
  });
  usePageTitle(t('watch.title'));
  // A link that was revoked meanwhile shows nothing any more, not the last figures.
  const isOver = watch.error instanceof ApiError && watch.error.status === 401;
  if (watch.data && !isOver) return <Watched config={config} api={api} shown={watch.data} />;
  return (
    <Frame config={config} links={[]} active={null}>
      {isOver ? (
        <Message title={t('watch.over')} text={t('watch.overText')}>
          <a href="/">{t('ui.denied.home')}</a>
        </Message>
      ) : watch.error ? (
        <NoAnswer title={t('shell.noAnswer')} text={t('watch.noAnswerText')} onRetry={() => void watch.refetch()} />
      ) : (
        <OutletSkeleton />
      )}
    </Frame>
  );
}

function Watched({ config, api, shown }: Props & { api: ApiClient; shown: Shown }) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { settings: stored } = useSettingsStore();
  const { pathname, search } = useLocation();
  const { userName, isLegacyUser, subAccounts, remotes, rules } = shown;
  const ability = useMemo(() => createAbility(rules as Parameters<typeof createAbility>[0]), [rules]);
  const selection = useSelection(userName, subAccounts);
  const { account, algorithm } = selection;
  const timeZone = selectedZone(search, stored.timeZone);
  // The stream of events needs a session: this page asks again from time to time.
  useLiveEvents(null);
  const accounts = useMemo(() => subAccounts.map(({ name }) => name), [subAccounts]);
  const services = useMemo(
    () => ({
      api,
      queryClient,
      ability,
      i18n,
      settings: { ...stored, timeZone },
      pages: pagesOf(remotes, ability),
      openSlot,
      report,
      session: { userId: '', userName, email: null, isLegacyUser, account, accounts, algorithm },
    }),
    [api, queryClient, ability, i18n, stored, remotes, timeZone, userName, isLegacyUser, account, accounts, algorithm],
  );
  const links = useMemo(() => linksIn(navigation(remotes, [], ability)), [remotes, ability]);
  const remote = remoteAt(pathname, remotes, ability);
  const active = activePath(pathname, links);
  const carried = carriedSearch(search);
  const [home] = links;
  if (pathname === '/' && home) return <Navigate to={carry<string>(home.path, carried) as string} replace />;
  return (
    <ServicesProvider services={services}>
      <Frame
        config={config}
        links={links.map(({ path, label }) => ({ path: carry<string>(path, carried) as string, label: t(label) }))}
        active={active}
        below={
          <div className={styles.below}>
            <span className={styles.facts}>
              <ReadOnly shown={shown} />
            </span>
            {ability.can('read', 'sub-account-list') && subAccounts.length > 1 && (
              <AccountPicker {...selection} userName={userName} subAccounts={subAccounts} />
            )}
            {ability.can('read', 'algorithm-list') && (remote?.pickers?.includes('algorithm') ?? true) && (
              <AlgorithmPicker {...selection} />
            )}
          </div>
        }
      >
        {remote ? <RemoteOutlet key={remote.name} manifest={remote} services={services} /> : <NotFound />}
      </Frame>
      <Slots remotes={remotes} />
    </ServicesProvider>
  );
}

function ReadOnly({ shown: { userName, expiresAt } }: { shown: Shown }) {
  const { t } = useTranslation();
  const { day } = useFormat();
  return (
    <>
      {t('watch.readOnly', { name: userName })}
      {expiresAt && <span> · {t('watch.until', { day: day(expiresAt, true) })}</span>}
    </>
  );
}
