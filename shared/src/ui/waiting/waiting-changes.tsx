import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { WaitingChange } from '../../api/contract/waiting';
import { useApi } from '../../react/services';
import { Chip, Panel, useFormat } from '../core';
import { ActionButton, pageHeading } from '../form';
import common from '../common.module.css';
import { BeforeAfter, Name } from './before-after';
import styles from './waiting.module.css';

/** `kinds`: those that the page is about; left out: all. `onLink`: gets the link of an invitation, shown this once. */
export type WaitingChangesProps = { kinds?: readonly WaitingChange['kind'][]; onLink?(link: string): void };

/** Changes that wait for another person or for a time, where the caller acts; nothing while none does. */
export function WaitingChanges({ kinds, onLink }: WaitingChangesProps) {
  const { t } = useTranslation();
  const api = useApi();
  const query = useQuery({ queryKey: ['waiting'], queryFn: ({ signal }) => api('GET /waiting', { signal }) });
  const changes = query.data?.changes.filter(({ kind }) => !kinds || kinds.includes(kind)) ?? [];
  if (changes.length === 0) return null;
  return (
    <Panel title={t('waiting.title')}>
      <ul className={common.stack}>
        {changes.map((change) => (
          <li key={change.id} className={styles.change}>
            <Change change={change} />
            <Decision change={change} onLink={onLink} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Change({ change: { kind, by, own, until, waitsFor, shown } }: { change: WaitingChange }) {
  const { t } = useTranslation();
  const { dayClock } = useFormat();
  return (
    <div className={common.stack}>
      <div>
        <span className={common.strong}>{t(`waiting.kind.${kind}`)}</span> {own && <Chip>{t('waiting.own')}</Chip>}
        {[shown.account, shown.name].map(
          (text, place) =>
            text !== undefined && (
              <div key={place}>
                <Name text={text} />
              </div>
            ),
        )}
        <div className={common.quiet}>
          {by !== null && <span>{t('waiting.asks', { name: by })}</span>}{' '}
          <span>{t(waitsFor === 'time' ? 'waiting.inForce' : 'waiting.until', { time: dayClock(until) })}</span>
        </div>
      </div>
      <BeforeAfter before={shown.before} after={shown.after} />
    </div>
  );
}

/** What it changes is not known here: all that the page shows is read again. */
const ALL = [[]];

function Decision({ change, onLink }: { change: WaitingChange; onLink: WaitingChangesProps['onLink'] }) {
  const { t } = useTranslation();
  const { id, kind, own, mayConfirm, mayEnd } = change;
  const name = t(`waiting.kind.${kind}`);
  const shared = { of: name, reads: ALL, focus: pageHeading };
  return (
    <div className={common.buttons}>
      {mayConfirm && (
        <ActionButton
          {...shared}
          type="primary"
          text={t('waiting.confirm')}
          send={(api) => api('POST /waiting/{id}', { params: { id } })}
          said={() => t('waiting.confirmed')}
          onDone={({ link }) => link !== null && onLink?.(link)}
        />
      )}
      {mayEnd && (
        <ActionButton
          {...shared}
          text={t(own ? 'waiting.takeBack' : 'waiting.decline')}
          send={(api) => api('DELETE /waiting/{id}', { params: { id } })}
          said={() => t('waiting.ended')}
        />
      )}
    </div>
  );
}
