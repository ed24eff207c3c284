/** What several tabs of the account are made of. */
import { useTranslation } from '@pool/shared/i18n';
import { Button, CopyField, Notice } from '@pool/shared/ui/core';
import { Checkbox, FieldGroup } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useId, type ReactNode } from 'react';
import common from '@pool/shared/ui/common.module.css';
import styles from './form.module.css';

/** A heading above a table, which has a frame of its own. `extra`: a control at the end of the heading's line. */
export function ListSection({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.list} aria-labelledby={id}>
      <header className={common.entryHead}>
        <h2 id={id} className={common.title}>
          {title}
        </h2>
        {extra}
      </header>
      {children}
    </section>
  );
}

/** The person of an organization who made it. */
export function MadeBy({ name }: { name: string }) {
  const { t } = useTranslation();
  return <bdi className={`${styles.block} ${common.quiet}`}>{t('account.token.by', { name })}</bdi>;
}

type TicksProps<Value> = {
  label: string;
  options: readonly Value[];
  chosen: readonly Value[];
  nameOf(option: Value): ReactNode;
  inColumns?: boolean;
  disabled?: boolean;
  /** Gets the chosen ones in the order of the options. */
  onChange(chosen: Value[]): void;
};

/** Checkboxes of what may be chosen. */
export function Ticks<Value extends string>(props: TicksProps<Value>) {
  const { label, options, chosen, nameOf, inColumns, disabled, onChange } = props;
  return (
    <FieldGroup label={label}>
      <div className={inColumns ? styles.ticks : styles.row}>
        {options.map((option) => (
          <Checkbox
            key={option}
            disabled={disabled}
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              onChange(options.filter((each) => (each === option ? target.checked : chosen.includes(each))))
            }
          >
            {nameOf(option)}
          </Checkbox>
        ))}
      </div>
    </FieldGroup>
  );
}

type ShownOnceProps = { title: string; said: string; done: string; onClose(): void; children: ReactNode };

/** A secret that is shown this once: only its buttons close the dialog. */
export const ShownOnce = ({ title, said, done, onClose, children }: ShownOnceProps) => (
  <Modal
    open
    centered
    keyboard={false}
    mask={{ closable: false }}
    title={title}
    footer={<Button onClick={onClose}>{done}</Button>}
    onCancel={onClose}
  >
    <div role="status">
      <Notice tone="info" state="final">
        {said}
      </Notice>
    </div>
    {children}
  </Modal>
);

/** Link of an invitation, shown once. */
export function InvitationLink({ link, onClose }: { link: string; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <ShownOnce
      title={t('account.org.linkTitle')}
      said={t('account.org.linkOnce')}
      done={t('account.token.done')}
      onClose={onClose}
    >
      <CopyField label={t('account.org.byLink')} value={link} />
    </ShownOnce>
  );
}
