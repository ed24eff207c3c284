/** An error that the operator can fix: printed as a sentence, without a stack. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
}
