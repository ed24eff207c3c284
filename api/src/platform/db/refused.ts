import { DataRefused } from '../lock';

/** The database cannot be used as it is; the message says what to do. */
export class DatabaseRefused extends DataRefused {
  override readonly name = 'DatabaseRefused';
}
