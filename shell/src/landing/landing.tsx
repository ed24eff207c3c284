import { ALGORITHMS, type PublicConfig } from '@pool/shared';
import { useTranslation, type i18n } from '@pool/shared/i18n';
import { CALCULATOR_PATH, SETUP_PATH, FAQ_PATH } from '@pool/shared/public-pages';
import { ArrowRight, CopyField, FormatProvider, LucideProvider, whenIdle } from '@pool/shared/ui/core';
import { Suspense, useEffect, useState, type ReactNode, lazy, type ComponentType } from 'react';
import { PageFooter } from '../layout/page-footer';
import { useAnswer, type LandingData } from './data';
import { HashratePanel } from './hashrate-panel';
import { PoolStrip } from './pool-strip';
import styles from './landing.module.css';
import brand from '../layout/brand.module.css';
import { Mark } from '../layout/mark';

/** A part outside the first screen, loaded with its texts when the browser is idle, left out when it cannot be. */
const idlePart = <P extends object>(instance: i18n, load: () => Promise<ComponentType<P>>, texts?: string) =>
  lazy<ComponentType<P>>(async () => {
    await new Promise<void>((resolve) => whenIdle(resolve));
    return Promise.all([load(), texts && instance.loadNamespaces(texts)]).then(
      ([part]) => ({ default: part }),
      () => ({ default: () => null }),
    );
  });

function LandingHeader({ signInUrl, signUpUrl }: { signInUrl: string; signUpUrl: string }) {
  const { t, i18n } = useTranslation();
  const [LanguageSwitch] = useState(() =>
    idlePart(i18n, async () => (await import('../layout/bar/language-switch')).LanguageSwitch),
  );
  return (
    <header className={styles.header}>
      <a href="/" className={`${brand.brand} ${styles.brand}`} aria-label="Mining Pool">
        <Mark /> <span className={`${brand.name} ${styles.name}`}>Mining Pool</span>
      </a>
      <nav className={styles.links} aria-label={t('nav.main')}>
        <span className={styles.pages}>
          <a href={CALCULATOR_PATH}>{t('public.calculator')}</a>
          <a href={FAQ_PATH}>{t('public.faq')}</a>
        </span>
        <span className={styles.language}>
          <Suspense>
            <LanguageSwitch />
          </Suspense>
        </span>
        <a href={signInUrl} className={styles.quiet}>
          {t('landing.signIn')}
        </a>
        <a href={signUpUrl} className={`${styles.button} ${styles.wideOnly}`}>
          {t('landing.signUp')}
        </a>
      </nav>
    </header>
  );
}

export function Landing({ config, data }: { config: PublicConfig; data: LandingData }) {
  const { t, i18n: instance } = useTranslation();
  const [BonusForm] = useState(() =>
    idlePart(instance, async () => (await import('./bonus/bonus-form')).default, 'bonus'),
  );
  const [Day] = useState(() => idlePart(instance, async () => (await import('./day/day')).default, 'day'));
  const [Shares] = useState(() => idlePart(instance, async () => (await import('./day/shares')).default, 'day'));
  const [Incidents] = useState(() => idlePart(instance, async () => (await import('./day/incidents')).default, 'day'));
  const { signUpUrl, signInUrl } = config.identity;
  useEffect(() => {
    document.title = `Mining Pool · ${t('landing.title')}`;
  }, [t]);
  return (
    <FormatProvider language={instance.resolvedLanguage ?? 'en'} timeZone="utc">
      <LucideProvider size={16} strokeWidth={1.75}>
        <div className={styles.page}>
          <LandingHeader signInUrl={signInUrl} signUpUrl={signUpUrl} />
          <main>
            <div className={styles.hero}>
              <div>
                <h1 className={styles.headline}>
                  {t('landing.headline1')}
                  <br />
                  {t('landing.headline2')}
                </h1>
                <p className={styles.lead}>{t('landing.promise')}</p>
                <div className={styles.actions}>
                  <a href={signUpUrl} className={styles.primary}>
                    {t('landing.start')}
                  </a>
                  <a href={CALCULATOR_PATH} className={`${styles.button} ${styles.profit}`}>
                    {t('landing.profit')}
                  </a>
                </div>
              </div>
              <HashratePanel data={data} />
            </div>
            <PoolStrip data={data} />
            <div className={styles.shares}>
              <Suspense>
                <Shares data={data} />
              </Suspense>
            </div>
            <ol className={styles.steps}>
              <Step number={1} title={t('landing.step1')} text={t('landing.step1Text')}>
                <a href={signUpUrl} className={styles.button}>
                  {t('landing.signUp')} <ArrowRight data-mirrored />
                </a>
              </Step>
              <Step number={2} title={t('landing.step2')} text={t('landing.step2Text')}>
                <Address connection={data.connection} />
                <a href={SETUP_PATH} className={styles.setup}>
                  {t('public.setup')}
                </a>
              </Step>
              <Step number={3} title={t('landing.step3')} text={t('landing.step3Text')}>
                <a href={signInUrl} className={styles.button}>
                  {t('landing.signIn')}
                </a>
              </Step>
            </ol>
            <Suspense>
              <Day data={data} />
            </Suspense>
            <Suspense>
              <Incidents data={data} />
            </Suspense>
            <section className={styles.bonus}>
              <Suspense>
                <BonusForm />
              </Suspense>
            </section>
          </main>
          <div className={styles.footer}>
            <PageFooter supportEmail={config.supportEmail} />
          </div>
        </div>
      </LucideProvider>
    </FormatProvider>
  );
}

type StepProps = { number: number; title: string; text: string; children: ReactNode };
const Step = ({ number, title, text, children }: StepProps) => (
  <li className={styles.step}>
    <span className={styles.number} aria-hidden>
      {number}
    </span>
    <h2 className={styles.stepTitle}>{title}</h2>
    <p className={styles.stepText}>{text}</p>
    <div className={styles.stepAction}>{children}</div>
  </li>
);

function Address({ connection }: Pick<LandingData, 'connection'>) {
  const { t } = useTranslation();
  const known = useAnswer(connection);
  if (known === undefined) return <div className={styles.fieldPlace} />;
  if (!known?.length) return <p className={styles.failed}>{t('landing.failed')}</p>;
  return known.map(({ algorithm, host, port }) => (
    <div key={algorithm} className={styles.address}>
      <p className={styles.algorithm}>{ALGORITHMS[algorithm].label}</p>
      <CopyField
        value={`stratum+tcp://${host}:${port}`}
        label={`${t('landing.step2')}, ${ALGORITHMS[algorithm].label}`}
      />
    </div>
  ));
}
