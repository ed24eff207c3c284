import { DayNotClosed } from '../../money/accounting/earnings';
import { HttpProblem } from '../server/problem';

/** Rethrows an error of closing days; why a day stays open is the caller's problem. */
export function notClosed(error: unknown): never {
  if (!(error instanceof DayNotClosed)) throw error;
  throw new HttpProblem(error.code === 'day_not_finished' ? 400 : 409, error.code, { detail: error.message });
}
