import { useTranslation } from '@pool/shared/i18n';
import { allPages } from '@pool/shared/pages';
import { useMutation } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { downloadCsv, useToasts } from '@pool/shared/ui/core';
import type { ApiClient } from '@pool/shared';
import { useEffect, useRef, useState } from 'react';
import { historyPage, type Days, type HistoryKind } from '../../../api/history';
import { csvName, earningsCsv, payoutsCsv, type Csv } from './csv';

type Progress = { signal: AbortSignal; onProgress: (rows: number) => void };
type Export = (api: ApiClient, account: string, days: Days, progress: Progress) => Promise<Csv>;
const EXPORTS: Record<HistoryKind, Export> = {
  earnings: async (api, account, days, progress) =>
    earningsCsv(await allPages(historyPage(api, 'earnings', account, days), progress)),
  payouts: async (api, account, days, progress) =>
    payoutsCsv(await allPages(historyPage(api, 'payouts', account, days), progress)),
};

/** Exports the whole range of a table as a CSV file, not only the loaded rows. Leaving the page cancels it. */
export function useExport(kind: HistoryKind, days: Days) {
  const { t } = useTranslation();
  const api = useApi();
  const { account } = useSession();
  const toasts = useToasts();
  const [rows, setRows] = useState(0);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      setRows(0);
      controller.current = new AbortController();
      return EXPORTS[kind](api, account, days, { signal: controller.current.signal, onProgress: setRows });
    },
    onSuccess: ({ header, rows: all }) => {
      downloadCsv(csvName(kind, account, days), header, all);
      toasts.success(t('payments.exported', { count: all.length }));
    },
  });
  return { start: () => mutate(), running: isPending, rows, error };
}
