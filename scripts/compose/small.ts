/** The profile of one process: what an operator does with it in its first week. */
import { writeFileSync } from 'node:fs';
import { eventually } from '../../api/src/testing/eventually';
import { commandsOfTheRunbook, type Project } from './engine';
import { assertEqual, type Report } from './report';

const PAGE = 'http://127.0.0.2:3000';
const isReady = (): Promise<boolean> =>
  fetch(`${PAGE}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

export async function checkSmall(project: Project, report: Report): Promise<void> {
  const { settings } = project;
  writeFileSync(settings.ENV_FILE ?? '', `POOL_FEE_PERCENT=3\nPUBLIC_URL=${settings.PUBLIC_URL}\n`);
  try {
    const isUp = await report.check('small: from nothing to ready', async () => {
      await project.up('--no-build');
      await eventually(isReady, 'the pool to be ready');
    });
    if (!isUp) return;
    await report.check(
      'small: a setting of .env reaches the pool, the first admin gets the public address',
      async () => {
        assertEqual((await project.exec('pool', 'printenv', 'POOL_FEE_PERCENT')).trim(), '3', 'the fee');
        if (!(await project.logs('pool')).includes('https://pool.example/sign-up?operator='))
          throw new Error('no link');
      },
    );
    await report.check('small: no secret is in the image', async () => {
      const find = 'find /app -name ".env*" -not -path "*/node_modules/*"';
      const found = await project.compose(...'run --rm --no-deps pool sh -c'.split(' '), find);
      assertEqual(found.trim(), '', 'files of settings in the image');
    });
    await report.check('small: the commands of the page of docs, a backup and its restore among them', async () => {
      const commands = commandsOfTheRunbook().filter(
        (words) => !words.includes('scaled') && !words.includes('database-a'),
      );
      for (const command of commands) await project.run(command);
      await eventually(isReady, 'the pool to be ready after the restore');
    });
    await report.check('small: killed and stopped, it comes back; it stops in time', async () => {
      await project.kill('pool');
      await project.up('--no-build');
      await eventually(isReady, 'the pool after kill -9');
      await project.compose('stop');
      assertEqual(await project.inspect('pool', '.State.ExitCode'), 0, 'exit code of the pool');
    });
  } finally {
    await project.remove();
  }
}
