import type { AlertSetting } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { Button, Panel } from '@pool/shared/ui/core';
import { Problem, TextField, useFormMutation, useMayEdit } from '@pool/shared/ui/form';
import { useState } from 'react';
import styles from '../form.module.css';
import { alertsQuery } from './queries';

const NIGHT = { from: 22 * 60, to: 7 * 60 };
const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
/** Null: it is not whole yet. */
const minuteOf = (text: string): number | null => {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
};

/** Hours in which alerts wait, in the time zone of the browser that set them. */
export function QuietHours({ setting }: { setting: AlertSetting }) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit();
  const reads = [alertsQuery(useApi()).queryKey];
  const { quiet } = setting;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [from, setFrom] = useState(clock((quiet ?? NIGHT).from));
  const [to, setTo] = useState(clock((quiet ?? NIGHT).to));
  const save = useFormMutation({
    send: (api, next: AlertSetting['quiet']) => api('PUT /alerts', { body: { ...setting, quiet: next } }),
    said: ({ quiet: now }) => t(now ? 'account.quiet.saved' : 'account.quiet.ended'),
    reads,
  });
  const [start, end] = [minuteOf(from), minuteOf(to)];
  return (
    <Panel title={t('account.quiet.title')}>
      <div className={styles.stack}>
        <p className={styles.hint}>{t('account.quiet.what')}</p>
        <p>
          {quiet
            ? t('account.quiet.now', { from: clock(quiet.from), to: clock(quiet.to), zone: quiet.timeZone })
            : t('account.quiet.none')}
        </p>
        {mayEdit && (
          <form
            className={styles.filters}
            onSubmit={(event) => {
              event.preventDefault();
              if (start !== null && end !== null) save.mutate({ from: start, to: end, timeZone: here });
            }}
          >
            <TextField label={t('account.quiet.from')} type="time" required value={from} onChange={setFrom} />
            <TextField label={t('account.quiet.to')} type="time" required value={to} onChange={setTo} />
            <Button
              htmlType="submit"
              loading={save.isPending}
              disabled={start === null || end === null || start === end}
            >
              {t('account.save')}
            </Button>
            {quiet && (
              <Button type="text" onClick={() => save.mutate(null)}>
                {t('account.quiet.end')}
              </Button>
            )}
          </form>
        )}
        <Problem error={save.error} />
      </div>
    </Panel>
  );
}
