export * from './algorithms';
export * from './hashrate';
export * from './list-limits';
export * from './miner-settings';
export * from './money';
export * from './own-ports';
export * from './series';
export * from './workers';
export { STOPPED, TELEGRAM_EVENTS } from './telegram';
