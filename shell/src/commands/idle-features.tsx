import { allows, type NavEntry, type PoolAbility, type RemoteManifest, type SubAccount } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useAbility, useSession } from '@pool/shared/remote';
import { useNavigate } from '@pool/shared/router';
import { useEffect, useState } from 'react';
import { useAuthState } from '../auth';
import { useReporter } from '../client-errors/use-reporter';
import '../copied';
import { pressPaletteKey } from '../layout/bar/search-button';
import { useEscape } from '../layout/nav/use-escape';
import { TabAlarm } from '../live/tab-alarm';
import { useLiveEvents } from '../live/use-live-events';
import { useOtherTabs } from '../live/use-other-tabs';
import { prefetchRemotes } from '../remotes/prefetch/prefetch-remotes';
import { usePressRemote } from '../remotes/prefetch/use-press-remote';
import { Slots } from '../remotes/slots';
import { NewVersion } from '../service-worker/new-version';
import { carry } from '../session/carried-params';
import { useExportLog } from '../session/use-export-log';
import { useFreshTexts } from '../session/use-fresh-texts';
import { RecentSignInDialog } from '../pages/account/recent-sign-in-dialog';
import { useSettingsStore } from '../settings/settings-context';
import { useKeys } from './keys';

const Dialog = lazyPart('commands', () => import(/* webpackChunkName: "idle" */ './dialog'), null);

export type IdleFeaturesProps = {
  links: readonly NavEntry[];
  remotes: readonly RemoteManifest[];
  carried: string;
  subAccounts: readonly SubAccount[];
  chooseAccount(name: string): void;
  onSignOut?(): void;
  /** The user acts in an organization, whose log names what is downloaded. */
  logsExports: boolean;
};

type Shown = 'palette' | 'help';
export type DialogProps = IdleFeaturesProps & { shown: Shown; onShow(shown: Shown | null): void };

/** What a signed-in page has beside its first view: live events, the tab's alarm, parts in slots, shortcuts, the command palette, new versions, other tabs. */
export default function IdleFeatures(props: IdleFeaturesProps) {
  const navigate = useNavigate();
  const { settings, chosen, change } = useSettingsStore();
  const [shown, setShown] = useState<Shown | null>(null);
  const { links, carried, remotes } = props;
  const session = useSession();
  const { getToken } = useAuthState();
  const onPress = usePressRemote(session);
  // The stream of events is the admin's own: while others' pages are looked at, they are asked again.
  useLiveEvents(session.viewingAs === undefined ? getToken : null);
  useFreshTexts(useTranslation().i18n, remotes);
  const ability = useAbility<PoolAbility>();
  useEffect(
    () =>
      prefetchRemotes(
        remotes.filter(({ requires }) => allows(ability, requires)),
        onPress,
      ),
    [remotes, ability, onPress],
  );
  useKeys(chosen.singleKeys, (action) => {
    if (action.do === 'mode') change({ mode: settings.mode === 'dark' ? 'light' : 'dark' });
    else if (action.do === 'page') {
      const path = links[action.index]?.path;
      if (path) void navigate(carry<string>(path, carried) as string);
    } else setShown(action.do);
  });
  useEffect(() => {
    const { dataset } = document.documentElement;
    // The key was pressed before it was answered here (boot-inline.ts): it is pressed again.
    const isWanted = dataset.palette === 'wanted';
    dataset.palette = 'ready';
    if (isWanted) pressPaletteKey();
  }, []);
  useReporter();
  useExportLog(props.logsExports);
  useOtherTabs();
  useEscape();
  return (
    <>
      <TabAlarm />
      <RecentSignInDialog />
      <Slots remotes={remotes} />
      <NewVersion remotes={remotes} />
      {shown && <Dialog {...props} shown={shown} onShow={setShown} />}
    </>
  );
}
