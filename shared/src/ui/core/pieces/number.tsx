/** Numbers with less prominent units, left to right and not translated; unknown values are a dash, never zero. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { splitBtc, usdOf, type HashrateUnit } from '../../../domain';
import { useFormat } from '../format/context';
import { DASH } from '../format/numbers';
import { Chip } from './chip';
import s from './number.module.css';

const Dash = () => <span className={s.unknown}>{DASH}</span>;
/** Not a component: tables draw hundreds of them. */
const written = (value: ReactNode, unit?: string | false, title?: string) => (
  <bdi dir="ltr" translate="no" className={s.number} title={title}>
    {value}
    {unit && <span className={s.unit}>{`\u00a0${unit}`}</span>}
  </bdi>
);

/** A hashrate (`hs` in H/s) in its best unit, or in `unit` for columns. */
export function Hashrate({
  hs,
  unit,
  bare = false,
}: {
  hs: number | null | undefined;
  unit?: HashrateUnit;
  /** Whether the unit is left out, because a heading shows it. */
  bare?: boolean;
}) {
  const { hashrate } = useFormat();
  if (hs === null || hs === undefined) return <Dash />;
  const shown = hashrate(hs, unit);
  return written(shown.value, !bare && shown.unit);
}

/** Note beside a hashrate that is measured for less than its window, with its relative error (0.1 is 10 %). */
export function Measuring({ error }: { error: number }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return <Chip>{t('ui.measuring', { error: percent(error) })}</Chip>;
}

type BtcProps = {
  sats: number | null | undefined;
  /** A headline figure, with the exact amount in its title. */
  short?: boolean;
  /** An amount that a person set: as it was set. */
  set?: boolean;
  bare?: boolean;
};

/** An amount of bitcoin: eight decimals with less prominent leading zeros, unless it is `short` or `set`. */
export function Btc({ sats, short = false, set = false, bare = false }: BtcProps) {
  const { btc } = useFormat();
  if (sats === null || sats === undefined) return <Dash />;
  const text = btc(sats, set ? 'set' : short ? 'headline' : 'exact');
  const quiet = short || set ? '' : text.slice(0, splitBtc(sats).quiet.length);
  const digits = (
    <>
      {quiet && <span className={s.zeros}>{quiet}</span>}
      {text.slice(quiet.length)}
    </>
  );
  return written(digits, !bare && 'BTC', short ? `${btc(sats)} BTC` : undefined);
}

/** An amount in dollars: `usd`, or `sats` at `price` for a bitcoin, which users may leave out (`currency`). */
export function Usd(
  props: { usd: number | null | undefined } | { sats: number | null | undefined; price: number | null | undefined },
) {
  const { usd: format, currency } = useFormat();
  if ('sats' in props && currency === 'none') return null;
  const value =
    'usd' in props
      ? props.usd
      : typeof props.sats === 'number' && typeof props.price === 'number'
        ? usdOf(props.sats, props.price)
        : null;
  if (value === null || value === undefined) return <Dash />;
  return written(format(value));
}

/** `rate` 0..1 as `0.59 %`. */
export function Percent({ rate, decimals }: { rate: number | null | undefined; decimals?: number }) {
  const { percent } = useFormat();
  if (rate === null || rate === undefined) return <Dash />;
  return written(percent(rate, decimals));
}

/** A value with its unit: `23 ms`. */
export function Quantity({ value, unit }: { value: string | number | null | undefined; unit: string }) {
  if (value === null || value === undefined) return <Dash />;
  return written(value, unit);
}
