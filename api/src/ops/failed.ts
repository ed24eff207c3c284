/** What whoever sits at the command line can mend: said in a sentence, without a stack. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
}
