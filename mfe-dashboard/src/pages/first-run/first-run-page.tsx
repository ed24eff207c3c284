import {
  ALGORITHM_NAMES,
  ALGORITHMS,
  minerOptions,
  minerSettings,
  minerUri,
  type AlgorithmName,
  type Connection,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  PageLink,
  useBalance,
  useConnectionInfo,
  useElsewhere,
  useServiceQuery,
  useServices,
  useIsOfAll,
} from '@pool/shared/remote';
import { Link, useSearchParams } from '@pool/shared/router';
import {
  canShare,
  Check,
  ChooseAccount,
  CopyField,
  Loading,
  Notice,
  PageHeader,
  QrCode,
  QueryError,
  ShareButton,
  Skeleton,
  useFormat,
  usePhone,
  VisuallyHidden,
} from '@pool/shared/ui/core';
import { SETUP_PATH } from '@pool/shared/public-pages';
import { PayoutPanels } from '@pool/shared/ui/payout';
import { Suspense, type ReactNode } from 'react';
import { WorkerName } from '../worker-name';
import styles from './first-run-page.module.css';
import { Listening } from './listening';
import { TellStopped } from './tell-stopped';

export { FirstDay, type FirstDayProps } from './earns';

/** While waiting for a miner: the server sends no event for a connection. */
const REFETCH_MS = 4_000;

export const FirstRunPage = () => (useIsOfAll() ? <ChooseAccount /> : <FirstSteps />);

/** Steps to connect the first worker of the algorithm. With its first share the dashboard replaces this page. */
function FirstSteps() {
  const { t } = useTranslation();
  const { session, ability } = useServices();
  const info = useConnectionInfo();
  const connection = info.data?.find(({ algorithm }) => algorithm === session.algorithm);
  const { data: arrivals } = useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['upstreams', 'arrivals', { account }],
    queryFn: ({ signal }) => api('GET /arrivals', { query: { userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));
  const hasShare = (arrivals?.mining[session.algorithm] ?? 0) > 0;
  const isConnected = hasShare || arrivals?.connected.some(({ algorithm }) => algorithm === session.algorithm);
  const others = ALGORITHM_NAMES.filter((name) => name !== session.algorithm).map((name) => ALGORITHMS[name].label);
  const elsewhere = useElsewhere();
  const { label } = ALGORITHMS[session.algorithm];
  const title = elsewhere ? t('dashboard.firstRun.titleAlso', { algorithm: label }) : t('dashboard.firstRun.title');
  return (
    <>
      <PageHeader
        title={elsewhere === undefined ? '\u00a0' : title}
        sub={elsewhere ? <Elsewhere {...elsewhere} label={label} /> : t('dashboard.firstRun.lead')}
      />
      <QueryError query={info} className={styles.error} />
      {connection?.upstream === false && (
        <div className={styles.error}>
          <Notice tone="warn" state="down">
            {t('dashboard.firstRun.noUpstream', { algorithm: label })}
          </Notice>
        </div>
      )}
      <section className={styles.panel} aria-label={title}>
        <ol className={styles.steps}>
          <Step
            done={isConnected}
            title={t('dashboard.firstRun.point')}
            help={
              <>
                <span>{t(`dashboard.firstRun.${session.algorithm}`)}</span>
                {others.length > 0 && ability.can('read', 'algorithm-list') && (
                  <span> {t('dashboard.firstRun.switch', { algorithm: others.join(', ') })}</span>
                )}
              </>
            }
          >
            {connection ? <Url of={connection} /> : <Waiting />}
          </Step>
          <Step done={isConnected} title={t('dashboard.firstRun.name')} help={t('dashboard.firstRun.nameHelp')}>
            {connection ? <NameAndPassword of={connection} /> : <Waiting />}
          </Step>
          <Step done={hasShare} title={t('dashboard.firstRun.wait')} help={t('dashboard.firstRun.waitHelp')}>
            <Listening arrivals={arrivals} port={connection?.port} />
            {ability.can('manage', 'person') && <TellStopped />}
          </Step>
        </ol>
        <OtherDevice of={connection} />
      </section>
      <NextSteps />
      <Address />
    </>
  );
}

/** The account is not new: it mines with another algorithm. */
function Elsewhere({ algorithm, total, label }: { algorithm: AlgorithmName; total: number; label: string }) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const there = new URLSearchParams(params);
  there.set('algorithm', algorithm);
  const other = ALGORITHMS[algorithm].label;
  return (
    <span>
      {t('dashboard.firstRun.elsewhere', { count: total, other, algorithm: label })}{' '}
      <Link to={{ search: there.toString() }}>{t('dashboard.firstRun.show', { algorithm: other })}</Link>
    </span>
  );
}

