import type { WorkerGroup } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility } from '@pool/shared/remote';
import { NumberField, TextField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useChangeGroup, useMakeGroup } from '../../api/worker-groups';

type Props = {
  /** Left out: a new one. */
  group?: WorkerGroup | undefined;
  /** The account that a new group is made in; left out: the selected one. */
  subAccountId?: number | undefined;
  /** Called with the name that the group now has. */
  onDone?(name: string): void;
  onClose(): void;
};

/** Name of a group; below which part of its week it is told of; for who sees money, what its power costs. */
export function GroupDialog({ group, subAccountId, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const make = useMakeGroup();
  const save = useChangeGroup();
  const seesMoney = useAbility().can('read', 'payments');
  const [typed, setTyped] = useState(group?.name ?? '');
  const [percent, setPercent] = useState(typeof group?.limit === 'number' ? Math.round(group.limit * 100) : null);
  const [usdPerKwh, setPrice] = useState(group?.power?.usdPerKwh ?? null);
  const [kilowatts, setKilowatts] = useState(group?.power?.kilowatts ?? null);
  const [asked, setAsked] = useState(false);
  const name = typed.trim();
  const isPriceless = usdPerKwh === null && kilowatts !== null;
  const submit = () => {
    setAsked(true);
    if (!name || isPriceless) return;
    const onSuccess = () => {
      onDone?.(name);
      onClose();
    };
    const power = usdPerKwh === null ? null : { usdPerKwh, kilowatts };
    const change = { name, limit: percent === null ? null : percent / 100, ...(seesMoney && { power }) };
    if (group) save.mutate({ name: group.name, change }, { onSuccess });
    else make.mutate({ name, of: subAccountId }, { onSuccess });
  };
  return (
    <FormDialog
      title={group?.name ?? t('workers.groups.new')}
      okText={t(group ? 'workers.groups.save' : 'workers.groups.make')}
      change={group ? save : make}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        label={t('workers.groups.name')}
        error={asked && !name && t('workers.groups.nameNeeded')}
        maxLength={64}
        value={typed}
        onChange={setTyped}
      />
      {group && (
        <NumberField
          label={t('workers.groups.limitLabel')}
          hint={t('workers.groups.limitHint')}
          isWhole
          min={1}
          max={100}
          value={percent}
          onChange={setPercent}
        />
      )}
      {group && seesMoney && (
        <>
          <NumberField
            label={t('workers.groups.price')}
            error={asked && isPriceless && t('workers.groups.priceNeeded')}
            controls={false}
            min={0}
            max={10}
            value={usdPerKwh}
            onChange={setPrice}
          />
          <NumberField
            label={t('workers.groups.kilowatts')}
            hint={t('workers.groups.kilowattsHint')}
            controls={false}
            min={0.001}
            max={1_000_000}
            value={kilowatts}
            onChange={setKilowatts}
          />
        </>
      )}
    </FormDialog>
  );
}
