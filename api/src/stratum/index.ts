export { pgAccountDirectory } from './miner/directory';
export {
  type PoolView,
  startStratumProxy,
  type StratumPort,
  type StratumProxy,
  type StratumProxyOptions,
} from './proxy';
export { poolTester } from './failover/upstreams';
export { parseUpstream, type UpstreamTarget } from './upstream/upstream-target';
export type { Outbound } from './upstream/upstream-socket';
