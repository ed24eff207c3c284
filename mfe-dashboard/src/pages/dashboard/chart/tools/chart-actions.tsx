import { ALGORITHMS, hashrateUnit, unitLabel, type Series, type Timeframe } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAccountName, useServices } from '@pool/shared/remote';
import {
  Button,
  Download,
  downloadChartPng,
  downloadCsv,
  Dropdown,
  type MenuProps,
  SlidersHorizontal,
  useFormat,
  useToasts,
} from '@pool/shared/ui/core';
import type { RefObject } from 'react';
import { useChartPlace } from '../chart-place';
import { chartCsv } from './chart-csv';
import { EventKey } from './chart-marks';
import { COMPARED, comparedOf, isComparable } from './compared';

const NONE = 'none';

type DownloadsProps = { timeframe: Timeframe; series: Series; picture: RefObject<SVGSVGElement | null> };

export function ChartActions(props: DownloadsProps) {
  return (
    <>
      <ViewMenu timeframe={props.timeframe} />
      <Downloads {...props} />
    </>
  );
}

function ViewMenu({ timeframe }: { timeframe: Timeframe }) {
  const { t } = useTranslation();
  const [{ compare, events }, set] = useChartPlace();
  const shown = comparedOf(compare, timeframe);
  const compared = [undefined, ...COMPARED].map((name) => ({
    key: name ?? NONE,
    label: t(`dashboard.compare.${name ?? NONE}`),
    disabled: name && !isComparable(timeframe, name),
    onClick: () => set({ compare: name }),
  }));
  const items: MenuProps['items'] = [
    { key: 'compare', type: 'group', label: t('dashboard.compare'), children: compared },
    { type: 'divider' },
    {
      key: 'key',
      type: 'group',
      label: <EventKey />,
      children: [
        {
          key: 'events',
          label: t('dashboard.events.show'),
          role: 'menuitemcheckbox',
          'aria-checked': events === 'on',
          onClick: () => set({ events: events === 'on' ? 'off' : 'on' }),
        },
      ],
    },
  ];
  return (
    <Dropdown menu={{ items, selectedKeys: [shown ?? NONE] }}>
      <Button type="text" size="small" aria-label={t('dashboard.view')} icon={<SlidersHorizontal />} />
    </Dropdown>
  );
}

function Downloads({ timeframe, series, picture }: DownloadsProps) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const name = useAccountName();
  const [{ group }] = useChartPlace();
  const toasts = useToasts();
  const format = useFormat();
  /** `hashrate-northfield-SCRYPT-d7.csv` */
  const fileOf = (ending: string) =>
    `hashrate-${[account, group, algorithm, timeframe].filter(Boolean).join('-')}.${ending}`;
  const moment = (at: number) => format.dayClock(at, true);
  /** What the picture shows: account, algorithm, unit, period, zone. */
  const captionOf = ({ accepted }: Series, { from, to }: DOMStringMap) =>
    [
      t('dashboard.hashrate'),
      name,
      ...(group ? [group] : []),
      ALGORITHMS[algorithm].label,
      unitLabel(hashrateUnit(Math.max(0, ...accepted.map((hs) => hs ?? 0)))),
      `${moment(Number(from))} – ${moment(Number(to))} ${format.zone(Number(from))}`,
    ]
      .map(format.isolated)
      .join(' · ');
  const csv = () => downloadCsv(fileOf('csv'), ...chartCsv(series));
  const png = () =>
    picture.current &&
    void downloadChartPng(fileOf('png'), picture.current, captionOf(series, picture.current.dataset)).catch(() =>
      toasts.error(t('dashboard.pngFailed')),
    );
  return (
    <Dropdown
      menu={{
        items: [
          { key: 'csv', label: t('dashboard.downloadCsv'), onClick: csv },
          { key: 'png', label: t('dashboard.downloadPng'), onClick: png },
        ],
      }}
    >
      <Button type="text" size="small" aria-label={t('dashboard.download')} icon={<Download />} />
    </Dropdown>
  );
}
