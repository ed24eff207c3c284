import { test } from '../../fixtures/own-pool';
import { team as joinTeam } from '../../fixtures/team';
import { expect, newUser, signUp } from '../../fixtures/test';

test('a team deploys a newer build of its remote to some users, to all, and rolls it back', async ({
  page,
  product,
  pool,
  watch,
}) => {
  const team = await joinTeam('referral', pool.remotes);
  try {
    await page.goto(product.url);
    await signUp(page, newUser('deploy'));
    const files = (part: string) =>
      [...new Set(watch.requests.map((url) => new URL(url).pathname).filter((name) => name.startsWith(part)))].sort();
    const opened = async () => {
      watch.requests.length = 0;
      await page.goto(`${product.url}/referral/`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      return {
        heading: await page.getByRole('heading', { level: 1 }).textContent(),
        panel: await page.getByRole('heading', { level: 2 }).first().textContent(),
        shell: files('/assets/shell'),
        versions: [...new Set(files('/remotes/referral/').map((file) => file.split('/')[3]))],
      };
    };
    const before = await opened();
    expect(before).toMatchObject({ heading: 'Referral Program', versions: [expect.any(String)] });

    // New code, a new text, and another wording of a text that the current version has too.
    await team.edit(
      'mfe-referral/src/pages/referral/referral-page.tsx',
      "title={t('referral.title')}",
      "title={t('referral.titleNew')}",
    );
    await team.edit(
      'mfe-referral/locales/en.json',
      '"referral.title": "Referral Program",',
      '"referral.titleNew": "Bring a friend",',
    );
    await team.edit(
      'mfe-referral/locales/en.json',
      '"referral.invite": "Invite a miner"',
      '"referral.invite": "Invite a friend"',
    );
    await team.build();

    // A canary for 0 % changes nothing; for all users it is the new build.
    const version = await team.publish('--canary', '0');
    expect(version).not.toBe('');
    expect(await opened()).toEqual(before);
    await team.publish('--canary', '100');
    const after = { heading: 'Bring a friend', panel: 'Invite a friend', shell: before.shell, versions: [version] };
    await expect.poll(opened).toEqual(after);
    await team.publish();
    await expect.poll(opened).toEqual(after);

    // Without a version it is the last that everybody had. A page that is open learns of it at once.
    const list = page.waitForResponse((response) => response.url().endsWith('/api/remotes'));
    await team.rollback();
    await list;
    await expect.poll(opened).toEqual(before);
  } finally {
    await team.leave();
  }
});
