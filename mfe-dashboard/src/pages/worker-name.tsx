import { workerParts } from './connection';

/** `account.` emphasised, because it is required; the rest may be any name. */
export function WorkerName({ user }: { user: string }) {
  const [account, name] = workerParts(user);
  return (
    <>
      {account}
      <em>{name}</em>
    </>
  );
}
