import AntModal, { type ModalProps } from 'antd/es/modal';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { themed } from '../antd/themed';
import { ownDirection } from '../core/pieces/own-direction';
import { useConfirm } from '../core/toasts';
import s from './modal.module.css';

const Themed = themed(AntModal);
const TEXT = 'textarea, input:not([type=radio], [type=checkbox])';
const FIELD = ':is(input, textarea):enabled:not([tabindex="-1"])';

/**
 * A dialog: its first field, else its copy button, has the focus; then again what had it before. Escape, or a click
 * beside it, asks before it throws away what was typed.
 */
export function Modal({ children, onCancel, ...props }: ModalProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const typed = useRef(false);
  const cancel: ModalProps['onCancel'] = (event) => {
    const isButton = event.type === 'click' && (event.target as Element).closest('button') !== null;
    if (isButton || !typed.current) return onCancel?.(event);
    confirm({
      title: t('ui.discard.title'),
      okText: t('ui.discard.ok'),
      cancelText: t('ui.discard.back'),
      onOk: () => onCancel?.(event),
    });
  };
  return (
    <Themed {...props} title={ownDirection(props.title)} onCancel={cancel}>
      <div
        className={s.content}
        onInput={({ target }) => {
          typed.current ||= (target as Element).matches(TEXT);
        }}
      >
        {children}
        <FirstField />
      </div>
    </Themed>
  );
}

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
