import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Problem } from '../form/problem';
import styles from './form-dialog.module.css';
import { Modal } from './modal';

const FIELD = ':is(input, textarea):enabled:not([tabindex="-1"])';

/**
 * A dialog with a form: its first field has the focus, its button and Enter send it, and why it was refused is below
 * the fields. When it is gone, what had the focus before has it again. `ready`: whether it can be sent. `change`: what
 * sends it (`useFormMutation`). `nameOf`: names the rows of a list in errors. `other`: buttons before Cancel.
 */
export function FormDialog({
  title,
  okText,
  danger,
  ready = true,
  change: { isPending, error },
  nameOf,
  other,
  width,
  onSubmit,
  onCancel,
  children,
}: {
  title: ReactNode;
  okText: ReactNode;
  danger?: boolean;
  ready?: boolean;
  change: { isPending: boolean; error: unknown };
  nameOf?: (row: number) => string | undefined;
  other?: ReactNode;
  width?: string;
  onSubmit(): void;
  onCancel(): void;
  children: ReactNode;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // Not `autoFocus`: it would be too early to note where the focus was.
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    form.current?.querySelector<HTMLElement>(FIELD)?.focus();
    return () => {
      if (document.activeElement === document.body) opener?.focus();
    };
  }, []);
  return (
    <Modal
      open
      centered
      width={width}
      title={title}
      okText={okText}
      okButtonProps={{ htmlType: 'submit', form: id, loading: isPending, disabled: !ready, danger }}
      footer={
        other &&
        ((buttons) => (
          <>
            {other}
            {buttons}
          </>
        ))
      }
      onCancel={onCancel}
    >
      <form
        ref={form}
        id={id}
        className={styles.form}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !isPending) onSubmit();
        }}
      >
        {children}
        <Problem error={error} nameOf={nameOf} />
      </form>
    </Modal>
  );
}
