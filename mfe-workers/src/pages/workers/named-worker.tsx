import type { Worker } from '@pool/shared';
import { changeParams, Navigate, useSearchParams } from '@pool/shared/router';

/** Opens the worker of `?worker=rig-1`, or searches the name when the list does not have it. */
export function NamedWorker({ workers }: { workers: readonly Worker[] }) {
  const [params] = useSearchParams();
  const name = params.get('worker');
  if (name === null) return null;
  const worker = workers.find((one) => one.name === name);
  const search = changeParams(params, worker ? { worker: null } : { worker: null, q: name }).toString();
  return <Navigate replace to={{ pathname: worker ? `../${worker.id}` : '.', search }} />;
}
