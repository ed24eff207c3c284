import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { Button, Chip, DASH, ErrorPanel, TimeAgo, useConfirm, useToasts } from '@pool/shared/ui/core';
import { QueryTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useIdentity, type SignedInDevice } from '../../../auth';
import common from '@pool/shared/ui/common.module.css';
import { tableOf, ListSection } from '../parts';

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

/** The browsers that are signed in, this one first. */
export function Sessions() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const queryClient = useQueryClient();
  const toasts = useToasts();
  const confirm = useConfirm();
  const devices = useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const all = await (await identity()).devices();
      return all.sort((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt - a.lastSeenAt);
    },
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (ids: string[]) => {
      const { signOutDevice } = await identity();
      for (const id of ids) await signOutDevice(id);
      return ids.length;
    },
    onSuccess: (count) => toasts.success(t('account.sessions.ended', { count })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
  const others = devices.data?.filter(({ current }) => !current) ?? [];
  const groups = useMemo(() => grouped(devices.data ?? []), [devices.data]);
  const columns = useColumns(mutate, isPending);
  return (
    <ListSection
      title={t('account.sessions.title')}
      extra={
        others.length > 0 && (
          <Button
            size="small"
            loading={isPending}
            onClick={() =>
              confirm({
                title: t('account.sessions.endOthersTitle', { count: others.length }),
                okText: t('account.sessions.endOthers'),
                onOk: () => mutate(others.map(({ id }) => id)),
              })
            }
          >
            {t('account.sessions.endOthers')}
          </Button>
        )
      }
    >
      {error && <ErrorPanel error={error} />}
      <QueryTable
        query={{ ...devices, data: devices.data && groups }}
        label={t('account.sessions.title')}
        {...tableOf(columns)}
        empty={null}
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

type EndProps = { row: Group; end(ids: string[]): void; disabled: boolean };
function End({ row, end, disabled }: EndProps) {
  const { t } = useTranslation();
  if (row.current) return null;
  return (
    <Button
      size="small"
      disabled={disabled}
      aria-label={`${t('account.sessions.end')}: ${row.browser} ${row.device}`}
      onClick={() => end(row.ids)}
    >
      {t('account.sessions.end')}
    </Button>
  );
}

function useColumns(end: EndProps['end'], disabled: boolean): DataColumn<Group>[] {
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
        render: (row) => <End row={row} end={end} disabled={disabled} />,
      },
    ];
  }, [t, end, disabled]);
}
