import { ALGORITHMS, SATS_PER_BTC, type Earning } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Btc,
  ChevronRight,
  DASH,
  Facts,
  formatDay,
  Hashrate,
  StateMark,
  Usd,
  useFormat,
  useMediaQuery,
} from '@pool/shared/ui/core';
import { AMOUNT, DataTable, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo, useState, type ReactNode } from 'react';
import { accountOf, linesOf, onlyPart, type Day, type Line } from './ledger';
import styles from '../table.module.css';

type OnMath = (earning: Earning) => void;
type Props = { days: readonly Day[]; loading: boolean; empty: ReactNode; onMath: OnMath };
const isDay = ({ day, part }: Line) => part === null || part === onlyPart(day);
const keyOf = (line: Line) =>
  isDay(line) ? line.day.day : `${line.day.day}/${line.part?.account}/${line.part?.algorithm}`;
const groupOf = ({ day }: Line) => day.day;

/** Earnings by day, newest first. A day opens into its algorithms; on paper all are open. */
export function EarningsList({ days, onMath, ...props }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const paper = useMediaQuery('print');
  const lines = useMemo(
    () => linesOf(days, paper ? new Set(days.map(({ day }) => day)) : opened),
    [days, opened, paper],
  );
  return (
    <DataTable
      {...props}
      rows={lines}
      label={t('payments.earnings')}
      columns={useColumns(days, opened, setOpened, onMath)}
      rowKey={keyOf}
      groupOf={groupOf}
      above={640}
      card={(line) =>
        line.part && !isDay(line) ? (
          <PartFacts part={line.part} onMath={onMath} />
        ) : (
          <Card day={line.day} onMath={onMath} />
        )
      }
    />
  );
}

/** Price of the day, in bitcoin per PH/s (SHA256) or TH/s (SCRYPT). */
function DayPrice({ row: { priceBtc, algorithm } }: { row: Earning }) {
  const { t } = useTranslation();
  return (
    <span title={t('payments.col.price-unit', { unit: ALGORITHMS[algorithm].priceUnit })}>
      <Btc bare sats={Math.round(priceBtc * SATS_PER_BTC)} />
    </span>
  );
}

const Referral = ({ sats, bare }: { sats: number; bare?: boolean }) =>
  sats === 0 ? DASH : <Btc bare={bare} sats={sats} />;

/** What a line says of each algorithm, one below the other: in the day's own line too no column is empty. */
const Each = ({ of: { day, part }, show }: { of: Line; show(part: Earning): ReactNode }) =>
  (part ? [part] : day.sums).map((one) => (
    <span key={`${one.account}/${one.algorithm}`} className={styles.each}>
      {show(one)}
    </span>
  ));

const algorithmsOf = ({ parts }: Day): string =>
  [...new Set(parts.map(({ algorithm }) => ALGORITHMS[algorithm].label))].join(' + ');

/** Opens how an earning was computed, which is known once its day is closed. */
function MathButton({ part, onMath }: { part: Earning; onMath: OnMath }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const name = `${formatDay(language, 'utc', part.day, true)}, ${ALGORITHMS[part.algorithm].label}`;
  return (
    <button
      type="button"
      className={styles.math}
      aria-label={`${t('payments.math.show')}, ${name}`}
      onClick={() => onMath(part)}
    >
      {t('payments.math.show')}
    </button>
  );
}

/** An amount, and what it was worth at the price of its day. */
const AtPrice = ({ sats, price, bare }: { sats: number; price: number | null; bare?: boolean }) => (
  <>
    <Btc bare={bare} sats={sats} />
    <small className={styles.usd}>
      <Usd sats={sats} price={price} />
    </small>
  </>
);

