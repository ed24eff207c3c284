import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Series } from '../../../api/schemas';
import { useFormat } from '../format/context';
import { Hashrate, Percent } from '../pieces/number';
import { GUTTER, lossOf, type Model } from './model';
import s from './hover-card.module.css';

/** `name`: of the series among other lines. */
type Props = { model: Model; series: Series; index: number; rates: boolean; name?: string };

/** Time, hashrate and losses of one point, beside the vertical line on the side with more space. */
export default function HoverCard({ model, series, index, rates, name }: Props): ReactNode {
  const { t, i18n } = useTranslation();
  const { dayClock, day, zone } = useFormat();
  const hs = series.accepted[index] ?? null;
  const at = model.timeOf(index);
  const x = model.x(index);
  const onRight = x - GUTTER < model.plotWidth / 2;
  return (
    <div
      className={s.card}
      dir={i18n.dir()}
      style={onRight ? { left: x + 10, top: model.top + 6 } : { right: model.width - x + 10, top: model.top + 6 }}
      aria-hidden="true"
    >
      <div className={s.time}>
        <bdi>{series.step < 86_400 ? `${dayClock(at)} ${zone(at)}` : day(at)}</bdi>
      </div>
      {hs === null && name === undefined ? (
        <div>{t('ui.chart.noData')}</div>
      ) : (
        <>
          <div className={s.row}>
            <bdi>{name ?? t('ui.chart.hashrate')}</bdi>
            <strong>
              <Hashrate hs={hs} unit={model.unit} />
            </strong>
          </div>
          {name === undefined && (
            <div className={s.row}>
              <span>
                <i className={s.loss} />
                {t('ui.chart.loss')}
              </span>
              <Percent rate={rates ? lossOf(series)[index] : null} />
            </div>
          )}
        </>
      )}
      {model.others.map(({ label, points }) => (
        <div key={label} className={s.row}>
          <bdi>{label}</bdi>
          <Hashrate hs={points[index] ?? null} unit={model.unit} />
        </div>
      ))}
    </div>
  );
}
