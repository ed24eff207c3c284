import type { WorkerGroup } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility } from '@pool/shared/remote';
import { NumberField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useChangeGroup } from '../../api/worker-groups';

type Props = { group: WorkerGroup; onClose(): void };

/** Below which part of its week a group is told of; for who sees money also what its power costs. */
export function SettingsDialog({ group: { name, limit = null, power = null }, onClose }: Props) {
  const { t } = useTranslation();
  const save = useChangeGroup();
  const seesMoney = useAbility().can('read', 'payments');
  const [percent, setPercent] = useState(limit === null ? null : Math.round(limit * 100));
  const [usdPerKwh, setPrice] = useState(power?.usdPerKwh ?? null);
  const [kilowatts, setKilowatts] = useState(power?.kilowatts ?? null);
  const [asked, setAsked] = useState(false);
  const isPriceless = usdPerKwh === null && kilowatts !== null;
  const submit = () => {
    setAsked(true);
    if (isPriceless) return;
    const change = {
      limit: percent === null ? null : percent / 100,
      ...(seesMoney && { power: usdPerKwh === null ? null : { usdPerKwh, kilowatts } }),
    };
    save.mutate({ name, change }, { onSuccess: onClose });
  };
  return (
    <FormDialog title={name} okText={t('workers.groups.save')} change={save} onSubmit={submit} onCancel={onClose}>
      <NumberField
        label={t('workers.groups.limitLabel')}
        hint={t('workers.groups.limitHint')}
        isWhole
        min={1}
        max={100}
        value={percent}
        onChange={setPercent}
      />
      {seesMoney && (
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
