import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Button,
  DASH,
  Denied,
  Facts,
  formatDay,
  Loading,
  Notice,
  Panel,
  Quantity,
  QueryError,
  Skeleton,
  StateGlyph,
  StateMark,
  TimeAgo,
  useFormat,
} from '@pool/shared/ui/core';
import { lazy, Suspense, useState } from 'react';
import { useSystem, type Remote, type System } from '../../api/system';
import { Page } from '../../parts/page';
import { isDenied } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';

const SwitchDialog = lazy(async () => ({ default: (await import('./switch-dialog')).SwitchDialog }));
const secondsOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso) / 1000);
const MB = 1_000_000;

/** What runs the pool: proxy, journal, database, the daily job, and the remotes with their versions. */
export function SystemPage() {
  const { t } = useTranslation();
  const query = useSystem();
  const { duration } = useFormat();
  const [switching, setSwitching] = useState<string | null>(null);
  const { data } = query;
  if (isDenied(query.error)) return <Denied />;
  const remote = data?.remotes.find(({ name }) => name === switching);
  return (
    <Page
      title={t('admin.nav.system')}
      sub={data ? t('admin.system.up', { time: duration(data.uptimeSeconds, 2) }) : '\u00a0'}
    >
      <QueryError query={query} />
      {query.isPending && (
        <Loading>
          <Skeleton height={360} radius={8} />
        </Loading>
      )}
      {data && (
        <>
          <div className={parts.two}>
            <Proxy system={data} />
            <Job system={data} />
            <Database system={data} />
          </div>
          <Remotes remotes={data.remotes} onSwitch={setSwitching} />
        </>
      )}
      {remote && (
        <Suspense>
          <SwitchDialog remote={remote} onClose={() => setSwitching(null)} />
        </Suspense>
      )}
    </Page>
  );
}

function Proxy({ system: { proxy } }: { system: System }) {
  const { t } = useTranslation();
  const { count, decimal } = useFormat();
  return (
    <Panel title={t('admin.system.proxy')}>
      <Facts
        rows={[
          { label: t('admin.system.connections'), value: count(proxy.connections) },
          { label: t('admin.system.shares'), value: <Quantity value={decimal(proxy.sharesPerSecond, 1)} unit="/s" /> },
          ...proxy.upstreams.map((upstream) => ({
            key: `${upstream.algorithm} ${upstream.url}`,
            label: (
              <>
                {ALGORITHMS[upstream.algorithm].label} <bdi dir="ltr">{upstream.name}</bdi>
              </>
            ),
            value: (
              <StateMark state={upstream.state}>
                {upstream.latencyMs !== null && <Quantity value={Math.round(upstream.latencyMs)} unit="ms" />}
              </StateMark>
            ),
          })),
        ]}
      />
    </Panel>
  );
}

function Job({ system: { job, closedThrough, lateWork, uncounted } }: { system: System }) {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const sharesOf = (why: string) =>
    uncounted.filter((each) => each.why === why).reduce((sum, { shares }) => sum + shares, 0);
  const failed = job?.failed.length ?? 0;
  const wrong = job?.wrongBalances ?? null;
  return (
    <Panel title={t('admin.system.job')}>
      <Facts
        rows={[
          {
            label: t('admin.system.last-run'),
            value: job ? (
              <>
                <StateGlyph state={failed ? 'failed' : job.endedAt === null ? 'pending' : 'confirmed'} />{' '}
                <TimeAgo at={secondsOf(job.startedAt)} />
              </>
            ) : (
              DASH
            ),
          },
          { label: t('admin.system.next-run'), value: <NextRun at={job?.nextAt ?? null} /> },
          ...(failed ? [{ label: t('admin.system.failed-steps'), value: job?.failed.join(', ') }] : []),
          {
            label: t('admin.system.closed'),
            value: closedThrough === null ? DASH : formatDay(language, 'utc', closedThrough, true),
          },
          {
            label: t('admin.system.ledger'),
            value:
              wrong === null ? (
                DASH
              ) : (
                <>
                  <StateGlyph state={wrong === 0 ? 'confirmed' : 'failed'} />{' '}
                  {wrong === 0 ? t('admin.system.ledger-right') : t('admin.system.ledger-wrong', { n: wrong })}
                </>
              ),
          },
          { label: t('admin.system.late'), value: count(lateWork) },
          { label: t('admin.system.waiting'), value: count(sharesOf('waiting')) },
          { label: t('admin.system.refused'), value: count(sharesOf('refused')) },
        ]}
      />
    </Panel>
  );
}

