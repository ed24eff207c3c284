export { balance, connection, payoutSettings, subAccounts } from './answers';
export { keepsNames, testLists } from './lists';
export { fakeApi, problem, refusing, renderPage, type FakeAnswers, type FakeApi, type RenderOptions } from './render';
export { desktop, paper, phone, savedFiles, stopClockAt } from './screen';
