import type { AuditEntry } from '@pool/shared';

/** `times`: reads of the same admin on the same user's pages, of which this entry is the newest. */
export type FoldedEntry = AuditEntry & { times?: number };

const isSameRead = (a: AuditEntry | undefined, b: AuditEntry): boolean =>
  a?.action === 'view_as.read' && b.action === a.action && b.userName === a.userName && b.subject === a.subject;

/** Entries, newest first, with reads of view-as that follow each other as one. */
export function foldReads(rows: readonly FoldedEntry[]): FoldedEntry[] {
  const folded: FoldedEntry[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last && isSameRead(last, row)) folded[folded.length - 1] = { ...last, times: (last.times ?? 1) + 1 };
    else folded.push(row);
  }
  return folded;
}