function NextRun({ at }: { at: string | null }) {
  const { dayClock } = useFormat();
  return at === null ? <>{DASH}</> : <time dateTime={at}>{dayClock(at)}</time>;
}

function Database({ system: { database } }: { system: System }) {
  const { t } = useTranslation();
  const { count, decimal } = useFormat();
  return (
    <Panel title={t('admin.system.database')}>
      <Facts
        rows={[
          { label: t('admin.system.kind'), value: t(`admin.system.kind.${database.kind}`) },
          { label: t('admin.system.version'), value: <bdi dir="ltr">{database.version}</bdi> },
          { label: t('admin.system.size'), value: <Quantity value={count(database.bytes / MB)} unit="MB" /> },
          { label: t('admin.system.answer'), value: <Quantity value={decimal(database.answerMs, 1)} unit="ms" /> },
          {
            label: t('admin.system.clock'),
            value: (
              <>
                <StateGlyph state={database.clockTrouble === null ? 'confirmed' : 'failed'} />{' '}
                {database.clockOffset === null ? DASH : <Quantity value={decimal(database.clockOffset, 1)} unit="s" />}
              </>
            ),
          },
          { label: t('admin.system.migrations'), value: count(database.migrations) },
        ]}
      />
      {database.clockTrouble !== null && (
        <Notice tone="bad" state="failed">
          {t('admin.system.clock-trouble')}
        </Notice>
      )}
    </Panel>
  );
}

function MoveLine({ move: { at, who, what, to, commit, why } }: { move: Remote['history'][number] }) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{who}</bdi> · {t(`admin.system.move.${what}`)} <bdi dir="ltr">{to.canary?.version ?? to.version}</bdi> ·{' '}
      <TimeAgo at={secondsOf(at)} />
      {commit && (
        <>
          {' '}
          · <bdi dir="ltr">{commit}</bdi>
        </>
      )}
      {why && (
        <>
          {' '}
          · <bdi>{why}</bdi>
        </>
      )}
    </>
  );
}

/** The last move, which opens to those before it. */
function Moves({ history: [last, ...before] }: Pick<Remote, 'history'>) {
  if (!last) return DASH;
  if (before.length === 0) return <MoveLine move={last} />;
  return (
    <details>
      <summary>
        <MoveLine move={last} />
      </summary>
      {before.map((move) => (
        <div key={move.at}>
          <MoveLine move={move} />
        </div>
      ))}
    </details>
  );
}

function Remotes({ remotes, onSwitch }: { remotes: readonly Remote[]; onSwitch(name: string): void }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('admin.system.remotes')} padded={false}>
      <div className={parts.scroll}>
        <table className={parts.lines} aria-label={t('admin.system.remotes')}>
          <thead>
            <tr>
              <th scope="col">{t('admin.system.remote')}</th>
              <th scope="col">{t('admin.system.version')}</th>
              <th scope="col">{t('admin.system.canary')}</th>
              <th scope="col">{t('admin.system.switched')}</th>
              <th scope="col">{t('admin.system.there')}</th>
            </tr>
          </thead>
          <tbody>
            {remotes.map(({ name, version, canary, versions, history }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <bdi dir="ltr">{version}</bdi>
                </td>
                <td>
                  {canary ? (
                    <bdi dir="ltr">
                      {canary.version} · {canary.percent} %
                    </bdi>
                  ) : (
                    DASH
                  )}
                </td>
                <td>
                  <Moves history={history} />
                </td>
                <td>
                  <Button
                    size="small"
                    disabled={versions.length < 2}
                    aria-label={`${t('admin.system.switch')} ${name}`}
                    onClick={() => onSwitch(name)}
                  >
                    {t('admin.system.switch')} ({versions.length})
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
