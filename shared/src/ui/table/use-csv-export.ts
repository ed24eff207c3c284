import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { csvTable, downloadCsv, useToasts, type CsvColumns } from '../core';

type Loading = { signal: AbortSignal; onProgress(done: number, total: number): void };

/** Saves all rows of a list as a CSV file, not only the loaded ones; leaving the page cancels it. `said`: the toast. */
export function useCsvExport<Row>(
  columns: CsvColumns<Row>,
  { name, load, said }: { name: string; load(loading: Loading): Promise<Row[]>; said?(count: number): string },
) {
  const toasts = useToasts();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => {
      setProgress({ done: 0, total: 0 });
      controller.current = new AbortController();
      const { signal } = controller.current;
      return load({ signal, onProgress: (done, total) => setProgress({ done, total }) });
    },
    onSuccess: (rows) => {
      downloadCsv(name, ...csvTable(columns, rows));
      if (said) toasts.success(said(rows.length));
    },
  });
  const cancel = () => {
    controller.current?.abort();
    reset();
  };
  return { start: () => mutate(), cancel, running: isPending, error, ...progress };
}
