import { hashrateUnit, unitLabel, unitScale, type AlgorithmName, type HashrateUnit } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Field, Select } from '@pool/shared/ui/form';
import { useState } from 'react';
import styles from './calculator.module.css';
import { machinesOf } from '@pool/shared/machines';
import common from '@pool/shared/ui/common.module.css';
import { MACHINE_PARAMS } from './inputs';
import { NumberField } from './number-field';
import type { Machine } from './profit';

const UNITS: HashrateUnit[] = ['K', 'M', 'G', 'T', 'P', 'E'];
const OWN = '';

type Change = Partial<Record<keyof Machine, number | null>>;
type Props = { algorithm: AlgorithmName; machine: Machine; onChange(change: Change): void };

/** A machine: one of the list, or figures of one's own. */
export function MachineForm({ algorithm, machine, onChange }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<HashrateUnit | null>(null);
  const unit = chosen ?? hashrateUnit(machine.hashrate);
  const known = machinesOf(algorithm);
  const preset = known.find(({ hashrate, watts }) => hashrate === machine.hashrate && watts === machine.watts);
  const scaled = Number((machine.hashrate / unitScale(unit)).toPrecision(12));
  return (
    <div className={common.stack}>
      <Field label={t('calculator.machine')} hint={preset && <bdi>{preset.source}</bdi>}>
        {(wiring) => (
          <Select
            {...wiring}
            value={preset?.name ?? OWN}
            options={[
              ...known.map(({ name }) => ({ value: name, label: name })),
              { value: OWN, label: t('calculator.own') },
            ]}
            onChange={(name) => {
              const wanted = known.find((each) => each.name === name);
              setChosen(null);
              if (wanted) onChange({ hashrate: wanted.hashrate, watts: wanted.watts });
            }}
          />
        )}
      </Field>
      <div className={styles.withUnit}>
        <NumberField
          label={t('calculator.hashrate')}
          value={scaled}
          unit=""
          onChange={(value) => onChange({ hashrate: value === null ? null : value * unitScale(unit) })}
        />
        <Select
          aria-label={t('calculator.unit')}
          value={unit}
          options={UNITS.map((each) => ({ value: each, label: unitLabel(each) }))}
          onChange={(next) => {
            setChosen(next);
            onChange({ hashrate: scaled * unitScale(next) });
          }}
        />
      </div>
      <NumberField
        label={t('calculator.power')}
        value={machine.watts}
        unit="W"
        onChange={(watts) => onChange({ watts })}
      />
      <NumberField label={t('calculator.cost')} value={machine.cost} unit="$" onChange={(cost) => onChange({ cost })} />
    </div>
  );
}

/** The change as parameters of the address; null removes one. */
export const machineParams = (change: Change, suffix: string): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [MACHINE_PARAMS[name as keyof Machine] + suffix, value]),
  );
