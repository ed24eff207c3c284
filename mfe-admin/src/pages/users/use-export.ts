import { useTranslation } from '@pool/shared/i18n';
import { allPages } from '@pool/shared/pages';
import { useMutation } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { downloadCsv, useToasts } from '@pool/shared/ui/core';
import { useEffect, useRef, useState } from 'react';
import { usersPage, type UserFilter } from '../../api/users';
import { CSV_HEADER, csvRow } from './csv';

/**
 * Exports all users of the filter as a CSV file, with progress. The user can cancel it; leaving the page cancels it
 * too.
 */
export function useExport(filter: UserFilter) {
  const { t } = useTranslation();
  const api = useApi();
  const toasts = useToasts();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => {
      setProgress({ done: 0, total: 0 });
      controller.current = new AbortController();
      return allPages(usersPage(api, filter), {
        signal: controller.current.signal,
        onProgress: (done, total) => setProgress({ done, total }),
      });
    },
    onSuccess: (users) => {
      downloadCsv('users.csv', CSV_HEADER, users.map(csvRow));
      toasts.success(t('admin.users.exported', { count: users.length }));
    },
  });
  const cancel = () => {
    controller.current?.abort();
    reset();
  };
  return { start: () => mutate(), cancel, running: isPending, error, ...progress };
}
