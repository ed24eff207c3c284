import { useTranslation } from '@pool/shared/i18n';
import { useMutation } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { App, downloadCsv } from '@pool/shared/ui/core';
import type { ApiClient } from '@pool/shared';
import { useEffect, useRef, useState } from 'react';
import { allHistory, type Days, type HistoryKind } from '../../../api/history';
import { csvName, earningsCsv, payoutsCsv, type Csv } from './csv';

type Progress = { signal: AbortSignal; onProgress: (rows: number) => void };
const EXPORTS: Record<HistoryKind, (api: ApiClient, account: string, days: Days, progress: Progress) => Promise<Csv>> =
  {
    earnings: async (api, ...rest) => earningsCsv(await allHistory(api, 'earnings', ...rest)),
    payouts: async (api, ...rest) => payoutsCsv(await allHistory(api, 'payouts', ...rest)),
  };

/** Exports the whole range of a table as a CSV file, not only the loaded rows. Leaving the page cancels it. */
export function useExport(kind: HistoryKind, days: Days) {
  const { t } = useTranslation();
  const api = useApi();
  const { account } = useSession();
  const { message } = App.useApp();
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
      message.success(t('payments.exported', { count: all.length }));
    },
  });
  return { start: () => mutate(), running: isPending, rows, error };
}
