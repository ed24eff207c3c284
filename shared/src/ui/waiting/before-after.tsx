import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { ShownChange, ShownFacts } from '../../api/contract/waiting';
import { ALGORITHMS } from '../../domain';
import { Btc, Facts, useFormat } from '../core';
import { partsOf } from './look-alike';
import styles from './waiting.module.css';

/** What is in force now, and what will be, each whole. */
export function BeforeAfter({ before, after }: Pick<ShownChange, 'before' | 'after'>) {
  const { t } = useTranslation();
  return (
    <div className={styles.sides}>
      <Side title={t('waiting.before')} facts={before} />
      <Side title={t('waiting.after')} facts={after} />
    </div>
  );
}

function Side({ title, facts }: { title: string; facts: ShownFacts | null }) {
  const { t } = useTranslation();
  const rows = useRows(facts ?? {});
  return (
    <section className={styles.side} aria-label={title}>
      <span className={styles.label}>{title}</span>
      {facts === null ? (
        <span>{t('waiting.nothing')}</span>
      ) : (
        <>
          {rows.length > 0 && <Facts className={styles.facts} rows={rows} />}
          {facts.places && <Places places={facts.places} />}
          {facts.users?.map((user) => (
            <UserLine key={user.name} user={user} />
          ))}
          {facts.payments?.map((payment) => (
            <PaymentLine key={payment.id} payment={payment} />
          ))}
        </>
      )}
    </section>
  );
}

/** A name, with what looks like other letters marked and said. */
export function Name({ text }: { text: string }) {
  const { t } = useTranslation();
  const parts = partsOf(text);
  const isOdd = parts.some(({ odd }) => odd);
  return (
    <bdi className={styles.wraps}>
      {isOdd ? parts.map(({ text: part, odd }, place) => (odd ? <mark key={place}>{part}</mark> : part)) : text}
      {isOdd && <span className={styles.odd}> {t('waiting.lookAlike')}</span>}
    </bdi>
  );
}

/** An address in groups of four, its check characters at the end. */
function Address({ text }: { text: string }) {
  const groups = text.match(/.{1,4}/g) ?? [];
  return (
    <bdi dir="ltr" className={styles.address} aria-label={text}>
      {groups.map((group, place) => (
        <span key={place} className={place === 0 || place >= groups.length - 2 ? styles.check : undefined}>
          {group}
        </span>
      ))}
    </bdi>
  );
}

const Code = ({ text }: { text: string }) => (
  <span dir="ltr">
    <Name text={text} />
  </span>
);

function useRows(facts: ShownFacts): { key: string; label: string; value: ReactNode }[] {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { name, address, algorithm, url, user, password, email, role, money, accounts, on } = facts;
  const row = (key: string, value: ReactNode) =>
    value === undefined ? [] : [{ key, label: t(`waiting.fact.${key}`), value: <span>{value}</span> }];
  return [
    ...row('name', name && <Name text={name} />),
    ...row('algorithm', algorithm && ALGORITHMS[algorithm].label),
    ...row('url', url && <Code text={url} />),
    ...row('user', user && <Code text={user} />),
    ...row('password', password && t(`waiting.password.${password}`)),
    ...row('address', address && <Address text={address} />),
    ...row('email', email === null ? t('waiting.anybody') : email && <Code text={email} />),
    ...row('role', role && t(`waiting.role.${role}`)),
    ...row('money', role === 'viewer' && money ? t('waiting.on') : undefined),
    ...row('accounts', role && role !== 'owner' ? (accounts ? list(accounts, 'unit') : t('waiting.all')) : undefined),
    ...row('state', on === undefined ? undefined : t(on ? 'waiting.on' : 'waiting.off')),
  ];
}

type Place = NonNullable<ShownFacts['places']>[number];

/** Lists of upstream pools, each in its order. */
function Places({ places }: { places: readonly Place[] }) {
  const { t } = useTranslation();
  const titleOf = ({ account, algorithm }: Place) => `${account}, ${ALGORITHMS[algorithm].label}`;
  if (places.length === 0) return <span>{t('waiting.noPools')}</span>;
  return [...new Set(places.map(titleOf))].map((title) => (
    <div key={title}>
      <bdi className={styles.label}>{title}</bdi>
      <ol className={styles.places}>
        {places
          .filter((each) => titleOf(each) === title)
          .map(({ name, url, user, enabled }, place) => (
            <li key={place} className={enabled ? undefined : styles.off}>
              <Name text={name} />: <span>{t(enabled ? 'waiting.used' : 'waiting.unused')}</span>
              <span className={styles.quiet}>
                <Code text={url} /> <Code text={user} />
              </span>
            </li>
          ))}
      </ol>
    </div>
  ));
}

function UserLine({ user }: { user: NonNullable<ShownFacts['users']>[number] }) {
  const { t } = useTranslation();
  const { list, percent } = useFormat();
  const { name, admin, disabled, isLegacyUser, feePercent } = user;
  const words = [
    t(admin ? 'waiting.admin' : 'waiting.miner'),
    ...(disabled ? [t('waiting.disabled')] : []),
    ...(isLegacyUser ? [t('waiting.legacy')] : []),
    ...(feePercent === null ? [] : [t('waiting.fee', { fee: percent(feePercent / 100) })]),
  ];
  return (
    <div>
      <Name text={name} />: <span>{list(words, 'unit')}</span>
    </div>
  );
}

function PaymentLine({ payment }: { payment: NonNullable<ShownFacts['payments']>[number] }) {
  const { t } = useTranslation();
  const { id, account, address, amountSat, status, txid } = payment;
  return (
    <div>
      <span>#{id}</span> <Name text={account} />: <Btc sats={amountSat} />,{' '}
      <span>{t(`waiting.payment.${status}`)}</span>
      {address !== null && <Address text={address} />}
      {txid !== null && <Code text={txid} />}
    </div>
  );
}
