import { pagesOf, type ApiClient, type PublicConfig, type RemoteServices } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery, useQueryClient } from '@pool/shared/query';
import { ServicesProvider } from '@pool/shared/remote';
import { Link, Navigate, useLocation } from '@pool/shared/router';
import { selectedZone } from '@pool/shared/selection';
import { accountPath, isShellPage } from '@pool/shared/shell-pages';
import { Button } from '@pool/shared/ui/core';
import { lazy, Suspense, useLayoutEffect, useMemo, type ComponentType } from 'react';
import { useActIn } from './auth/use-act-in';
import type { IdleFeaturesProps } from './commands/idle-features';
import { whenPageShown } from './first-view/show';
import { Banner } from './layout/banner';
import { Layout } from './layout/layout';
import { useLiveEvents } from './live/use-live-events';
import { MessagePage } from './pages/message-page';
import { NoAnswer } from './pages/no-answer';
import { NotFound } from './pages/not-found';
import { SHELL_NAV, ShellPage } from './pages/shell-page';
import { OutletSkeleton } from './remotes/outlet-skeleton';
import { activePath, linksIn, navigation, remoteAt, remotesQuery } from './remotes/registry';
import { RemoteOutlet } from './remotes/remote-outlet';
import { report } from './report';
import { useSettingsStore } from './settings/settings-context';
import { carriedSearch } from './session/carried-params';
import { useSelection } from './session/selection';
import { useSameOrganization } from './session/use-same-organization';
import { useWho, type Who } from './session/use-who';

/** Not in the first view: a page works without it. Loaded later, its code does not delay the page's own. */
const IdleFeatures = lazy<ComponentType<IdleFeaturesProps>>(() =>
  whenPageShown()
    .then(() => import(/* webpackChunkName: "idle" */ './commands/idle-features'))
    .catch(() => ({ default: () => null })),
);

type Props = {
  api: ApiClient;
  config: PublicConfig;
  userId: string;
  /** Both absent while another user's pages are looked at. */
  picture?: string | null;
  onSignOut?(): void;
  /** Name of the user whose pages an admin looks at. */
  viewing?: string;
};

/** The signed-in part: loads the user first, then shows the pages. */
export function SignedIn(props: Props) {
  const { t } = useTranslation();
  const { who, error, refetch } = useWho(props.api, props.userId);
  if (who) return <Pages {...props} who={who} />;
  if (!error)
    return (
      <main style={{ padding: 24 }}>
        <OutletSkeleton />
      </main>
    );
  return (
    <main>
      <NoAnswer title={t('shell.noAnswer')} text={t('shell.noAnswerText')} onRetry={refetch}>
        {props.onSignOut && <Button onClick={props.onSignOut}>{t('user.signOut')}</Button>}
      </NoAnswer>
    </main>
  );
}

function Pages({ api, config, userId, who, picture, onSignOut, viewing }: Props & { who: Who }) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { settings: stored } = useSettingsStore();
  const { pathname, search } = useLocation();
  const timeZone = selectedZone(search, stored.timeZone);
  const settings = useMemo(() => ({ ...stored, timeZone }), [stored, timeZone]);
  const actIn = useActIn();
  useSameOrganization(who.organizationId);
  const { user, person, ability, subAccounts, isLegacyUser, twoStepRequired } = who;
  const selection = useSelection(who.primary, subAccounts);
  const { account, algorithm } = selection;
  // The stream of events is the admin's own: while others' pages are looked at, they are asked again.
  useLiveEvents(!viewing);
  const list = useQuery(remotesQuery(api, userId, config));
  const remotes = useMemo(() => list.data ?? [], [list.data]);
  const main = useMemo(() => navigation(remotes, SHELL_NAV, ability), [remotes, ability]);
  const remote = remoteAt(pathname, remotes, ability);
  const links = linksIn(main).filter(({ path, disabled }) => path[0] === '/' && !disabled);
  const home = links[0]?.path;
  const active = activePath(pathname, links);

  const services = useMemo<RemoteServices>(
    () => ({
      api,
      queryClient,
      ability,
      i18n,
      settings,
      pages: pagesOf(remotes, ability),
      report,
      session: {
        userId,
        userName: user.userName,
        email: person.email,
        isLegacyUser,
        account,
        algorithm,
        viewingAs: viewing,
      },
    }),
    [
      api,
      queryClient,
      ability,
      i18n,
      settings,
      remotes,
      userId,
      user,
      person,
      isLegacyUser,
      account,
      algorithm,
      viewing,
    ],
  );

  const isShell = isShellPage(pathname, ability);
  const isOfAccount = remote?.pickers?.includes('account') ?? true;
  const title = links.find(({ path }) => path === active)?.label;
  const tabTitle = title && `${t(title)} · Mining Pool`;
  // First, whatever the page itself calls its tab then (`usePageTitle`).
  useLayoutEffect(() => {
    if (tabTitle) document.title = tabTitle;
  }, [tabTitle, pathname]);

  return (
    <ServicesProvider services={services}>
      <Suspense>
        <IdleFeatures
          links={links}
          remotes={remotes}
          carried={carriedSearch(search)}
          subAccounts={subAccounts}
          chooseAccount={selection.chooseAccount}
          onSignOut={onSignOut}
          logsExports={who.organizationId !== null && viewing === undefined}
        />
      </Suspense>
      <Layout
        {...selection}
        navigation={main}
        pickers={isShell ? [] : remote?.pickers}
        active={active}
        page={active ?? pathname}
        carried={carriedSearch(search)}
        demo={config.demo}
        supportEmail={config.supportEmail}
        person={person}
        place={who.place}
        userName={user.userName}
        subAccounts={subAccounts}
        organizations={who.organizations}
        organizationId={who.organizationId}
        actIn={actIn}
        picture={picture}
        onSignOut={onSignOut}
        banner={
          twoStepRequired && (
            <Banner>
              {t('shell.twoStepRequired')} <Link to={accountPath('security')}>{t('shell.twoStepSetUp')}</Link>
            </Banner>
          )
        }
      >
        {isShell ? (
          <ShellPage path={pathname} />
        ) : remote && isOfAccount && selection.missing !== null ? (
          <MessagePage title={t('ui.denied.title')} text={t('shell.accountMissing', { name: selection.missing })}>
            <Button onClick={() => selection.chooseAccount(account)}>{account}</Button>
          </MessagePage>
        ) : remote ? (
          <RemoteOutlet key={remote.name} manifest={remote} services={services} />
        ) : list.isPending ? (
          <OutletSkeleton />
        ) : list.error && !list.data ? (
          <NoAnswer title={t('shell.noAnswer')} text={t('shell.noAnswerText')} onRetry={() => void list.refetch()} />
        ) : pathname === '/' && home ? (
          <Navigate to={home} replace />
        ) : (
          <NotFound twoStepRequired={twoStepRequired} />
        )}
      </Layout>
    </ServicesProvider>
  );
}
