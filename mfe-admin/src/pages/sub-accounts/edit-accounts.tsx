import {
  ALGORITHM_NAMES,
  ALGORITHMS,
  formatBtcShort,
  SATS_PER_BTC,
  type AlgorithmName,
  type CallOptions,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { satsOf } from '@pool/shared/ui/form';
import type { Account } from '../../api/edit';
import { EditDialog } from '../../parts/edit/edit-dialog';
import { numberOf, type EditField } from '../../parts/edit/fields';

type AccountUpdate = CallOptions<'PUT /bulkUpdateSubAccounts'>['body']['updates'][number];

const portOf = (text: string): number | null => {
  const port = numberOf(text);
  return port !== null && Number.isInteger(port) && port >= 1024 && port <= 65_535 ? port : null;
};
const isThreshold = (text: string): boolean => {
  const sats = satsOf(text) ?? 0;
  return sats >= 10_000 && sats <= 100 * SATS_PER_BTC;
};

/** An empty port: none of its own. */
function updateOf(account: Account, draft: Record<string, string>): AccountUpdate {
  const { id, version } = account;
  const given = ALGORITHM_NAMES.filter((name) => draft[name] !== undefined);
  const ports: Partial<Record<AlgorithmName, number>> = { ...account.ports };
  for (const name of given) {
    const port = portOf(draft[name] ?? '');
    if (port === null) delete ports[name];
    else ports[name] = port;
  }
  const { proxyPort, threshold } = draft;
  return {
    id,
    version,
    ...(given.length ? { ports } : {}),
    ...(proxyPort === undefined ? {} : { proxyPort: portOf(proxyPort) }),
    ...(threshold === undefined ? {} : { thresholdSat: satsOf(threshold) ?? 0 }),
  };
}

function useFields(): EditField<Account>[] {
  const { t } = useTranslation();
  const port = (key: string, title: string, text: (account: Account) => number | null | undefined) => ({
    key,
    title,
    text: (account: Account) => String(text(account) ?? ''),
    isValid: (value: string) => value === '' || portOf(value) !== null,
    rule: t('admin.accounts.port-rule'),
  });
  return [
    ...ALGORITHM_NAMES.map((name) =>
      port(name, t('admin.accounts.port', { algorithm: ALGORITHMS[name].label }), ({ ports }) => ports[name]),
    ),
    port('proxyPort', t('admin.accounts.col.proxyPort'), ({ proxyPort }) => proxyPort),
    {
      key: 'threshold',
      title: t('admin.accounts.col.threshold'),
      text: ({ thresholdSat }) => formatBtcShort(thresholdSat),
      isValid: isThreshold,
      rule: t('admin.accounts.threshold-rule'),
    },
  ];
}

export function EditAccounts({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <EditDialog
      title={t('admin.accounts.edit', { n: ids.length })}
      kind="accounts"
      ids={ids}
      read={(api, query, signal) => api('GET /admin/subAccounts', { query, signal })}
      save={(api, updates: AccountUpdate[]) => api('PUT /bulkUpdateSubAccounts', { body: { updates } })}
      updateOf={updateOf}
      fields={useFields()}
      nameOf={({ name }) => name}
      hint={t('admin.accounts.edit-hint')}
      onClose={onClose}
    />
  );
}
