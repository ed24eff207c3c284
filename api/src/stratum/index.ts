export { pgAccountDirectory } from './miner/directory';
export { pgLastWork } from './miner/last-difficulties';
export { startStratumProxy, type StratumPort, type StratumProxy, type StratumProxyOptions } from './proxy';
export { pgSwitchLog } from './failover/switch-log';
export { BadUpstreamUrl, parseUpstream, type UpstreamTarget } from './upstream/upstream-target';
export { assertOwn, inTurns, type Outbound } from './upstream/upstream-socket';