/** A column that would say the same in each row (the account of a ledger of one, no referral) is left out. */
function useColumns(
  days: readonly Day[],
  opened: ReadonlySet<string>,
  onOpened: (days: ReadonlySet<string>) => void,
  onMath: OnMath,
): DataColumn<Line>[] {
  const { t } = useTranslation();
  const accounts = new Set(days.flatMap(({ parts }) => parts.map(({ account }) => account))).size;
  const hasReferral = days.some(({ referralSat }) => referralSat !== 0);
  return useMemo(() => {
    const { quiet } = common;
    const { strong, day: ofDay } = styles;
    const number = (
      key: string,
      width: number,
      render: DataColumn<Line>['render'],
      more: Partial<DataColumn<Line>> = {},
    ): DataColumn<Line> => ({ key, title: t(`payments.col.${key}`), width, render, numeric: true, ...more });
    const valueOf = ({ day, part }: Line) => part ?? day;
    const columns: (DataColumn<Line> | false)[] = [
      {
        key: 'day',
        title: t('payments.col.day'),
        width: 112,
        names: true,
        once: true,
        className: ofDay,
        render: (line) => <Opener line={line} opened={opened} onOpened={onOpened} />,
      },
      accounts > 1 && {
        key: 'account',
        title: t('payments.col.account'),
        width: 136,
        render: ({ day, part }: Line) => <bdi>{part?.account ?? accountOf(day) ?? t('ui.allAccounts')}</bdi>,
      },
      {
        key: 'algorithm',
        title: t('payments.col.algorithm'),
        width: 90,
        className: quiet,
        render: (line) => <Each of={line} show={({ algorithm }) => ALGORITHMS[algorithm].label} />,
      },
      number('hashrate', 104, (line) => <Each of={line} show={(part) => <Hashrate hs={part.meanHashrate} />} />),
      number('price', AMOUNT, (line) => <Each of={line} show={(part) => <DayPrice row={part} />} />, {
        drop: 1,
        className: quiet,
      }),
      number('gross', AMOUNT, (line) => <Btc bare sats={valueOf(line).grossSat} />),
      number('fee', AMOUNT, (line) => <Btc bare sats={valueOf(line).feeSat} />, { drop: 1, className: quiet }),
      hasReferral &&
        number('referral', AMOUNT, (line) => <Referral bare sats={valueOf(line).referralSat} />, {
          title: <span title={t('payments.col.referral-hint')}>{t('payments.col.referral')}</span>,
          drop: 2,
          className: quiet,
        }),
      number('net', AMOUNT, (line) => <AtPrice bare sats={valueOf(line).netSat} price={valueOf(line).btcPriceUsd} />, {
        className: strong,
      }),
      number('btc-price', 112, (line) => <Usd usd={line.day.btcPriceUsd} />, { drop: 2, className: quiet }),
      {
        key: 'status',
        title: t('payments.col.status'),
        width: 146,
        render: (line) => (
          <>
            <StateMark state={valueOf(line).status} />
            {line.part && line.part.status !== 'estimated' && <MathButton part={line.part} onMath={onMath} />}
          </>
        ),
      },
    ];
    return columns.filter((column) => column !== false);
  }, [t, accounts, hasReferral, opened, onOpened, onMath]);
}

const DayText = ({ day }: { day: string }) => {
  const { language } = useFormat();
  return <time dateTime={day}>{formatDay(language, 'utc', day)}</time>;
};

type OpenerProps = { line: Line; opened: ReadonlySet<string>; onOpened: (days: ReadonlySet<string>) => void };

/** The day; a button that opens it when it has more than one part. */
function Opener({ line, opened, onOpened }: OpenerProps) {
  const { day } = line.day;
  const text = <DayText day={day} />;
  if (!isDay(line) || onlyPart(line.day)) return <span className={styles.single}>{text}</span>;
  const isOpen = opened.has(day);
  return (
    <button
      type="button"
      className={styles.opener}
      aria-expanded={isOpen}
      onClick={() => onOpened(new Set(isOpen ? [...opened].filter((other) => other !== day) : [...opened, day]))}
    >
      <ChevronRight size={14} />
      {text}
    </button>
  );
}

function Card({ day, onMath }: { day: Day; onMath: OnMath }) {
  const { t } = useTranslation();
  const only = onlyPart(day);
  return (
    <details className={styles.card}>
      <summary className={common.card}>
        <span className={common.strong}>
          <DayText day={day.day} /> · <bdi>{accountOf(day) ?? t('ui.allAccounts')}</bdi>
        </span>
        <span className={styles.strong}>
          <AtPrice sats={day.netSat} price={day.btcPriceUsd} />
        </span>
        <span className={common.quiet}>
          {only && (
            <span>
              <Hashrate hs={only.meanHashrate} /> ·{' '}
            </span>
          )}
          <span>{algorithmsOf(day)}</span>
        </span>
        <StateMark state={day.status} />
      </summary>
      {day.parts.map((part) => (
        <PartFacts key={`${part.account}/${part.algorithm}`} part={part} onMath={onMath} />
      ))}
    </details>
  );
}

function PartFacts({ part, onMath }: { part: Earning; onMath: OnMath }) {
  const { t } = useTranslation();
  return (
    <Facts
      className={styles.more}
      rows={[
        { label: `${part.account} · ${ALGORITHMS[part.algorithm].label}`, value: <Hashrate hs={part.meanHashrate} /> },
        { label: t('payments.col.price'), value: <DayPrice row={part} /> },
        { label: t('payments.col.gross'), value: <Btc sats={part.grossSat} /> },
        { label: t('payments.col.fee'), value: <Btc sats={part.feeSat} /> },
        { label: t('payments.col.referral'), value: <Referral sats={part.referralSat} /> },
        { label: t('payments.total-net'), value: <Btc sats={part.netSat} /> },
        { label: t('payments.col.btc-price'), value: <Usd usd={part.btcPriceUsd} /> },
        part.status !== 'estimated' && {
          label: <StateMark state={part.status} />,
          value: <MathButton part={part} onMath={onMath} />,
        },
      ]}
    />
  );
}
