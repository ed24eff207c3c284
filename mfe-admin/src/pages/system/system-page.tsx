import { ALGORITHMS, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import {
  DASH,
  Facts,
  formatDay,
  Notice,
  Panel,
  Quantity,
  QueryState,
  Skeleton,
  StateGlyph,
  StateMark,
  TimeAgo,
  useFormat,
} from '@pool/shared/ui/core';
import { useState, type ReactNode } from 'react';
import { INTERVAL_MS, useRead } from '../../api/reads';
import { Page } from '../../parts/page';
import parts from '../../parts/parts.module.css';
import { MailsPanel } from './mails-panel';
import { RemotesPanel } from './remotes-panel';

const SwitchDialog = lazyPart([], async () => (await import('./switch-dialog')).SwitchDialog, null);
const FlagDialog = lazyPart([], async () => (await import('./flag-dialog')).FlagDialog, null);
type System = Answer<'GET /admin/system'>;
const secondsOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso) / 1000);
const MB = 1_000_000;

export function SystemPage() {
  const { t } = useTranslation();
  const query = useRead(['admin', 'system'], (api, signal) => api('GET /admin/system', { signal }), {
    refetchInterval: INTERVAL_MS,
  });
  const { duration } = useFormat();
  const [switching, setSwitching] = useState<string | null>(null);
  const [turning, setTurning] = useState<{ name: string; flag: string } | null>(null);
  const { data } = query;
  const remoteOf = (wanted: string | undefined) => data?.remotes.find(({ name }) => name === wanted);
  const remote = remoteOf(switching ?? undefined);
  const flag = remoteOf(turning?.name)?.flags?.find((each) => each.flag === turning?.flag);
  return (
    <Page
      error={query.error}
      title={t('admin.nav.system')}
      sub={data ? t('admin.system.up', { time: duration(data.uptimeSeconds, 2) }) : '\u00a0'}
    >
      <QueryState query={query}>
        <Skeleton height={360} radius={8} />
      </QueryState>
      {data && (
        <>
          <div className={parts.two}>
            <Proxy system={data} />
            <Job system={data} />
            <Database system={data} />
            {data.nodes.length > 0 && <Nodes system={data} />}
            {data.failures.length > 0 && <Failures system={data} />}
          </div>
          <RemotesPanel
            remotes={data.remotes}
            faults={data.remoteFaults}
            onSwitch={setSwitching}
            onFlag={(name, each) => setTurning({ name, flag: each })}
          />
          <MailsPanel />
        </>
      )}
      {remote && <SwitchDialog remote={remote} onClose={() => setSwitching(null)} />}
      {turning && flag && <FlagDialog name={turning.name} flag={flag} onClose={() => setTurning(null)} />}
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
  const { count, dayClock, language } = useFormat();
  const sharesOf = (why: string) =>
    uncounted.filter((each) => each.why === why).reduce((sum, { shares }) => sum + shares, 0);
  const fact = (name: string, value: ReactNode) => ({ label: t(`admin.system.${name}`), value });
  const failed = job?.failed.length ?? 0;
  const wrong = job?.wrongBalances ?? null;
  return (
    <Panel title={t('admin.system.job')}>
      <Facts
        rows={[
          fact(
            'last-run',
            job ? (
              <>
                <StateGlyph state={failed ? 'failed' : job.endedAt === null ? 'pending' : 'confirmed'} />{' '}
                <TimeAgo at={secondsOf(job.startedAt)} />
              </>
            ) : (
              DASH
            ),
          ),
          fact('next-run', job?.nextAt ? <time dateTime={job.nextAt}>{dayClock(job.nextAt)}</time> : DASH),
          failed > 0 && fact('failed-steps', job?.failed.join(', ')),
          fact('closed', closedThrough === null ? DASH : formatDay(language, 'utc', closedThrough, true)),
          fact(
            'ledger',
            wrong === null ? (
              DASH
            ) : (
              <>
                <StateGlyph state={wrong === 0 ? 'confirmed' : 'failed'} />{' '}
                {wrong === 0 ? t('admin.system.ledger-right') : t('admin.system.ledger-wrong', { n: wrong })}
              </>
            ),
          ),
          fact('late', count(lateWork)),
          fact('waiting', count(sharesOf('waiting'))),
          fact('refused', count(sharesOf('refused'))),
        ]}
      />
    </Panel>
  );
}

/** Several processes share the database. */
function Nodes({ system: { nodes } }: { system: System }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <Panel title={t('admin.system.nodes')}>
      <Facts
        rows={nodes.map(({ id, roles, place, isSilent, heartbeat }) => ({
          key: id,
          label: (
            <bdi dir="ltr">
              {id} {roles.join(', ')}
            </bdi>
          ),
          value: (
            <>
              <StateGlyph state={isSilent ? 'failed' : 'confirmed'} />{' '}
              {isSilent ? (
                <>
                  {t('admin.system.node-silent')} <TimeAgo at={secondsOf(heartbeat)} />
                </>
              ) : (
                <bdi dir="ltr">{place}</bdi>
              )}
            </>
          ),
        }))}
      />
      {nodes.map(
        ({ id, holds }) =>
          holds !== null && (
            <Notice key={id} tone="bad" state="failed">
              <bdi dir="ltr">{id}</bdi>:{' '}
              {t('admin.system.node-holds', { id, day: formatDay(language, 'utc', holds, true) })}
            </Notice>
          ),
      )}
    </Panel>
  );
}

function Failures({ system: { failures } }: { system: System }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  return (
    <Panel title={t('admin.system.failures')}>
      <Facts
        rows={failures.map(({ channel, reason, at }) => ({
          key: channel,
          label: (
            <>
              {t(`admin.system.channel.${channel}`)} · <time dateTime={at}>{moment(at)}</time>
            </>
          ),
          value: reason,
        }))}
      />
    </Panel>
  );
}

function Database({ system: { database } }: { system: System }) {
  const { t } = useTranslation();
  const { count, decimal } = useFormat();
  return (
    <Panel title={t('admin.system.database')}>
      <Facts
        rows={[
          { label: t('admin.system.kind'), value: t(`admin.system.kind.${database.kind}`) },
          { label: t('admin.system.version'), value: database.version },
          { label: t('admin.system.size'), value: <Quantity value={count(database.bytes / MB)} unit="MB" /> },
          { label: t('admin.system.answer'), value: <Quantity value={decimal(database.answerMs, 1)} unit="ms" /> },
          {
            label: t('admin.system.clock'),
            value: (
              <>
                <StateGlyph state={database.clockTrouble === null ? 'confirmed' : 'failed'} />{' '}
                <Quantity value={database.clockOffset === null ? null : decimal(database.clockOffset, 1)} unit="s" />
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
