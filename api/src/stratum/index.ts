export { pgAccountDirectory } from './directory';
export { startStratumProxy, type StratumPort, type StratumProxy, type StratumProxyOptions } from './proxy';
export { pgSwitchLog } from './switch-log';
export { BadUpstreamUrl, parseUpstream, type UpstreamTarget } from './upstream-target';
export type { OwnPools, UpstreamStatus } from './upstreams';
export type { Outbound } from './upstream-socket';
