export { NOMINAL as DEMO_NOMINAL } from './fleet';
export { startRigs, type Rigs } from './rigs';
export { demoStart, seedDemo, type SeedOptions } from './seed';
