import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../api/schemas';
import { useTexts } from '../../i18n/use-texts';
import common from '../common.module.css';
import { DASH, useFormat, type CsvColumns } from '../core';
import type { DataColumn } from '../table';
import { AUDIT_TEXTS, useAuditText } from './audit-text';

const json = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));
/** What the file of a log says of an entry, after its time. */
export const AUDIT_CSV = {
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
  address: ({ ip }) => ip,
} satisfies CsvColumns<AuditEntry>;

function When({ at }: { at: string }) {
  const { moment } = useFormat();
  return (
    <time dateTime={at} className={common.quiet}>
      {moment(at)}
    </time>
  );
}

/** What was done. */
function Action({ of: { action }, children }: { of: AuditEntry; children: ReactNode }) {
  return (
    <span className={common.strong}>
      {useAuditText().action(action)}
      {children}
    </span>
  );
}

export const AuditSubject = ({ of }: { of: AuditEntry }) => <bdi>{useAuditText().subject(of)}</bdi>;

/** What changed in a line; of many workers their names when it is opened. */
function Change({ of }: { of: AuditEntry }) {
  const words = useAuditText();
  const short = words.change(of);
  const whole = words.change(of, true);
  const line = <span className={common.quiet}>{short}</span>;
  if (whole === short) return line;
  return (
    <details>
      <summary>{line}</summary>
      <span className={common.quiet}>{whole}</span>
    </details>
  );
}

/**
 * Columns of a log. `who`: who acted, where there are several; `more`: what an action is followed by. Both are the same
 * functions at each render.
 */
export function useAuditColumns<Row extends AuditEntry>(
  who?: (row: Row) => ReactNode,
  more?: (row: Row) => ReactNode,
): DataColumn<Row>[] {
  const { t } = useTranslation();
  const come = useTexts(AUDIT_TEXTS);
  return useMemo(() => {
    const title = (key: string) => ({ key, title: come && t(`ui.audit.col.${key}`), wraps: true });
    return [
      { ...title('at'), width: 205, render: ({ at }) => <When at={at} /> },
      ...(who ? [{ ...title('who'), width: 130, render: who }] : []),
      { ...title('action'), width: 230, names: true, render: (row) => <Action of={row}>{more?.(row)}</Action> },
      { ...title('subject'), width: 150, render: (row) => <AuditSubject of={row} /> },
      { ...title('change'), width: 280, drop: 1, render: (row) => <Change of={row} /> },
      { ...title('ip'), width: 135, drop: 2, render: ({ ip }) => ip ?? DASH },
    ];
  }, [t, come, who, more]);
}
