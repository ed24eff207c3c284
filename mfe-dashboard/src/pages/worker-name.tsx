/** `account.` emphasised, because it is required; the rest may be any name. */
export function WorkerName({ user }: { user: string }) {
  const name = user.indexOf('.') + 1;
  return (
    <>
      {user.slice(0, name)}
      <em>{user.slice(name)}</em>
    </>
  );
}
