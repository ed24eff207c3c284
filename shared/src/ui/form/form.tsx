import type { FormHTMLAttributes } from 'react';

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'onChange'> & {
  /** What the form sends (`useFormMutation`): its error goes when something is typed. */
  change?: { reset?(): void };
  onSubmit(): void;
};

export const Form = ({ change, onSubmit, ...form }: FormProps) => (
  <form
    {...form}
    onChange={() => change?.reset?.()}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
