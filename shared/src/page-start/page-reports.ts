/** What went wrong in the page, and how remotes were mounted; sent when idle (shell/src/client-errors). */
type Mount = { remote: string; version: string };
export type PageReport =
  | ErrorEvent
  | PromiseRejectionEvent
  /** A key without a text. */
  | { text: string }
  | (Mount & { phase: 'begun' })
  /** `ms`: how long the mount took; null: it failed or was given up, or the tab was hidden, where timers are slow. */
  | (Mount & { phase: 'ended'; ms: number | null })
  | (Mount & { phase: 'failed'; error: unknown })
  /** A mount of the page before that did not end. `told` is called when the server knows. */
  | (Mount & { phase: 'unfinished'; told(): void });

declare global {
  var poolReports: PageReport[] | undefined;
}

/** Reports that were not taken yet. */
export const pageReports = (): PageReport[] => (globalThis.poolReports ??= []);

export const pageReport = (report: PageReport): void => void pageReports().push(report);
