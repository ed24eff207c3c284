import type { ComponentProps } from 'react';
import { Button, useConfirm } from '../core';
import { Problem } from './problem';
import { useFormMutation } from './use-form-mutation';

type ActionProps<Data> = Pick<ComponentProps<typeof Button>, 'type' | 'size' | 'danger' | 'disabled'> &
  Parameters<typeof useFormMutation<Data>>[0] & {
    text: string;
    /** Name of what it acts on, for screen readers. */
    of?: string;
    /** Asked before. */
    question?: Omit<Parameters<ReturnType<typeof useConfirm>>[0], 'okText' | 'onOk'>;
  };

/** A button that makes a change by itself, with the change's error beside it. */
export function ActionButton<Data>({ text, of, question, type, size, danger, disabled, ...change }: ActionProps<Data>) {
  const confirm = useConfirm();
  const { mutate, isPending, error } = useFormMutation(change);
  const act = () => mutate();
  return (
    <>
      <Button
        {...{ type, size, danger, disabled }}
        loading={isPending}
        aria-label={of && `${text}: ${of}`}
        onClick={question ? () => confirm({ ...question, okText: text, onOk: act }) : act}
      >
        {text}
      </Button>
      <Problem error={error} />
    </>
  );
}
