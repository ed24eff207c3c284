import type { CallOptions, WorkerState } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQueryClient } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import { useNavigate } from '@pool/shared/router';
import { Button, ChevronDown, Dropdown, useToasts } from '@pool/shared/ui/core';
import { useQuietChoices } from '@pool/shared/ui/waiting';
import { useWorkersPath } from './workers-link';
import styles from './trouble-menu.module.css';

type Props = { state: WorkerState; group: string | undefined };
type Bulk = NonNullable<CallOptions<'POST /workers/bulk'>['body']>;

/** What can be done about all workers of a state at once. */
export function TroubleMenu({ state, group }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const { api, session } = useServices();
  const path = useWorkersPath({ state, group });
  const change = async (body: Bulk) => {
    await api('POST /workers/bulk', { body });
    await queryClient.invalidateQueries({ queryKey: ['workers'] });
  };
  const failed = () => toasts.error(t('dashboard.trouble.failed'));
  const mute = async (until?: number | null) => {
    const { account: userName, algorithm } = session;
    const { workers } = await api('GET /liveWorkers/', { query: { userName, algorithm, state, group } });
    const ids = workers.filter(({ muted }) => !muted).map(({ id }) => id);
    if (ids.length > 0) await change({ action: 'mute', ids, until });
    const undo = {
      label: t('dashboard.trouble.undo'),
      onClick: () => void change({ action: 'unmute', ids }).catch(failed),
    };
    toasts.success(t('dashboard.trouble.muted', { count: ids.length }), ids.length > 0 ? undo : undefined);
  };
  const quiet = useQuietChoices((until) => void mute(until).catch(failed));
  const label = t('dashboard.trouble.menu', { state: t(`ui.state.${state}`) });
  return (
    <Dropdown
      placement="bottomRight"
      menu={{
        items: [
          ...(path === undefined
            ? []
            : [{ key: 'show', label: t('dashboard.trouble.show'), onClick: () => void navigate(path) }]),
          ...quiet,
          { key: 'mute', label: t('dashboard.trouble.mute'), onClick: () => void mute().catch(failed) },
        ],
      }}
    >
      <Button
        type="text"
        size="small"
        className={styles.menu}
        aria-label={label}
        title={label}
        icon={<ChevronDown />}
      />
    </Dropdown>
  );
}
