export { NOMINAL as DEMO_NOMINAL } from './fleet';
export { startRigs } from './rigs';
export { demoStart, seedDemo } from './seed';
