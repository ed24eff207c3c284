import AntModal, { type ModalProps } from 'antd/es/modal';
import { useEffect, useRef } from 'react';
import { themed } from '../antd/themed';
import { ownDirection } from '../core/pieces/own-direction';
import './modal.module.css';

const Themed = themed(AntModal);
const FIELD = ':is(input, textarea):enabled:not([tabindex="-1"])';

/** A dialog: its first field, else its copy button, has the focus; then again what had it before. */
export const Modal = ({ children, ...props }: ModalProps) => (
  <Themed {...props} title={ownDirection(props.title)}>
    {children}
    <FirstField />
  </Themed>
);

/** A part of the content, which is in the document later than its owner. `autoFocus` would lose what had the focus. */
function FirstField() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    // A dialog over a panel is in the document only when all effects have run.
    queueMicrotask(() => {
      const content = place.current?.parentElement;
      const first = content?.querySelector<HTMLElement>(FIELD) ?? content?.querySelector<HTMLElement>('[data-copy]');
      first?.focus();
    });
    return () => {
      if (document.activeElement === document.body) opener?.focus();
    };
  }, []);
  return <span ref={place} hidden />;
}
