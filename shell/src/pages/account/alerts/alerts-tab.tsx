import { allows, type PoolAbility } from '@pool/shared';
import type { AlertSetting, TelegramEvent } from '@pool/shared/api/contract';
import { TELEGRAM_EVENTS } from '@pool/shared/domain';
import { useTranslation, type Language } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useAbility, useApi } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { ACCOUNT_TABS, accountPath, type AccountTab } from '@pool/shared/shell-pages';
import { Button, Panel, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import {
  browserQuery,
  Checkbox,
  Problem,
  pushQuery,
  setBrowser,
  STOPPED,
  useFormMutation,
  useMayEdit,
} from '@pool/shared/ui/form';
import { PlainTable } from '@pool/shared/ui/table';
import { Fragment, type ReactNode } from 'react';
import { useAuthContext } from '../../../auth/auth-provider';
import { chatName, connectionsQuery } from '../telegram/queries';
import { hooksQuery } from '../webhooks/queries';
import { AccountLimits } from './account-limits';
import { alertsQuery } from './queries';
import { QuietHours } from './quiet-hours';
import common from '@pool/shared/ui/common.module.css';

/** A place that chosen events are told at. `fixed`: told there whatever is chosen. `set` is absent, and `note` says why, where nothing can be chosen. */
type Channel = {
  key: string;
  title: ReactNode;
  name: string;
  events: readonly TelegramEvent[];
  fixed?: readonly TelegramEvent[];
  set?(events: TelegramEvent[]): Promise<unknown>;
  note?: string;
};

/** What the user hears of, and where. */
export default function AlertsTab() {
  const alerts = useQuery(alertsQuery(useApi()));
  const { t } = useTranslation();
  if (!alerts.data)
    return (
      <Panel title={t('account.alerts.what')}>
        <QueryState query={alerts}>
          <SkeletonRows rows={8} />
        </QueryState>
      </Panel>
    );
  return (
    <>
      <Channels setting={alerts.data} />
      <AccountLimits />
      <QuietHours setting={alerts.data} />
    </>
  );
}

/** The channel of this browser; empty where it cannot show notifications of closed pages, or the pool sends none. */
function useBrowser(): Channel[] {
  const { t, i18n } = useTranslation();
  const api = useApi();
  const mayEdit = useMayEdit('person');
  const push = useQuery({ ...pushQuery(api), enabled: mayEdit });
  const browser = useQuery({ ...browserQuery, enabled: mayEdit });
  if (!push.data?.publicKey || !browser.data?.can) return [];
  const { data } = push;
  const { name: own, denied } = browser.data;
  const name = t('account.push.browser');
  const set = (events: TelegramEvent[]) => setBrowser(api, data, i18n.resolvedLanguage as Language, events);
  const events = data.subscriptions.find((each) => each.browser === own)?.events ?? [];
  return [{ key: 'push', title: name, name, events, ...(denied ? { note: t('account.push.denied') } : { set }) }];
}

const ofTab = (tab: AccountTab, name: string): Pick<Channel, 'name' | 'title'> => ({
  name,
  title: (
    <Link to={accountPath(tab)}>
      <bdi>{name}</bdi>
    </Link>
  ),
});

function useChannels(setting: AlertSetting): Channel[] {
  const { t } = useTranslation();
  const browser = useBrowser();
  const api = useApi();
  const ability = useAbility();
  const hooks = useQuery({ ...hooksQuery(api), enabled: ability.can('read', 'webhooks') });
  const chats = useQuery({ ...connectionsQuery(api), enabled: ability.can('read', 'telegram') });
  const { sendsMail } = useAuthContext().config;
  return [
    ...(sendsMail
      ? [
          {
            key: 'mail',
            title: t('account.email'),
            name: t('account.email'),
            events: setting.mailEvents,
            fixed: ['wallet', 'sign_in'] as const,
            set: (mailEvents: TelegramEvent[]) => api('PUT /alerts', { body: { ...setting, mailEvents } }),
          },
        ]
      : []),
    ...browser,
    ...(chats.data ?? [])
      .filter(({ status }) => status === 'linked')
      .map(({ id, username, events }) => ({
        key: `chat ${id}`,
        ...ofTab('telegram', username === null ? t('account.tab.telegram') : chatName(username)),
        events,
        set: (chosen: TelegramEvent[]) => api('PUT /telegram/{id}', { params: { id }, body: { events: chosen } }),
      })),
    ...(hooks.data ?? []).map(({ id, url, events }) => ({
      key: `hook ${id}`,
      ...ofTab('api-keys', new URL(url).host),
      events,
      set: (chosen: TelegramEvent[]) => api('PUT /webhooks/{id}', { params: { id }, body: { url, events: chosen } }),
    })),
  ];
}

/** Where channels are made. */
const MORE = ['api-keys', 'telegram'] as const;

function Channels({ setting }: { setting: AlertSetting }) {
  const { t } = useTranslation();
  const api = useApi();
  const mayEdit = useMayEdit('person');
  const ability = useAbility<PoolAbility>();
  const more = MORE.filter((tab) => allows(ability, ACCOUNT_TABS[tab]));
  const channels = useChannels(setting);
  const change = useFormMutation({
    send: (_, { channel, events }: { channel: Channel; events: TelegramEvent[] }) =>
      channel.set?.(events) ?? Promise.resolve(),
    reads: [
      alertsQuery(api).queryKey,
      connectionsQuery(api).queryKey,
      hooksQuery(api).queryKey,
      pushQuery(api).queryKey,
    ],
  });
  const offered = channels.filter(({ set }) => set);
  // A browser needs nothing but the user's word; mail needs a confirmed address.
  const best = offered.find(({ key }) => key === 'push') ?? offered[0];
  const hears = offered.some(({ events }) => events.includes('offline'));
  const eventsOf = (channel: Channel) =>
    change.isPending && change.variables.channel.key === channel.key ? change.variables.events : channel.events;
  return (
    <Panel stacked title={t('account.alerts.what')}>
      {mayEdit && best && !hears && (
        <div>
          <Button
            type="primary"
            loading={change.isPending}
            onClick={() =>
              change.mutate({
                channel: best,
                events: TELEGRAM_EVENTS.filter((event) => STOPPED.includes(event) || best.events.includes(event)),
              })
            }
          >
            {t('account.alerts.tell', { channel: best.name })}
          </Button>
        </div>
      )}
      {offered.length > 0 && (
        <PlainTable
          label={t('account.alerts.what')}
          rows={TELEGRAM_EVENTS}
          rowKey={(event) => event}
          columns={[
            {
              key: 'event',
              title: t('account.alerts.event'),
              render: (event) => t(`account.telegram.event.${event}`),
            },
            ...offered.map((channel) => ({
              key: channel.key,
              title: channel.title,
              render: (event: TelegramEvent) => {
                const isFixed = channel.fixed?.includes(event) ?? false;
                const events = eventsOf(channel);
                return (
                  <Checkbox
                    aria-label={`${channel.name}: ${t(`account.telegram.event.${event}`)}`}
                    disabled={!mayEdit || isFixed}
                    checked={isFixed || events.includes(event)}
                    onChange={({ target }) =>
                      change.mutate({
                        channel,
                        events: TELEGRAM_EVENTS.filter((each) =>
                          each === event ? target.checked : events.includes(each),
                        ),
                      })
                    }
                  />
                );
              },
            })),
          ]}
        />
      )}
      <Problem error={change.error} />
      {channels.map(({ key, note }) => note && <p key={key}>{note}</p>)}
      {mayEdit && !best && more.length > 0 && (
        <p className={common.hint}>
          {t('account.alerts.left')}{' '}
          {more.map((tab, index) => (
            <Fragment key={tab}>
              {index > 0 && ', '}
              <Link to={accountPath(tab)}>{t(`account.tab.${tab}`)}</Link>
            </Fragment>
          ))}
        </p>
      )}
      <p className={common.hint}>
        {t('account.alerts.bell')} {t('account.alerts.security')}
      </p>
    </Panel>
  );
}
