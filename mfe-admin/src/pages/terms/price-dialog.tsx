import { ALGORITHMS, DEFAULT_ALGORITHM, type AlgorithmName, type Answer, type CallOptions } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useBtcPrice } from '@pool/shared/remote';
import { Facts, Notice, useFormat } from '@pool/shared/ui/core';
import { AlgorithmField, Checkbox, NumberField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';

type Props = { prices: Answer<'GET /prices'> | undefined; onClose(): void };
type Price = CallOptions<'PUT /prices'>['body'];

/** A price so many times the last one, or less than this part of it, has to be confirmed: it may be a slip. */
const UNUSUAL = 2;

/** Sets the price of work for today; shown once more before it is valid. */
export function PriceDialog({ prices, onClose }: Props) {
  const { t } = useTranslation();
  const { price: format, usd, count } = useFormat();
  const [algorithm, setAlgorithm] = useState<AlgorithmName>(DEFAULT_ALGORITHM);
  const last = prices?.find((row) => row.algorithm === algorithm);
  const bitcoin = useBtcPrice().data?.price;
  // Undefined: the field still has the last value. Null: the field was emptied.
  const [given, setPrice] = useState<number | null>();
  const [givenUsd, setUsd] = useState<number | null>();
  const [reviewing, setReviewing] = useState(false);
  const [sure, setSure] = useState(false);
  const change = useFormMutation({
    send: (api, body: Price) => api('PUT /prices', { body }),
    reads: [['admin'], ['prices']],
    said: () => t('admin.terms.price-saved'),
    onDone: onClose,
  });
  const priceField = given === undefined ? (last?.priceBtc ?? ALGORITHMS[algorithm].defaultPriceBtc) : given;
  const usdField = givenUsd === undefined ? (bitcoin ?? null) : givenUsd;
  const [priceBtc, btcPriceUsd] = [priceField ?? 0, usdField ?? 0];
  const unit = ALGORITHMS[algorithm].priceUnit;
  const ratio = last ? priceBtc / last.priceBtc : 1;
  const times = Math.max(ratio, 1 / ratio);
  const isUnusual = times >= UNUSUAL;
  return (
    <FormDialog
      title={t('admin.terms.set-price')}
      okText={t(reviewing ? 'admin.terms.save' : 'admin.terms.review')}
      change={change}
      ready={priceBtc > 0 && btcPriceUsd >= 100 && (!reviewing || !isUnusual || sure)}
      onSubmit={() => (reviewing ? change.mutate({ algorithm, priceBtc, btcPriceUsd }) : setReviewing(true))}
      onCancel={() => {
        if (!reviewing) onClose();
        setReviewing(false);
        setSure(false);
      }}
    >
      {reviewing ? (
        <>
          <Facts
            rows={[
              { label: t('admin.terms.algorithm'), value: ALGORITHMS[algorithm].label },
              {
                label: t('admin.terms.price'),
                value: (
                  <bdi dir="ltr">{`${last ? `${format(last.priceBtc)} → ` : ''}${format(priceBtc)} BTC/${unit}`}</bdi>
                ),
              },
              { label: t('admin.terms.btc'), value: usd(btcPriceUsd) },
            ]}
          />
          {isUnusual && (
            <>
              <Notice tone="warn" state="review">
                {t(ratio > 1 ? 'admin.terms.price-more' : 'admin.terms.price-less', {
                  times: count(Number(times.toPrecision(2))),
                })}
              </Notice>
              <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>
                {t('admin.terms.price-sure')}
              </Checkbox>
            </>
          )}
        </>
      ) : (
        <>
          <AlgorithmField
            label={t('admin.terms.algorithm')}
            value={algorithm}
            onChange={(next) => {
              setAlgorithm(next);
              setPrice(undefined);
            }}
          />
          <NumberField
            label={t('admin.terms.price')}
            hint={t('admin.terms.price-help')}
            min={0}
            step={ALGORITHMS[algorithm].defaultPriceBtc / 100}
            suffix={`BTC/${unit}`}
            value={priceField}
            onChange={setPrice}
          />
          <NumberField
            label={t('admin.terms.btc')}
            min={100}
            max={10_000_000}
            suffix="USD"
            value={usdField}
            onChange={setUsd}
          />
        </>
      )}
    </FormDialog>
  );
}
