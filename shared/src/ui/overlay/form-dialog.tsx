import { useId, type ReactNode } from 'react';
import { Form } from '../form/form';
import { Problem } from '../form/problem';
import { Modal } from './modal';
import common from '../common.module.css';

/** A dialog with a form. `change` sends it (`useFormMutation`); `nameOf` names rows in errors; `other`: buttons. */
export function FormDialog({
  title,
  okText,
  danger,
  ready = true,
  change,
  nameOf,
  other,
  onSubmit,
  onCancel,
  children,
}: {
  title: ReactNode;
  okText: ReactNode;
  danger?: boolean;
  ready?: boolean;
  change: { isPending: boolean; error: unknown; reset?(): void };
  nameOf?: (row: number) => string | undefined;
  other?: ReactNode;
  onSubmit(): void;
  onCancel(): void;
  children: ReactNode;
}) {
  const id = useId();
  const { isPending, error } = change;
  return (
    <Modal
      open
      centered
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
      <Form
        id={id}
        className={common.stack}
        noValidate
        autoComplete="off"
        change={change}
        onSubmit={() => ready && !isPending && onSubmit()}
      >
        {children}
        <Problem error={error} nameOf={nameOf} />
      </Form>
    </Modal>
  );
}
