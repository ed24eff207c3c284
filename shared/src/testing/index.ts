export { auditEntry, balance, connection, jsonResponse, payout } from './answers';
export { payoutSettings, poolStatistics, subAccounts, upstream } from './answers';
export { keepsNames, testLists } from './lists';
export {
  Address,
  fakeApi,
  problem,
  refusing,
  renderPage,
  type FakeAnswers,
  type FakeApi,
  type RenderOptions,
} from './render';
export { desktop, paper, phone, rowsOf, savedFiles, stopClockAt, textsIn } from './screen';
