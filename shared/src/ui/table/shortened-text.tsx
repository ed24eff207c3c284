import { shorten } from '../../domain';
import { CopyButton, DASH } from '../core';
import s from './lists.module.css';

/** An address or transaction id, shortened; with a `label` to copy whole. `href`: a page elsewhere about it. */
export function ShortenedText({ text, label, href }: { text: string | null; label?: string; href?: string }) {
  if (text === null) return <span>{DASH}</span>;
  const short = shorten(text);
  return (
    <span className={s.copied}>
      <bdi dir="ltr" title={text}>
        {href ? (
          <a href={href} target="_blank" rel="noreferrer">
            {short}
          </a>
        ) : (
          short
        )}
      </bdi>
      {label !== undefined && <CopyButton value={text} label={label} />}
    </span>
  );
}
