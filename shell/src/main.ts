import { nextTask } from './next-task';
import './remotes/files';

/** The start in three tasks: the federation runtime, which has run, React, the page. */
async function start(): Promise<void> {
  await nextTask();
  await import(/* webpackMode: "eager" */ 'react-dom/client');
  await nextTask();
  const { openPage } = await import(/* webpackMode: "eager" */ './open-page');
  await openPage();
}

void start();
