import { shorten, type Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Btc,
  CopyButton,
  DASH,
  Facts,
  Panel,
  StateMark,
  formatClock,
  formatDay,
  useFormat,
  useMediaQuery,
} from '@pool/shared/ui/core';
import { formatDays } from './days-text';
import { PayoutLink, useLinkedPayout } from './payout-link';
import styles from './table.module.css';

type Rows = { rows: readonly Payment[] };

/** A table; cards below 900 px, because the columns do not fit a small tablet in every language. */
export function PayoutsList({ rows }: Rows) {
  return useMediaQuery('(max-width: 899px)') ? <PayoutsCards rows={rows} /> : <PayoutsTable rows={rows} />;
}

/** Ref callback: scrolls to the payout named in the URL once its row is rendered. */
const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' });

/** An address or transaction id: displayed shortened, copied in full. */
function Long({ text, label }: { text: string | null; label: string }) {
  if (text === null) return <span className={styles.quiet}>{DASH}</span>;
  return (
    <span className={styles.long}>
      <bdi dir="ltr" title={text}>
        {shorten(text)}
      </bdi>
      <CopyButton value={text} label={label} />
    </span>
  );
}

function Status({ row }: { row: Payment }) {
  const { t, i18n } = useTranslation();
  if (row.reason === 'review') return <StateMark state="review" />;
  if (row.reason === null) return <StateMark state={row.status} />;
  const key = `payments.reason.${row.reason}`;
  // A reason without a translation is a note written by an admin.
  return <StateMark state={row.status}>· {i18n.exists(key) ? t(key) : <bdi>{row.reason}</bdi>}</StateMark>;
}

function Created({ at }: { at: string }) {
  const { language } = useFormat();
  return (
    <time dateTime={at}>
      {formatDay(language, 'utc', at, true)}, {formatClock(language, 'utc', at)}
    </time>
  );
}

function PayoutsTable({ rows }: Rows) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const linked = useLinkedPayout();
  const head = (name: string, className?: string) => (
    <th scope="col" className={className}>
      {t(`payments.col.${name}`)}
    </th>
  );
  const { number, second, third } = styles;
  return (
    <Panel padded={false} className={styles.scroll}>
      <table className={styles.table} aria-label={t('payments.payouts')}>
        <thead>
          <tr>
            {head('created')}
            {head('period', third)}
            {head('amount', number)}
            {head('network-fee', `${number} ${second}`)}
            {head('address')}
            {head('txid')}
            {head('status')}
          </tr>
        </thead>
        {rows.map((row) => (
          <tbody key={row.id}>
            <tr aria-current={row.id === linked ? 'true' : undefined} ref={row.id === linked ? scrollTo : undefined}>
              <th scope="row" className={styles.day}>
                <PayoutLink id={row.id}>
                  <Created at={row.createdAt} />
                </PayoutLink>
              </th>
              <td className={`${styles.quiet} ${third}`}>
                <bdi>{formatDays(language, row.periodFrom, row.periodTo)}</bdi>
              </td>
              <td className={`${number} ${styles.strong}`}>
                <Btc bare sats={row.amountSat} />
              </td>
              <td className={`${number} ${styles.quiet} ${second}`}>
                <Btc bare sats={row.networkFeeSat} />
              </td>
              <td>
                <Long text={row.address} label={t('payments.col.address')} />
              </td>
              <td>
                <Long text={row.txid} label={t('payments.col.txid')} />
              </td>
              <td className={styles.words}>
                <Status row={row} />
              </td>
            </tr>
          </tbody>
        ))}
      </table>
    </Panel>
  );
}

function PayoutsCards({ rows }: Rows) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const linked = useLinkedPayout();
  return (
    <ul className={styles.cards} aria-label={t('payments.payouts')}>
      {rows.map((row) => (
        <li
          key={row.id}
          aria-current={row.id === linked ? 'true' : undefined}
          ref={row.id === linked ? scrollTo : undefined}
        >
          <details className={styles.card} open={row.id === linked}>
            <summary>
              <span>
                <Created at={row.createdAt} />
              </span>
              <span className={styles.strong}>
                <Btc sats={row.amountSat} />
              </span>
              <bdi dir="ltr" className={styles.quiet}>
                {row.address === null ? DASH : shorten(row.address)}
              </bdi>
              <Status row={row} />
            </summary>
            <Facts
              className={styles.more}
              rows={[
                {
                  label: t('payments.col.period'),
                  value: <bdi>{formatDays(language, row.periodFrom, row.periodTo)}</bdi>,
                },
                { label: t('payments.col.network-fee'), value: <Btc sats={row.networkFeeSat} /> },
                {
                  label: t('payments.col.address'),
                  value: <Long text={row.address} label={t('payments.col.address')} />,
                },
                { label: t('payments.col.txid'), value: <Long text={row.txid} label={t('payments.col.txid')} /> },
              ]}
            />
          </details>
        </li>
      ))}
    </ul>
  );
}