type StepProps = { done?: boolean; title: string; help: ReactNode; children: ReactNode };

function Step({ done = false, title, help, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <li className={styles.step} data-done={done || undefined}>
      {done && <Check className={styles.check} strokeWidth={2.5} />}
      <h2>
        {title}
        {done && <VisuallyHidden> ({t('dashboard.firstRun.done')})</VisuallyHidden>}
      </h2>
      <p>{help}</p>
      <div className={styles.fields}>{children}</div>
    </li>
  );
}

const Waiting = () => (
  <Loading>
    <Skeleton height={44} />
  </Loading>
);

type OfConnection = { of: Connection };

function Url({ of }: OfConnection) {
  const { t } = useTranslation();
  const { url } = minerSettings(of);
  return (
    <CopyField
      size="large"
      showLabel
      label={t('dashboard.connection.url')}
      value={url}
      display={
        <>
          {url.replace(/\d+$/, '')}
          <wbr />
          {of.port}
        </>
      }
    />
  );
}

function NameAndPassword({ of: { exampleUser, passwordSet, port }, of }: OfConnection) {
  const { t } = useTranslation();
  const settings = minerSettings(of);
  return (
    <>
      <CopyField
        size="large"
        showLabel
        label={t('dashboard.connection.worker')}
        value={exampleUser}
        display={<WorkerName user={exampleUser} />}
      />
      {passwordSet ? (
        <p>
          {t('dashboard.connection.password')}: {t('dashboard.connection.passwordSet')}
        </p>
      ) : (
        <CopyField
          size="large"
          showLabel
          label={t('dashboard.connection.password')}
          value={settings.password}
          display={
            <>
              {settings.password} <em className={styles.aside}>{t('dashboard.connection.anything')}</em>
            </>
          }
        />
      )}
      <p>{t('dashboard.firstRun.line')}</p>
      <CopyField size="large" label={t('dashboard.firstRun.line')} value={minerOptions(settings)} />
      <p>
        <Link to={`${SETUP_PATH}?user=${exampleUser}&port=${port}`}>{t('dashboard.firstRun.model')}</Link> ·{' '}
        <PageLink page="workers.connection">{t('dashboard.firstRun.software')}</PageLink>
      </p>
    </>
  );
}

/** The address for another device: a code to scan, on a phone, whose own screen nobody scans, a link to hand on. */
function OtherDevice({ of }: Partial<OfConnection>) {
  const { t } = useTranslation();
  const phone = usePhone();
  if (phone && !canShare()) return null;
  return (
    <div className={styles.scan}>
      {!phone && (
        <div className={styles.code}>
          {of && <QrCode value={minerUri(minerSettings(of))} label={t('dashboard.firstRun.scan')} size={176} />}
        </div>
      )}
      <h2>{t(phone ? 'dashboard.firstRun.send' : 'dashboard.firstRun.scan')}</h2>
      <p>{t(phone ? 'dashboard.firstRun.sendHelp' : 'dashboard.firstRun.scanHelp')}</p>
      {phone && of && <ShareButton text={minerUri(minerSettings(of))} />}
    </div>
  );
}

/** The payout address, as long as there is none: set here, it needs no other page. */
function Address() {
  const { session, ability, queryClient } = useServices();
  const { data } = useBalance();
  if (data?.nextPayout.reason !== 'no_address' || !ability.can('manage', 'wallet')) return null;
  return (
    <div className={styles.address}>
      <Suspense>
        <PayoutPanels
          account={session.account}
          onAddress={() => void queryClient.invalidateQueries({ queryKey: ['payments'] })}
        />
      </Suspense>
    </div>
  );
}

function NextSteps() {
  const { t } = useTranslation();
  const { btc } = useFormat();
  const threshold = useBalance().data?.thresholdSat;
  const steps = ['share', 'settle', 'close', 'payout'] as const;
  return (
    <section className={styles.next} aria-label={t('dashboard.firstRun.next')}>
      {steps.map((step) => (
        <div key={step}>
          <p className={styles.when}>
            {step === 'payout'
              ? threshold !== undefined && t('dashboard.firstRun.payout.when', { amount: btc(threshold, 'set') })
              : t(`dashboard.firstRun.${step}.when`)}
          </p>
          <h2>{t(`dashboard.firstRun.${step}`)}</h2>
          <p>{t(`dashboard.firstRun.${step}.what`)}</p>
        </div>
      ))}
    </section>
  );
}
