import type { ComponentProps } from 'react';
import s from './check.module.css';

/** A plain checkbox: antd's would load its form code before the first rows show. */
export function Check(props: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return <input {...props} type="checkbox" className={s.check} />;
}
