import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../api/client';
import { serverTime } from '../../../api/clock';
import { usePageTitle } from '../../../react/page-title';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button } from '../controls/button';
import { useErrorText } from '../error-text';
import { useFormat } from '../format/context';
import { useNow } from '../use-now';
import { CopyButton } from './copy-field';
import { VisuallyHidden } from './visually-hidden';
import { StateGlyph } from './state-mark';
import s from './states.module.css';

/** A placeholder block while loading, in CSS lengths. It shows after 300 ms: a fast answer does not flash. */
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
      data-bone=""
    />
  );
}

const SLOW_MS = 10_000;

/** Wraps skeletons with one announcement. After ten seconds it shows a message and a button to retry. */
export function Loading({ children, className = '' }: { children: ReactNode; className?: string }) {
  const { t } = useTranslation();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (slow) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [slow]);
  return (
    <div className={`${s.loading} ${className}`} role="status" aria-busy="true" aria-label={t('ui.loading')}>
      {children}
      {slow && <Slow onAgain={() => setSlow(false)} />}
    </div>
  );
}

function Slow({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const again = async () => {
    onAgain();
    const missing = { type: 'active', predicate: ({ state }: { state: { data: unknown } }) => !state.data } as const;
    // Cancel a hanging request first, else the retry would wait for it.
    await queryClient.cancelQueries(missing);
    await queryClient.refetchQueries(missing);
  };
  return (
    <div className={s.slow}>
      {t('ui.slow')}
      <Button size="small" onClick={() => void again()}>
        {t('ui.retry')}
      </Button>
    </div>
  );
}

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

/** An empty state: the reason, and what to do next. */
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

type ErrorPanelProps = {
  error: unknown;
  onRetry?: () => void;
  retrying?: boolean;
};

/** Message of an error, Retry, and the request's id for support. */
export function ErrorPanel({ error, onRetry, retrying }: ErrorPanelProps) {
  const { t } = useTranslation();
  const text = useErrorText(error);
  const requestId = error instanceof ApiError ? error.problem.requestId : undefined;
  return (
    <div className={s.error} role="alert">
      <span className={s.glyph}>
        <StateGlyph state="failed" />
      </span>
      <div className={s.words}>
        <p className={s.title}>{text ?? '\u00a0'}</p>
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

type Asked = {
  data: unknown;
  error: Error | null;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
};

/** Error of a widget's query: a panel without data, a mark on its upper edge with older data; none in an outage. */
export function QueryError({ query, className }: { query: Asked; className?: string }) {
  const { t } = useTranslation();
  const { clock, zone, moment } = useFormat();
  const now = useNow();
  const { data, error, isFetching, dataUpdatedAt } = query;
  const text = useErrorText(error);
  const at = serverTime(dataUpdatedAt) / 1000;
  const retry = () => void query.refetch();
  if (!error) return null;
  if (data === undefined)
    return (
      <div className={[s.failed, className].filter(Boolean).join(' ')}>
        <ErrorPanel error={error} onRetry={retry} retrying={isFetching} />
      </div>
    );
  const requestId = error instanceof ApiError ? error.problem.requestId : undefined;
  const why = [text, requestId && `${t('ui.error.request')} ${requestId}`].filter(Boolean).join(' ');
  return (
    <div className={s.outdated} role="alert" title={why}>
      <StateGlyph state="review" />
      <span>{t('ui.error.dataFrom', { time: now - at < 12 * 3600 ? `${clock(at)} ${zone(at)}` : moment(at) })}</span>
      <VisuallyHidden>{why}</VisuallyHidden>
      <Button type="link" size="small" onClick={retry} loading={isFetching}>
        {t('ui.retry')}
      </Button>
    </div>
  );
}

/** A query's error, and `children` while it has no answer yet. */
export const QueryState = ({
  query,
  className,
  children,
}: {
  query: Asked;
  className?: string;
  children: ReactNode;
}) => (
  <>
    <QueryError query={query} />
    {query.data === undefined && !query.error && <Loading className={className}>{children}</Loading>}
  </>
);

/** A page that has nothing but a message. */
export const Message = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <section className={s.state}>
    <h1 className={s.title} tabIndex={-1}>
      {title}
    </h1>
    <p className={s.text}>{text}</p>
    <div className={s.action}>{children}</div>
  </section>
);

/** Shown without permission; looks like a missing page. */
export function Denied() {
  const { t } = useTranslation();
  usePageTitle(t('ui.denied.title'));
  return (
    <Message title={t('ui.denied.title')} text={t('ui.denied.text')}>
      <Link to="/">{t('ui.denied.home')}</Link>
    </Message>
  );
}
