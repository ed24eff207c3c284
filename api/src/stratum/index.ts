export { pgAccountDirectory } from './miner/directory';
export { pgLastWork } from './miner/last-difficulties';
export {
  type PoolView,
  startStratumProxy,
  type StratumPort,
  type StratumProxy,
  type StratumProxyOptions,
} from './proxy';
export { poolTester } from './failover/upstreams';
export { parseUpstream, type UpstreamTarget } from './upstream/upstream-target';
export { assertOwn, roundRobin, type Outbound } from './upstream/upstream-socket';
