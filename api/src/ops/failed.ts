import { OperatorError } from '../platform/operator-error';

/** A command that cannot be carried out as it was given. */
export class OpsError extends OperatorError {
  override readonly name = 'OpsError';
}
