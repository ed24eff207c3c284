export { payoutSettings, subAccounts } from './answers';
export { testLists } from './lists';
export { fakeApi, problem, renderPage, type FakeAnswers, type FakeApi, type RenderOptions } from './render';
