import { useTranslation, type Language } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useServices } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { Button, useFormat } from '@pool/shared/ui/core';
import { browserQuery, Problem, pushQuery, setBrowser, STOPPED, useFormMutation } from '@pool/shared/ui/form';
import styles from './first-run-page.module.css';

const ALERTS = ['alerts'];

/** One click to hear of machines that stop wherever it can be: by mail, and in this browser when its page is closed. */
export function TellStopped() {
  const { t, i18n } = useTranslation();
  const language = i18n.resolvedLanguage as Language;
  const { api } = useServices();
  const { list } = useFormat();
  const alerts = useQuery({ queryKey: ALERTS, queryFn: ({ signal }) => api('GET /alerts', { signal }) }).data;
  const { data: push, isPending: asksPool } = useQuery(pushQuery(api));
  const { data: browser, isPending: asksBrowser } = useQuery(browserQuery);
  const ownEvents = push?.subscriptions.find((each) => each.browser === browser?.name)?.events ?? [];
  const reads = [ALERTS, pushQuery(api).queryKey];
  const tell = useFormMutation({
    send: async () => {
      // First the browser, which asks only right after a click. What it refuses is shown as not chosen.
      if (push && browser?.can && !browser.denied)
        await setBrowser(api, push, language, [...new Set([...ownEvents, ...STOPPED])]).catch(() => undefined);
      await api('POST /alerts/stopped');
    },
    reads,
  });
  const undo = useFormMutation({
    send: async () => {
      const others = (events: typeof ownEvents) => events.filter((event) => !STOPPED.includes(event));
      if (alerts) await api('PUT /alerts', { body: { ...alerts, mailEvents: others(alerts.mailEvents) } });
      if (push && ownEvents.length > 0) await setBrowser(api, push, language, others(ownEvents));
    },
    reads,
    onDone: () => tell.reset(),
  });
  const places = ['Bell'];
  if (alerts?.mailEvents.includes('offline')) places.push('Mail');
  if (ownEvents.includes('offline')) places.push('Push');
  const isOn = places.length > 1;
  const done = isOn || tell.isSuccess;
  const where = list(places.map((place) => t(`dashboard.firstRun.tell${place}`)));
  return (
    <div className={styles.tell}>
      {done ? (
        <p role="status">
          {isOn ? t('dashboard.firstRun.told', { places: where }) : t('dashboard.firstRun.tellNowhere')}
        </p>
      ) : (
        <Button loading={tell.isPending} disabled={!alerts || asksPool || asksBrowser} onClick={() => tell.mutate()}>
          {t('dashboard.firstRun.tell')}
        </Button>
      )}
      {isOn && (
        <Button size="small" loading={undo.isPending} onClick={() => undo.mutate()}>
          {t('dashboard.firstRun.tellUndo')}
        </Button>
      )}
      {done && <Link to={accountPath('alerts')}>{t('dashboard.firstRun.tellMore')}</Link>}
      <Problem error={tell.error ?? undo.error} />
    </div>
  );
}
