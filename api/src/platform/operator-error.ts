/** An error that the operator can mend: its message is a sentence, printed without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
