import type { DbOrTx } from './database';

/** Builds a statement once for each database, or transaction, that runs it: the builder takes longer than the call. */
export function builtOnce<S>(build: (db: DbOrTx) => S): (db: DbOrTx) => S {
  const built = new WeakMap<DbOrTx, S>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
}
