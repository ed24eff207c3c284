import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FarmEvent } from '../../api/worker-schemas';
import { useIsOfAll, useServices } from '../../react/services';
import common from '../common.module.css';
import { Button, Dropdown } from '../core';
import { Form, Problem, TextField, useFormMutation } from '../form';
import { FARM_EVENTS } from './use-farm-events';
import { useQuietChoices } from './use-quiet-choices';

export type ActionsProps = { event: FarmEvent };

/** The menu and the form of an event: somebody looks after it until a time, and notes what it is. */
export function Actions({ event: { id, acknowledged, note } }: ActionsProps) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const isOfAll = useIsOfAll();
  const [text, setText] = useState<string | null>(null);
  type Change = { acknowledged?: { until: number | null } | null; note?: string | null };
  const save = useFormMutation({
    send: (api, body: Change) =>
      api('PUT /farmEvents/{id}', {
        params: { id },
        query: { ...(!isOfAll && { userName: account }), algorithm },
        body,
      }),
    reads: [FARM_EVENTS],
    onDone: () => setText(null),
  });
  const quiet = useQuietChoices((until) => save.mutate({ acknowledged: { until } }));
  if (text !== null)
    return (
      <Form className={common.buttons} change={save} onSubmit={() => save.mutate({ note: text.trim() || null })}>
        <TextField
          label={t('events.note')}
          hint={t('events.noteHint')}
          value={text}
          maxLength={64}
          autoFocus
          onChange={setText}
        />
        <Button htmlType="submit" loading={save.isPending}>
          {t('events.save')}
        </Button>
        <Button type="text" onClick={() => setText(null)}>
          {t('events.cancel')}
        </Button>
        <Problem error={save.error} />
      </Form>
    );
  const tell = { key: 'tell', label: t('events.tell'), onClick: () => save.mutate({ acknowledged: null }) };
  return (
    <>
      <Dropdown
        placement="bottomRight"
        menu={{
          items: [
            ...quiet,
            ...(acknowledged ? [tell] : []),
            { type: 'divider' },
            { key: 'note', label: t('events.note'), onClick: () => setText(note ?? '') },
          ],
        }}
      >
        <Button size="small" loading={save.isPending}>
          {t('events.lookAfter')}
        </Button>
      </Dropdown>
      <Problem error={save.error} />
    </>
  );
}
