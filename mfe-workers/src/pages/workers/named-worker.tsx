import type { Worker } from '@pool/shared';
import { Navigate, useSearchParams } from '@pool/shared/router';

/** `?worker=rig-1`, for links that know a worker's name only: opens it, or looks for the name when it is not in this list. */
export function NamedWorker({ workers }: { workers: readonly Worker[] }) {
  const [params] = useSearchParams();
  const name = params.get('worker');
  if (name === null) return null;
  const rest = new URLSearchParams(params);
  rest.delete('worker');
  const worker = workers.find((one) => one.name === name);
  if (!worker) rest.set('q', name);
  return <Navigate replace to={{ pathname: worker ? `../${worker.id}` : '.', search: rest.toString() }} />;
}
