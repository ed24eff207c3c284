import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { Chip, DASH, TimeAgo } from '@pool/shared/ui/core';
import { ActionButton } from '@pool/shared/ui/form';
import { QueryTable, idOf, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useIdentity, type SignedInDevice } from '../../../auth';
import common from '@pool/shared/ui/common.module.css';
import { ListSection } from '../parts';

const KEY = ['devices'];
/** The newest session of a browser on a device, with the ids of all of them. */
type Group = SignedInDevice & { ids: string[] };
/** Sessions of the same browser and device are one row; this one is by itself. `devices`: the newest first. */
function grouped(devices: readonly SignedInDevice[]): Group[] {
  const groups = new Map<string, Group>();
  for (const one of devices) {
    const key = one.current ? one.id : `${one.browser}/${one.device}`;
    const group = groups.get(key);
    if (group) group.ids.push(one.id);
    else groups.set(key, { ...one, ids: [one.id] });
  }
  return [...groups.values()];
}

/** A button that ends sessions. `of`: their device. */
function End({
  ids,
  text,
  ...button
}: {
  ids: readonly string[];
  text: string;
  of?: string;
  question?: { title: string };
}) {
  const { t } = useTranslation();
  const identity = useIdentity();
  return (
    <ActionButton
      {...button}
      size="small"
      text={text}
      send={async () => {
        const { signOutDevice } = await identity();
        for (const id of ids) await signOutDevice(id);
      }}
      said={() => t('account.sessions.ended', { count: ids.length })}
      reads={[KEY]}
    />
  );
}

/** The browsers that are signed in, this one first. */
export function Sessions() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const devices = useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const all = await (await identity()).devices();
      return all.sort((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt - a.lastSeenAt);
    },
  });
  const others = devices.data?.filter(({ current }) => !current) ?? [];
  const groups = useMemo(() => grouped(devices.data ?? []), [devices.data]);
  const columns = useColumns();
  return (
    <ListSection
      title={t('account.sessions.title')}
      extra={
        others.length > 0 && (
          <End
            ids={others.map(({ id }) => id)}
            text={t('account.sessions.endOthers')}
            question={{ title: t('account.sessions.endOthersTitle', { count: others.length }) }}
          />
        )
      }
    >
      <QueryTable
        query={{ ...devices, data: devices.data && groups }}
        label={t('account.sessions.title')}
        columns={columns}
        rowKey={idOf}
      />
    </ListSection>
  );
}

function Device({ row: { browser, device, current, ids } }: { row: Group }) {
  const { t } = useTranslation();
  const name = [browser, device].filter(Boolean).join(' · ');
  return (
    <span>
      <bdi className={common.strong}>{name || t('account.sessions.unknown')}</bdi>{' '}
      {current && <Chip>{t('account.sessions.this')}</Chip>}
      {ids.length > 1 && <span className={common.quiet}>{t('account.sessions.count', { count: ids.length })}</span>}
    </span>
  );
}

function useColumns(): DataColumn<Group>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`account.sessions.${key}`) });
    return [
      { ...title('device'), width: 260, names: true, render: (row) => <Device row={row} /> },
      { ...title('address'), width: 160, render: (row) => row.address ?? DASH },
      { ...title('seen'), width: 130, render: (row) => <TimeAgo at={row.lastSeenAt} /> },
      {
        key: 'actions',
        title: t('account.actions'),
        width: 130,
        render: ({ current, ids, browser, device }) =>
          !current && <End ids={ids} text={t('account.sessions.end')} of={`${browser} ${device}`} />,
      },
    ];
  }, [t]);
}
