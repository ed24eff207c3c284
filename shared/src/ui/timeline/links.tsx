import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { TimelineEntry } from '../../api/timeline-schemas';
import { TIMEFRAMES, TIMEFRAME_NAMES } from '../../domain';
import { PageLink } from '../../react/page-link';
import { useIsOfAll } from '../../react/services';
import { accountPath } from '../../routes/shell-pages';
import { useNow } from '../core';

type Props = { entry: TimelineEntry; className?: string; children: ReactNode };

/** Opens what an entry is about; words where the user has no such page. */
export function EntryLink({ entry, ...rest }: Props) {
  const now = useNow();
  const isOfAll = useIsOfAll();
  const ofAccount = entry.account === undefined ? '' : `account=${entry.account}`;
  switch (entry.kind) {
    case 'outage':
    case 'dip': {
      const timeframe = TIMEFRAME_NAMES.find((name) => name !== 'h2' && now - entry.at < TIMEFRAMES[name].span);
      return <PageLink {...rest} page="dashboard.overview" search={`?timeframe=${timeframe ?? 'y1'}`} keepWords />;
    }
    case 'off': {
      const place = {
        event: String(entry.event.id),
        sort: 'lost',
        ...(isOfAll ? {} : { account: entry.event.account }),
      };
      return <PageLink {...rest} page="workers.list" search={`?${new URLSearchParams(place)}`} keepWords />;
    }
    case 'switch':
      return <PageLink {...rest} page="workers.pools" search={ofAccount && `?${ofAccount}`} keepWords />;
    case 'price':
      return <PageLink {...rest} page="payments.earnings" keepWords />;
    case 'payout':
      return <PageLink {...rest} page="payments.earnings" search={`?tab=payouts&payout=${entry.payment}`} keepWords />;
    case 'address':
      return <PageLink {...rest} page="payments.settings" search={ofAccount && `&${ofAccount}`} keepWords />;
    case 'member':
      return <Link {...rest} to={accountPath('organization')} />;
    case 'worker':
      return <span {...rest} />;
  }
}
