import { ALGORITHMS, type Arrivals } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { StateGlyph, useFormat, useNow } from '@pool/shared/ui/core';
import { Earns } from './earns';
import { findingsOf, type Finding } from './findings';
import styles from './first-run-page.module.css';

/** Whether a miner is connected, and what to check if none is, or if no share comes. */
export function Listening({ arrivals, port }: { arrivals: Arrivals | undefined; port: number | undefined }) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const now = useNow();
  const findings = arrivals ? findingsOf(arrivals, algorithm, now) : [];
  // A miner with a share is no longer listed, and the dashboard takes a moment to count the share.
  const mining = arrivals?.mining[algorithm] ?? 0;
  const here = arrivals?.connected.filter((miner) => miner.algorithm === algorithm) ?? [];
  const connections = mining + here.length;
  const nameless = arrivals?.nameless.find((miner) => miner.algorithm === algorithm);
  const help = findings.length > 0 ? '' : t('dashboard.firstRun.noConnectionHelp', { port, account });
  const hashrate = here.reduce((sum, miner) => sum + (miner.hashrate ?? 0), 0);
  return (
    <>
      <div className={styles.listening}>
        <span className={styles.pulse} aria-hidden="true">
          <i />
        </span>
        <div role="status">
          <strong>
            {connections > 0
              ? t('dashboard.firstRun.connected', { count: connections })
              : t('dashboard.firstRun.listening', { account })}
          </strong>
          <p>
            {mining > 0
              ? t('dashboard.firstRun.shareHelp')
              : connections > 0
                ? t('dashboard.firstRun.connectedHelp')
                : nameless
                  ? t(`dashboard.firstRun.${nameless.subscribed ? 'subscribed' : 'reached'}`)
                  : `${t('dashboard.firstRun.noConnection')}. ${help}`}
          </p>
        </div>
      </div>
      {here.length > 0 && <Seen miners={here} />}
      {hashrate > 0 && (
        <p>
          <Earns hashrate={hashrate} now={now} />
        </p>
      )}
      <ul className={styles.findings} role="status" aria-label={t('dashboard.firstRun.findings')}>
        {findings.map((finding, index) => (
          // Findings have no other name than their place.
          <li key={index}>
            <StateGlyph state="low" />
            <span>
              <FindingWords finding={finding} port={port} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Seen({ miners }: { miners: Arrivals['connected'] }) {
  const { t } = useTranslation();
  const { difficulty: words } = useFormat();
  return (
    <ul aria-label={t('dashboard.firstRun.seen')}>
      {miners.map(({ worker, software, difficulty, since }) => (
        <li key={`${worker}/${since}`}>
          <bdi>{[worker, software].filter(Boolean).join(' · ')}</bdi>
          {difficulty !== null && (
            <span> · {t('dashboard.firstRun.seenDifficulty', { difficulty: words(difficulty) })}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function FindingWords({ finding, port }: { finding: Finding; port: number | undefined }) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const { difficulty, duration, hashrate } = useFormat();
  const facts = { ...finding };
  const values = {
    account,
    port,
    algorithm: ALGORITHMS[algorithm].label,
    ...facts,
    ...('name' in facts ? { name: facts.name ?? '?' } : {}),
    ...('ago' in facts ? { time: duration(facts.ago, 1) } : {}),
    ...('difficulty' in facts ? { difficulty: difficulty(facts.difficulty) } : {}),
    ...('hashrate' in facts ? { hashrate: hashrate(facts.hashrate) } : {}),
  };
  return t(`dashboard.firstRun.finding.${finding.kind}`, values);
}
