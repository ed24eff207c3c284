import { useTranslation } from '@pool/shared/i18n';
import { ArrowUpToLine, Button } from '@pool/shared/ui/core';
import { useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { filledDown, withCell, withPasted, type Drafts, type EditField } from './fields';
import styles from './edit.module.css';

/** Rows down that a key goes; the arrows choose in a cell of choices. */
const STEPS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

type Props<Row> = {
  label: string;
  rows: readonly Row[];
  fields: readonly EditField<Row>[];
  nameOf: (row: Row) => string;
  drafts: Drafts;
  onChange(drafts: Drafts): void;
};

/** Rows as a spreadsheet: arrows and Enter walk, a block is pasted from the focused cell on, Ctrl+D fills down. */
export function Sheet<Row extends { id: number }>({ label, rows, fields, nameOf, drafts, onChange }: Props<Row>) {
  const { t } = useTranslation();
  const [at, setAt] = useState<{ row: number; field: number } | null>(null);
  const fill = (row: number, field: number) => onChange(filledDown(drafts, rows, fields[field]!, row));
  const paste = (event: ClipboardEvent, row: number, field: number) => {
    const text = event.clipboardData.getData('text/plain');
    // One value is pasted into a text field as usual.
    if (!/[\t\n]/.test(text) && !fields[field]?.choices) return;
    event.preventDefault();
    onChange(withPasted(drafts, rows, fields, { rowAt: row, fieldAt: field, text }));
  };
  const keys = (event: KeyboardEvent<HTMLElement>, row: number, field: number) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') {
      event.preventDefault();
      fill(row, field);
      return;
    }
    const isChoice = event.currentTarget instanceof HTMLSelectElement;
    const step = event.key === 'Enter' || !isChoice ? STEPS[event.key] : undefined;
    const next =
      step &&
      event.currentTarget
        .closest('table')
        ?.querySelector<HTMLElement>(`[data-row="${row + step}"][data-field="${field}"]`);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className={styles.scroll}>
      <table className={styles.sheet} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('admin.edit.row')}</th>
            {fields.map((field, index) => (
              <th key={field.key} scope="col">
                {field.title}{' '}
                <Button
                  type="text"
                  size="small"
                  className={styles.fill}
                  icon={<ArrowUpToLine size={14} />}
                  title={t('admin.edit.fill-down')}
                  aria-label={`${t('admin.edit.fill-down')}: ${field.title}`}
                  onClick={() => fill(at?.field === index ? at.row : 0, index)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowAt) => (
            <tr key={row.id}>
              <th scope="row">
                <bdi>{nameOf(row)}</bdi>
              </th>
              {fields.map((field, fieldAt) => {
                const draft = drafts.get(row.id)?.[field.key];
                const value = draft ?? field.text(row);
                const props = {
                  className: styles.cell,
                  'data-row': rowAt,
                  'data-field': fieldAt,
                  'data-changed': (draft !== undefined && draft !== field.text(row)) || undefined,
                  'aria-label': `${nameOf(row)}: ${field.title}`,
                  'aria-invalid': !field.isValid(value) || undefined,
                  title: field.isValid(value) ? undefined : field.rule,
                  value,
                  onFocus: () => setAt({ row: rowAt, field: fieldAt }),
                  onPaste: (event: ClipboardEvent) => paste(event, rowAt, fieldAt),
                  onKeyDown: (event: KeyboardEvent<HTMLElement>) => keys(event, rowAt, fieldAt),
                  onChange: (event: { target: { value: string } }) =>
                    onChange(withCell(drafts, row, field, event.target.value)),
                };
                return (
                  <td key={field.key}>
                    {field.choices ? (
                      <select {...props}>
                        {!field.isValid(value) && <option value={value}>{value}</option>}
                        {field.choices.map((choice) => (
                          <option key={choice.value} value={choice.value}>
                            {choice.label}
                          </option>
                        ))}
                      </select>
                    ) : (
                      <input {...props} dir="ltr" maxLength={40} autoComplete="off" spellCheck={false} />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
