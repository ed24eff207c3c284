import type { SubAccountPoolConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, ChevronDown, ChevronUp, Dropdown, useConfirm } from '@pool/shared/ui/core';
import { Ellipsis, FlaskConical, Pencil, Trash2 } from '@pool/shared/ui/icons';

type Props = {
  pool: SubAccountPoolConfig;
  index: number;
  count: number;
  onMove(from: number, to: number): void;
  onTest(): void;
  onEdit(): void;
  onTakeOut(): void;
};

/** What can be done with a pool of a list; moving it needs no drag. */
export function PoolMenu({ pool, index, count, onMove, onTest, onEdit, onTakeOut }: Props) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const remove = () =>
    confirm({
      title: t('workers.pools.takeOutTitle', { name: pool.name }),
      content: t(pool.state === 'active' ? 'workers.pools.takeOutActive' : 'workers.pools.takeOutWhat'),
      okText: t('workers.pools.takeOut'),
      onOk: onTakeOut,
    });
  return (
    <Dropdown
      placement="bottomRight"
      menu={{
        items: [
          {
            key: 'up',
            icon: <ChevronUp />,
            label: t('workers.pools.up'),
            disabled: index === 0,
            onClick: () => onMove(index, index - 1),
          },
          {
            key: 'down',
            icon: <ChevronDown />,
            label: t('workers.pools.down'),
            disabled: index === count - 1,
            onClick: () => onMove(index, index + 1),
          },
          { type: 'divider' },
          { key: 'test', icon: <FlaskConical />, label: t('workers.pools.test'), onClick: onTest },
          { key: 'edit', icon: <Pencil />, label: t('workers.pools.edit'), onClick: onEdit },
          { type: 'divider' },
          { key: 'out', icon: <Trash2 />, label: t('workers.pools.takeOutMore'), onClick: remove },
        ],
      }}
    >
      <Button type="text" icon={<Ellipsis />} aria-label={t('workers.pools.menu', { name: pool.name })} />
    </Dropdown>
  );
}
