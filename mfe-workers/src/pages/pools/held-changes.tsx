import { ALGORITHMS, type AlgorithmName, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQueryClient } from '@pool/shared/query';
import { useSubAccountId, useServiceQuery } from '@pool/shared/remote';
import { Button, Notice, useConfirm, useFormat, useNow } from '@pool/shared/ui/core';
import { IfMayEdit, Problem, useFormMutation } from '@pool/shared/ui/form';

type Hold = Answer<'GET /poolHold'>;

/** While changes of the lists are held: when they take effect, where work goes until then, and the way back. */
export function HeldChanges({ algorithms }: { algorithms: readonly AlgorithmName[] }) {
  const { data } = useServiceQuery(({ api }) => ({
    queryKey: ['upstreams', 'hold'],
    queryFn: ({ signal }) => api('GET /poolHold', { signal }),
  }));
  return data?.until ? <Held hold={data} until={data.until} algorithms={algorithms} /> : null;
}

type Props = { hold: Hold; until: string; algorithms: readonly AlgorithmName[] };

function Held({ hold: { inForce }, until, algorithms }: Props) {
  const { t } = useTranslation();
  const { list, moment, duration } = useFormat();
  const now = useNow();
  const subAccountId = useSubAccountId();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const cancel = useFormMutation({
    send: (api) => api('DELETE /poolHold'),
    said: () => t('workers.pools.changesCancelled'),
    onDone: (hold: Hold) => queryClient.setQueryData(['upstreams', 'hold'], hold),
    reads: [['upstreams']],
  });
  const left = Math.max(0, Date.parse(until) / 1000 - now);
  const poolsOf = (algorithm: AlgorithmName) => {
    const names = inForce
      .filter((pool) => pool.subAccountId === subAccountId && pool.algo === algorithm)
      .map(({ name }) => name);
    return names.length > 0 ? list(names, 'unit') : t('workers.pools.heldDefault');
  };
  return (
    <Notice
      tone="warn"
      state="review"
      action={
        <IfMayEdit of="pools">
          <Button
            size="small"
            loading={cancel.isPending}
            onClick={() =>
              confirm({
                title: t('workers.pools.cancelTitle'),
                content: t('workers.pools.cancelText'),
                okText: t('workers.pools.cancelChanges'),
                cancelText: t('workers.pools.back'),
                onOk: () => cancel.mutate(),
              })
            }
          >
            {t('workers.pools.cancelChanges')}
          </Button>
        </IfMayEdit>
      }
    >
      <p>{t('workers.pools.held', { until: moment(until), left: duration(left, 2) })}</p>
      {algorithms.map((algorithm) => (
        <p key={algorithm}>
          {t('workers.pools.heldUntil', { algorithm: ALGORITHMS[algorithm].label, pools: poolsOf(algorithm) })}
        </p>
      ))}
      <Problem error={cancel.error} />
    </Notice>
  );
}
