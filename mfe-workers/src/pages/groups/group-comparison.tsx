import { useTranslation } from '@pool/shared/i18n';
import { Panel, WidgetBoundary, X } from '@pool/shared/ui/core';
import { SelectField } from '@pool/shared/ui/form';
import { ComparisonChart } from '../workers/inspector/comparison-chart';
import { IconButton } from '../workers/inspector/side';
import { COMPARABLE } from '../workers/use-opened';
import styles from './groups-page.module.css';
import type { Comparable } from './use-comparable';

type Props = {
  all: readonly Comparable[];
  chosen: readonly Comparable[];
  onChoose(keys: readonly string[]): void;
  onClose(): void;
};

/** Hashrates of groups of the account, and of the user's accounts, on one chart. */
export function GroupComparison({ all, chosen, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const kinds = (['group', 'account'] as const).map((kind) => ({
    label: t(`workers.compare.${kind}`),
    options: all.filter(({ whose }) => kind in whose).map(({ key, name }) => ({ value: key, label: name })),
  }));
  return (
    <Panel
      className={styles.comparison}
      title={t('workers.compare.groups')}
      extra={
        <IconButton name={t('workers.close')} onClick={onClose}>
          <X />
        </IconButton>
      }
    >
      <SelectField<string[]>
        label={t('workers.compare.which')}
        mode="multiple"
        maxCount={COMPARABLE.most}
        value={chosen.map(({ key }) => key)}
        options={kinds.filter(({ options }) => options.length > 0)}
        onChange={onChoose}
      />
      {chosen.length >= COMPARABLE.least && (
        <WidgetBoundary>
          <ComparisonChart lines={chosen} />
        </WidgetBoundary>
      )}
    </Panel>
  );
}
