/** The bot in the server's process: it is started with it, it stops with it, and its token is said nowhere. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOT_TOKEN, startBotApi } from './testing/bot-api';
import { killServers, runServer } from '../../testing/server-process';

it('starts, answers and stops with the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-telegram-'));
  const botApi = await startBotApi();
  try {
    const server = runServer({
      LOG_LEVEL: 'debug',
      DATA_DIR: folder,
      TELEGRAM_BOT_TOKEN: BOT_TOKEN,
      TELEGRAM_API_ROOT: botApi.root,
    });
    await server.until('Mining Pool is running');
    await botApi.until(() => botApi.asked.includes('getUpdates'));
    botApi.write({ id: 7 }, '/help');
    await botApi.until(() => botApi.sent.some(({ text }) => text.includes('/status')));
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output()).not.toContain(BOT_TOKEN);
  } finally {
    await killServers();
    await botApi.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
