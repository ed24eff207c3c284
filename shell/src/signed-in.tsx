import { pagesOf, type ApiClient, type PublicConfig, type RemoteManifest, type RemoteServices } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery, useQueryClient, type UseQueryResult } from '@pool/shared/query';
import { ServicesProvider } from '@pool/shared/remote';
import { Link, Navigate, useLocation } from '@pool/shared/router';
import { selectedZone } from '@pool/shared/selection';
import { accountPath, isShellPage } from '@pool/shared/shell-pages';
import { Button, Message } from '@pool/shared/ui/core';
import { lazy, Suspense, useLayoutEffect, useMemo, type ComponentType } from 'react';
import { useActIn } from './auth/use-act-in';
import type { IdleFeaturesProps } from './commands/idle-features';
import { whenPageShown } from './first-view/show';
import { Banner } from './layout/banner';
import { Layout } from './layout/layout';
import { NoAnswer } from './pages/no-answer';
import { NotFound } from './pages/not-found';
import { SHELL_NAV, ShellPage } from './pages/shell-page';
import { isOfAccount } from './remotes/one-account';
import { openSlot } from './remotes/open-slots';
import { OutletSkeleton } from './remotes/outlet-skeleton';
import { activePath, linksIn, navigation, remoteAt, remotesQuery } from './remotes/registry';
import { RemoteOutlet } from './remotes/remote-outlet';
import { report } from './report';
import { useSettingsStore } from './settings/settings-context';
import { carriedSearch } from './session/carried-params';
import { useSelection } from './session/selection';
import { useSameOrganization } from './session/use-same-organization';
import { useWho, type Who } from './session/use-who';

const RETRY_MS = 10_000;
/** Asked for until it comes: without it a page does not learn of what changes. */
const idleFeatures = (): Promise<{ default: ComponentType<IdleFeaturesProps> }> =>
  import(/* webpackChunkName: "idle" */ './commands/idle-features').catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return idleFeatures();
  });
/** Not in the first view. Loaded later, its code does not delay the page's own. */
const IdleFeatures = lazy(() => whenPageShown().then(idleFeatures));

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
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const actIn = useActIn();
  useSameOrganization(who.organizationId);
  const { user, ability, subAccounts, twoStepRequired } = who;
  const selection = useSelection(who.primary, subAccounts);
  const list = useQuery(remotesQuery(api, userId, config));
  const remotes = useMemo(() => list.data ?? [], [list.data]);
  const main = useMemo(() => navigation(remotes, SHELL_NAV, ability), [remotes, ability]);
  const remote = remoteAt(pathname, remotes, ability);
  const links = linksIn(main).filter(({ path, disabled }) => path[0] === '/' && !disabled);
  const active = activePath(pathname, links);
  const services = usePageServices({ api, userId, who, remotes, viewing, ...selection });
  const isShell = isShellPage(pathname, ability, remotes);
  useTabTitle(links.find(({ path }) => path === active)?.label, pathname);
  const carried = carriedSearch(search);
  return (
    <ServicesProvider services={services}>
      <Suspense>
        <IdleFeatures
          links={links}
          remotes={remotes}
          carried={carried}
          subAccounts={subAccounts}
          chooseAccount={selection.chooseAccount}
          onSignOut={onSignOut}
          logsExports={who.organizationId !== null && viewing === undefined}
        />
      </Suspense>
      <Layout
        {...who}
        {...selection}
        userName={user.userName}
        navigation={main}
        pickers={isShell ? [] : remote?.pickers}
        active={active}
        page={active ?? pathname}
        carried={carried}
        demo={config.demo}
        supportEmail={config.supportEmail}
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
        ) : (
          <RemotePage {...{ list, remote, selection, services, twoStepRequired }} home={links[0]?.path} />
        )}
      </Layout>
    </ServicesProvider>
  );
}

type Chosen = Pick<ReturnType<typeof useSelection>, 'account' | 'algorithm'>;
type ServicesOf = Pick<Props, 'api' | 'userId' | 'viewing'> & Chosen & { who: Who; remotes: readonly RemoteManifest[] };

/** What the shell gives to remotes and its own pages. */
function usePageServices({ api, userId, who, remotes, viewing, account, algorithm }: ServicesOf): RemoteServices {
  const { i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { settings: stored } = useSettingsStore();
  const timeZone = selectedZone(useLocation().search, stored.timeZone);
  const settings = useMemo(() => ({ ...stored, timeZone }), [stored, timeZone]);
  return useMemo(() => {
    const { ability, isLegacyUser } = who;
    const { userName } = who.user;
    const { email } = who.person;
    const accounts = who.subAccounts.map(({ name }) => name);
    const session = { userId, userName, email, isLegacyUser, account, accounts, algorithm, viewingAs: viewing };
    return { api, queryClient, ability, i18n, settings, pages: pagesOf(remotes, ability), openSlot, report, session };
  }, [api, queryClient, i18n, settings, who, remotes, userId, account, algorithm, viewing]);
}

/** First, whatever the page itself calls its tab then (`usePageTitle`). */
function useTabTitle(label: string | undefined, pathname: string): void {
  const { t } = useTranslation();
  const title = label && `${t(label)} · Mining Pool`;
  useLayoutEffect(() => {
    if (title) document.title = title;
  }, [title, pathname]);
}

type RemotePageProps = {
  list: UseQueryResult<unknown>;
  remote: ReturnType<typeof remoteAt>;
  selection: ReturnType<typeof useSelection>;
  services: RemoteServices;
  twoStepRequired: boolean;
  /** Where the address names no page. */
  home: string | undefined;
};

/** The remote that belongs to the address, or the message in its place: no account, no right, no page. */
function RemotePage({ list, remote, selection, services, twoStepRequired, home }: RemotePageProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { account, missing, chooseAccount } = selection;
  if (remote && isOfAccount(remote) && missing !== null)
    return (
      <Message title={t('ui.denied.title')} text={t('shell.accountMissing', { name: missing })}>
        <Button onClick={() => chooseAccount(account)}>{account}</Button>
      </Message>
    );
  if (remote) return <RemoteOutlet key={remote.name} manifest={remote} services={services} />;
  if (list.isPending) return <OutletSkeleton />;
  if (list.error && !list.data)
    return <NoAnswer title={t('shell.noAnswer')} text={t('shell.noAnswerText')} onRetry={() => void list.refetch()} />;
  if (pathname === '/' && home) return <Navigate to={home} replace />;
  return <NotFound twoStepRequired={twoStepRequired} />;
}
