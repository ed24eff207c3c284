/** What is offline: a worker without a share for ten minutes, or, while it is connected, for longer than chance explains. */
import { OFFLINE_AFTER_S } from '@pool/shared/domain';

/** SQL: seconds of silence after which the worker of the row `l` of `worker_live` is offline. */
export const OFFLINE_AFTER = `case
  when l.connected_at is not null and l.disconnected_at is null then greatest(l.silence, ${OFFLINE_AFTER_S})
  else ${OFFLINE_AFTER_S}
end`;

/** SQL: whether the worker of the row `l` is silent since `since` (SQL of Unix seconds, ten minutes ago). */
export const isSilent = (since: string): string =>
  `l.last_share_at + (${OFFLINE_AFTER} - ${OFFLINE_AFTER_S}) * interval '1 second' <= to_timestamp(${since})`;
