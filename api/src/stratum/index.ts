export { pgAccountDirectory } from './miner/directory';
export { type PoolView, startStratumProxy, type StratumProxy, type StratumProxyOptions } from './proxy';
export type { StratumPort } from './ports';
export { poolTester } from './failover/upstreams';
export { parseUpstream, type UpstreamTarget } from './upstream/upstream-target';
export type { Outbound } from './upstream/upstream-socket';
