import type { AlertSetting } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { Button, Panel } from '@pool/shared/ui/core';
import { Form, NumberField, Problem, SelectField, useFormMutation, useMayEdit } from '@pool/shared/ui/form';
import { useState } from 'react';
import { tried } from '../../../tried';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { alertsQuery } from './queries';

const NIGHT = { from: 22 * 60, to: 7 * 60, unless: { workers: null, percent: null, hashrate: null } };
type Hours = Omit<NonNullable<AlertSetting['quiet']>, 'timeZone'>;
/** Sizes from which it is told all the same, in what a person counts them. */
const SIZES = [
  ['workers', 1],
  ['percent', 1],
  ['hashrate', 1e15],
] as const;
const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
/** Every half hour, and what a program has set. A browser's own field may show 12 hours in a page that has 24. */
const optionsWith = (minute: number): { value: number; label: string }[] =>
  [...new Set([...Array.from({ length: 48 }, (_, half) => half * 30), minute])]
    .sort((a, b) => a - b)
    .map((value) => ({ value, label: clock(value) }));

/** A browser that does not know its zone says `Etc/Unknown`, which the server refuses: its hours are those of UTC. */
function zoneOfBrowser(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return tried(() => Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone) ?? 'UTC';
}

/** Hours in which alerts wait, in the time zone of the browser that set them. */
export function QuietHours({ setting }: { setting: AlertSetting }) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('person');
  const reads = [alertsQuery(useApi()).queryKey];
  const { quiet } = setting;
  const [hours, setHours] = useState<Hours>(quiet ?? NIGHT);
  const unless = { ...NIGHT.unless, ...hours.unless };
  const save = useFormMutation({
    send: (api, next: AlertSetting['quiet']) => api('PUT /alerts', { body: { ...setting, quiet: next } }),
    said: ({ quiet: now }) => t(now ? 'account.quiet.saved' : 'account.quiet.ended'),
    reads,
  });
  return (
    <Panel stacked title={t('account.quiet.title')}>
      <p className={common.hint}>{t('account.quiet.what')}</p>
      <p>
        {quiet
          ? t('account.quiet.now', { from: clock(quiet.from), to: clock(quiet.to), zone: quiet.timeZone })
          : t('account.quiet.none')}
      </p>
      {mayEdit && (
        <Form className={common.stack} onSubmit={() => save.mutate({ ...hours, unless, timeZone: zoneOfBrowser() })}>
          <div className={styles.filters}>
            {(['from', 'to'] as const).map((end) => (
              <SelectField
                key={end}
                className={styles.time}
                label={t(`account.quiet.${end}`)}
                value={hours[end]}
                onChange={(minute) => setHours({ ...hours, [end]: minute })}
                options={optionsWith(hours[end])}
              />
            ))}
          </div>
          <p className={common.hint}>{t('account.quiet.unless')}</p>
          <div className={styles.filters}>
            {SIZES.map(([size, unit]) => (
              <NumberField
                key={size}
                className={styles.time}
                label={t(`account.quiet.${size}`)}
                min={0}
                value={unless[size] === null ? null : unless[size] / unit}
                onChange={(value) => setHours({ ...hours, unless: { ...unless, [size]: value ? value * unit : null } })}
              />
            ))}
          </div>
          <div className={common.buttons}>
            <Button htmlType="submit" loading={save.isPending} disabled={hours.from === hours.to}>
              {t('account.save')}
            </Button>
            {quiet && (
              <Button type="text" onClick={() => save.mutate(null)}>
                {t('account.quiet.end')}
              </Button>
            )}
          </div>
        </Form>
      )}
      <Problem error={save.error} />
    </Panel>
  );
}
