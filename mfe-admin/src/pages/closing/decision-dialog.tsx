import { ALGORITHMS, ApiError, type CallOptions } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { formatDay, useFormat } from '@pool/shared/ui/core';
import { Checkbox, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import parts from '../../parts/parts.module.css';
import { FindingText, type Finding, type WaitingDay } from './finding-text';

type Decision = CallOptions<'POST /admin/closing/{day}'>['body'];

const keyOf = ({ kind, name, algorithm }: Finding) => `${kind} ${name} ${algorithm}`;

/** Closes a day that waits: says what was found, what of it is withheld, and asks for the reason. */
export function DecisionDialog({ waiting, onClose }: { waiting: WaitingDay; onClose(): void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  // A decision is about what was seen when the dialog was opened.
  const [{ day, tag, findings }] = useState(waiting);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [reason, setReason] = useState('');
  const change = useFormMutation({
    send: (api, body: Decision) => api('POST /admin/closing/{day}', { params: { day }, body }),
    reads: [['admin'], ['payments']],
    said: ({ payments }) => t('admin.closing.done', { payments }),
    onDone: onClose,
  });
  const accounts = findings.filter(({ kind }) => kind === 'account');
  const isWithheld = (finding: Finding) => !finding.payable || marked.includes(keyOf(finding));
  const changed = change.error instanceof ApiError && change.error.code === 'changed_meanwhile';
  const close = () =>
    change.mutate({
      tag,
      reason: reason.trim(),
      withhold: accounts.filter(isWithheld).map(({ name, algorithm }) => ({ account: name ?? '', algorithm })),
    });
  return (
    <FormDialog
      title={t('admin.closing.title', { day: formatDay(language, 'utc', day) })}
      okText={t('admin.closing.close')}
      ready={reason.trim() !== '' && !changed}
      change={{ isPending: change.isPending, error: changed ? null : change.error }}
      onSubmit={close}
      onCancel={onClose}
    >
      <ul className={parts.notes}>
        {findings.map((finding) => (
          <li key={keyOf(finding)}>
            <FindingText finding={finding} />
          </li>
        ))}
      </ul>
      {accounts.length > 0 && <p>{t('admin.closing.means')}</p>}
      {accounts.map((finding) => (
        <Checkbox
          key={keyOf(finding)}
          checked={isWithheld(finding)}
          disabled={!finding.payable}
          onChange={({ target: { checked } }) =>
            setMarked((now) => (checked ? [...now, keyOf(finding)] : now.filter((key) => key !== keyOf(finding))))
          }
        >
          {t('admin.closing.withhold', { name: finding.name, algorithm: ALGORITHMS[finding.algorithm].label })}
        </Checkbox>
      ))}
      <TextField
        label={t('admin.note.needed')}
        hint={accounts.length > 0 ? t('admin.closing.reason-help') : undefined}
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
      {changed && <p role="alert">{t('admin.closing.changed')}</p>}
    </FormDialog>
  );
}
