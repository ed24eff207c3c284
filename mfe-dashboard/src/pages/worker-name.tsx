import { workerParts } from './connection';

/** `account.` as it must be, the rest quieter: any name will do. */
export function WorkerName({ user }: { user: string }) {
  const [account, name] = workerParts(user);
  return (
    <>
      {account}
      <em>{name}</em>
    </>
  );
}
