import Button from 'antd/es/button';
import { ApiError } from '../../../api/client';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/context';
import { CopyButton } from './copy-field';
import { StateGlyph } from './state-mark';
import s from './states.module.css';

/** A block of the shape that is to come. Sizes are CSS lengths. It appears after 300 ms, so that a fast answer does not flash. */
export function Skeleton({
  width = '100%',
  height = 16,
  radius,
}: {
  width?: number | string;
  height?: number | string;
  radius?: number;
}) {
  return (
    <span
      className={s.bone}
      style={{ inlineSize: width, blockSize: height, borderRadius: radius }}
      aria-hidden="true"
    />
  );
}

/** Wraps skeletons: one announcement for all of them. */
export function Loading({ children, className }: { children: ReactNode; className?: string }) {
  const { t } = useTranslation();
  return (
    <div className={className} role="status" aria-busy="true" aria-label={t('ui.loading')}>
      {children}
    </div>
  );
}

/** Rows of the table that is to come. */
export function SkeletonRows({ rows = 6, height = 50 }: { rows?: number; height?: number }) {
  return (
    <Loading>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={s.row} style={{ blockSize: height }}>
          <Skeleton width="18%" />
          <Skeleton width="12%" />
          <Skeleton width="24%" />
          <Skeleton width="10%" />
        </div>
      ))}
    </Loading>
  );
}

/** Nothing here: why, and what to do next. */
export function Empty({
  title,
  children,
  action,
  icon,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <div className={s.state}>
      {icon && <span className={s.icon}>{icon}</span>}
      <p className={s.title}>{title}</p>
      {children !== undefined && <p className={s.text}>{children}</p>}
      {action && <div className={s.action}>{action}</div>}
    </div>
  );
}

/** Words for an error: by its stable code when we know it, else by what kind of failure it was. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return (error) => {
    if (!(error instanceof ApiError)) return t('ui.error.unexpected');
    const key = `ui.error.${error.code}`;
    if (i18n.exists(key)) return t(key);
    if (error.status === 0) return t('ui.error.offline');
    return error.status >= 500 ? t('ui.error.server_error') : error.message;
  };
}

type ErrorPanelProps = {
  error: unknown;
  onRetry?: () => void;
  retrying?: boolean;
  /** When the data still shown beside this came, Unix seconds. */
  dataAt?: number | null;
};

/** What happened, Retry, the request's id for support, and how old the data is that stays on the page. */
export function ErrorPanel({ error, onRetry, retrying, dataAt }: ErrorPanelProps) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const say = useErrorText();
  const requestId = error instanceof ApiError ? error.problem.requestId : undefined;
  return (
    <div className={s.error} role="alert">
      <span className={s.glyph}>
        <StateGlyph state="failed" />
      </span>
      <div className={s.words}>
        <p className={s.title}>{say(error)}</p>
        {typeof dataAt === 'number' && <p className={s.text}>{t('ui.error.dataFrom', { time: moment(dataAt) })}</p>}
        {requestId && (
          <p className={s.request}>
            {t('ui.error.request')} <bdi dir="ltr">{requestId}</bdi>{' '}
            <CopyButton value={requestId} label={t('ui.error.request')} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} loading={retrying}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  );
}

/** For what one may not see; looks like a page that does not exist. */
export function Denied() {
  const { t } = useTranslation();
  return (
    <div className={s.state}>
      <h1 className={s.title} tabIndex={-1}>
        {t('ui.denied.title')}
      </h1>
      <p className={s.text}>{t('ui.denied.text')}</p>
    </div>
  );
}
