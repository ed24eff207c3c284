import { shorten } from '@pool/shared';
import { CopyButton, DASH } from '@pool/shared/ui/core';
import styles from './parts.module.css';

/** An address or a transaction id: shortened for the eye, whole for the clipboard. */
export function ShortenedText({ text, label }: { text: string | null; label?: string }) {
  if (text === null) return <>{DASH}</>;
  return (
    <span className={styles.copied}>
      <bdi dir="ltr" title={text}>
        {shorten(text)}
      </bdi>
      {label !== undefined && <CopyButton value={text} label={label} />}
    </span>
  );
}
