/** The database cannot be used as it is; the message says what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}
