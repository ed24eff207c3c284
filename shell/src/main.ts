import './remotes/integrity';

/** Resolves in a task of its own: before it the browser paints and answers. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** The start in three tasks: the federation runtime, which has run, React, the page. */
async function start(): Promise<void> {
  await nextTask();
  await import(/* webpackMode: "eager" */ 'react-dom/client');
  await nextTask();
  const { openPage } = await import(/* webpackMode: "eager" */ './open-page');
  await openPage();
}

void start();
