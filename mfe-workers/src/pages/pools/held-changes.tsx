import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQueryClient } from '@pool/shared/query';
import { useServiceQuery } from '@pool/shared/remote';
import { Notice, useFormat, useNow } from '@pool/shared/ui/core';
import { ActionButton, IfMayEdit } from '@pool/shared/ui/form';
import { BeforeAfter } from '@pool/shared/ui/waiting';

type Hold = Answer<'GET /poolHold'>;

/** While changes of the lists are held: when they take effect, the lists until then and after, and the way back. */
export function HeldChanges() {
  const { data } = useServiceQuery(({ api }) => ({
    queryKey: ['upstreams', 'hold'],
    queryFn: ({ signal }) => api('GET /poolHold', { signal }),
  }));
  return data?.until ? <Held hold={data} until={data.until} /> : null;
}

function Held({ hold: { shown }, until }: { hold: Hold; until: string }) {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const now = useNow();
  const queryClient = useQueryClient();
  const left = Math.max(0, Date.parse(until) / 1000 - now);
  return (
    <Notice
      tone="warn"
      state="review"
      action={
        <IfMayEdit of="pools">
          <ActionButton
            size="small"
            text={t('workers.pools.cancelChanges')}
            question={{
              title: t('workers.pools.cancelTitle'),
              content: t('workers.pools.cancelText'),
              cancelText: t('workers.pools.back'),
            }}
            send={(api) => api('DELETE /poolHold')}
            said={() => t('workers.pools.changesCancelled')}
            onDone={(hold: Hold) => queryClient.setQueryData(['upstreams', 'hold'], hold)}
            reads={[['upstreams']]}
          />
        </IfMayEdit>
      }
    >
      <p>{t('workers.pools.held', { until: moment(until), left: duration(left, 2) })}</p>
      {shown && <BeforeAfter before={shown.before} after={shown.after} />}
    </Notice>
  );
}
