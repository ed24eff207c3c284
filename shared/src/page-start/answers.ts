import type { AnsweredQuery } from '../first-view';

/** `answers`: by URL. `queries`: those of the view, whose data the answers are. */
export type SsrAnswers = { answers: Record<string, unknown>; queries: AnsweredQuery[] };

declare global {
  /** Written by the inline script. */
  var ssrAnswers: SsrAnswers | null | undefined;
}

/** Answers that came with the page; null when they have been used. */
export const ssrAnswers = (): SsrAnswers | null => globalThis.ssrAnswers ?? null;
export function setSsrAnswers(answers: SsrAnswers | null): void {
  globalThis.ssrAnswers = answers;
}
