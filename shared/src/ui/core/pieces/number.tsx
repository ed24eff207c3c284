/** Numbers with less prominent units. Left to right in every language; unknown values are a dash, never zero. */
import { useTranslation } from 'react-i18next';
import { displayHashrate, formatBtc, splitBtc, usdOf, type HashrateUnit } from '../../../domain';
import { useFormat } from '../format/context';
import { DASH } from '../format/numbers';
import { Chip } from './small';
import s from './number.module.css';

const Dash = () => <span className={s.unknown}>{DASH}</span>;

/** A hashrate (`hs` in H/s) in its best unit, or in `unit` for columns. */
export function Hashrate({
  hs,
  unit,
  bare = false,
}: {
  hs: number | null | undefined;
  unit?: HashrateUnit;
  /** Without the unit, when a heading shows it. */
  bare?: boolean;
}) {
  if (hs === null || hs === undefined) return <Dash />;
  const shown = displayHashrate(hs, unit);
  return (
    <bdi dir="ltr" className={s.number}>
      {shown.value}
      {!bare && (
        <span className={s.unit}>
          {'\u00a0'}
          {shown.unit}
        </span>
      )}
    </bdi>
  );
}

/** Note beside a hashrate that is measured for less than its window, with its relative error (0.1 is 10 %). */
export function Measuring({ error }: { error: number }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return <Chip>{t('ui.measuring', { error: percent(error) })}</Chip>;
}

const HEADLINE_DECIMALS = 5;
/** Five decimals, cut and not rounded, so that a balance never shows as larger. All eight when five would show zero. */
function headline(sats: number): string {
  const text = formatBtc(sats);
  const cut = text.slice(0, HEADLINE_DECIMALS - 8);
  const trimmed = cut.replace(/0+$/, '').replace(/\.$/, '');
  return sats !== 0 && Number(cut) === 0 ? text : trimmed;
}

type BtcProps = {
  sats: number | null | undefined;
  /**
   * For headline figures: five decimals, the exact amount in the title. Otherwise eight, with less prominent leading
   * zeros.
   */
  short?: boolean;
  bare?: boolean;
};

export function Btc({ sats, short = false, bare = false }: BtcProps) {
  if (sats === null || sats === undefined) return <Dash />;
  const { quiet, strong } = short ? { quiet: '', strong: headline(sats) } : splitBtc(sats);
  return (
    <bdi dir="ltr" className={s.number} title={short ? `${formatBtc(sats)} BTC` : undefined}>
      {quiet && <span className={s.zeros}>{quiet}</span>}
      {strong}
      {!bare && <span className={s.unit}>{'\u00a0'}BTC</span>}
    </bdi>
  );
}

/** An amount in dollars: `usd`, or `sats` at `price` for one bitcoin. */
export function Usd(
  props: { usd: number | null | undefined } | { sats: number | null | undefined; price: number | null | undefined },
) {
  const { usd: format } = useFormat();
  const value =
    'usd' in props
      ? props.usd
      : typeof props.sats === 'number' && typeof props.price === 'number'
        ? usdOf(props.sats, props.price)
        : null;
  if (value === null || value === undefined) return <Dash />;
  return (
    <bdi dir="ltr" className={s.number}>
      {format(value)}
    </bdi>
  );
}

/** `rate` 0..1 as `0.59 %`. */
export function Percent({ rate, decimals }: { rate: number | null | undefined; decimals?: number }) {
  const { percent } = useFormat();
  if (rate === null || rate === undefined) return <Dash />;
  return (
    <bdi dir="ltr" className={s.number}>
      {percent(rate, decimals)}
    </bdi>
  );
}

/** A value with its unit: `23 ms`. */
export function Quantity({ value, unit }: { value: string | number | null | undefined; unit: string }) {
  if (value === null || value === undefined) return <Dash />;
  return (
    <bdi dir="ltr" className={s.number}>
      {value}
      <span className={s.unit}>
        {'\u00a0'}
        {unit}
      </span>
    </bdi>
  );
}
