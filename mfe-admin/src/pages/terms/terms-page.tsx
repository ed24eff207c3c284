import { ALGORITHMS, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import type { UseQueryResult } from '@pool/shared/query';
import { lazyPart } from '@pool/shared/remote';
import { PlainTable } from '@pool/shared/ui/table';
import {
  Btc,
  Button,
  DASH,
  Facts,
  formatDay,
  Panel,
  QueryError,
  QueryState,
  Skeleton,
  useFormat,
} from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import { useRead } from '../../api/reads';
import { Page } from '../../parts/page';
import parts from '../../parts/parts.module.css';
import type { Term } from './term-dialog';

const TermDialog = lazyPart([], async () => (await import('./term-dialog')).TermDialog, null);
const PriceDialog = lazyPart([], async () => (await import('./price-dialog')).PriceDialog, null);

type Prices = UseQueryResult<Answer<'GET /prices'>>;
const SHOWN_PRICES = 14;

/** What the pool pays and charges: each value holds from a UTC day on, so that closed days never change. */
export function TermsPage() {
  const { t } = useTranslation();
  const query = useRead(['admin', 'terms'], (api, signal) => api('GET /admin/terms', { signal }));
  const prices = useRead(['admin', 'terms', 'prices'], (api, signal) => api('GET /prices', { signal }));
  const [editing, setEditing] = useState<Term['name'] | 'price' | null>(null);
  const close = () => setEditing(null);
  const { data } = query;
  const term = data?.terms.find(({ name }) => name === editing);
  return (
    <Page error={query.error} title={t('admin.nav.terms')} sub={t('admin.terms.what')}>
      <QueryState query={query}>
        <Skeleton height={360} radius={8} />
      </QueryState>
      {data && (
        <>
          <div className={parts.two}>
            {data.terms.map((each) => (
              <TermPanel key={each.name} term={each} onEdit={() => setEditing(each.name)} />
            ))}
          </div>
          <Prices prices={prices} onEdit={() => setEditing('price')} />
          <Operator terms={data} />
        </>
      )}
      {term && <TermDialog term={term} onClose={close} />}
      {editing === 'price' && <PriceDialog prices={prices.data} onClose={close} />}
    </Page>
  );
}

function Value({ name, value }: { name: Term['name']; value: number }) {
  const { t } = useTranslation();
  const { price, local } = useFormat();
  if (name === 'newbee_cost')
    return value === 0 ? <span>{t('admin.terms.off')}</span> : <bdi dir="ltr">{price(value)} BTC/PH</bdi>;
  return <bdi dir="ltr">{local(String(value))} %</bdi>;
}

function TermPanel({ term: { name, value, history }, onEdit }: { term: Term; onEdit(): void }) {
  const { t } = useTranslation();
  const { language, moment } = useFormat();
  return (
    <Panel
      title={t(`admin.terms.${name}`)}
      extra={
        <Button size="small" aria-label={`${t('admin.edit.open')} ${t(`admin.terms.${name}`)}`} onClick={onEdit}>
          {t('admin.edit.open')}
        </Button>
      }
    >
      <p className={common.figure}>
        <Value name={name} value={value} />
      </p>
      <p className={common.quiet}>{t(`admin.terms.about.${name}`)}</p>
      {history.length > 0 && (
        <Facts
          rows={history.map(({ since, value: then, by, at }) => ({
            key: since,
            label: t('admin.terms.since', { day: formatDay(language, 'utc', since, true) }),
            value: (
              <span title={at === null ? undefined : moment(at)}>
                <Value name={name} value={then} /> <bdi className={common.quiet}>{by}</bdi>
              </span>
            ),
          }))}
        />
      )}
    </Panel>
  );
}

function Operator({ terms: { operator } }: { terms: Answer<'GET /admin/terms'> }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('admin.terms.operator')}>
      <Facts
        rows={[
          { label: t('admin.terms.hold'), value: t('admin.terms.hours', { n: operator.walletHoldHours }) },
          { label: t('admin.terms.threshold'), value: <Btc set sats={operator.defaultThresholdSat} /> },
          {
            label: t('admin.terms.referral'),
            value: t('admin.terms.referral-rate', {
              percent: operator.referralPercent,
              months: operator.referralMonths,
            }),
          },
          { label: t('admin.terms.referral-threshold'), value: <Btc set sats={operator.referralThresholdSat} /> },
          ...operator.upstreams.map(({ algorithm, url }) => ({
            key: url,
            label: `${t('admin.terms.upstream')} ${ALGORITHMS[algorithm].label}`,
            value: url,
          })),
        ]}
      />
      <p className={common.quiet}>{t('admin.terms.operator-hint')}</p>
    </Panel>
  );
}

function Prices({ prices, onEdit }: { prices: Prices; onEdit(): void }) {
  const { t } = useTranslation();
  const { decimal, language, usd } = useFormat();
  const title = (key: string) => ({ key, title: t(`admin.terms.${key}`) });
  return (
    <Panel
      title={t('admin.terms.prices')}
      padded={false}
      extra={
        <Button size="small" onClick={onEdit}>
          {t('admin.terms.set-price')}
        </Button>
      }
    >
      <QueryError query={prices} />
      <PlainTable
        padded
        label={t('admin.terms.prices')}
        columns={[
          { ...title('day'), render: ({ day }) => formatDay(language, 'utc', day, true) },
          { ...title('algorithm'), render: ({ algorithm }) => ALGORITHMS[algorithm].label },
          {
            ...title('price'),
            numeric: true,
            render: ({ priceBtc, algorithm }) => (
              <bdi dir="ltr">
                {decimal(priceBtc, 8)} BTC/{ALGORITHMS[algorithm].priceUnit}
              </bdi>
            ),
          },
          { ...title('btc'), numeric: true, render: ({ btcPriceUsd }) => usd(btcPriceUsd) },
          { ...title('source'), render: ({ source }) => source || DASH },
        ]}
        rows={prices.data?.slice(0, SHOWN_PRICES) ?? []}
        rowKey={({ day, algorithm }) => `${day} ${algorithm}`}
      />
    </Panel>
  );
}
