/** The bot in the server's process: it is started with it, it stops with it, and its token is said nowhere. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOT_TOKEN, startBotApi } from './testing/bot-api';
import { shipped } from '../testing/typescript';

it.each(['an API that answers', 'an API that is not there'])(
  'starts and stops with the server, with %s',
  async (which) => {
    const folder = mkdtempSync(join(tmpdir(), 'server-telegram-'));
    const botApi = await startBotApi();
    if (which === 'an API that is not there') await botApi.close();
    const child = spawn(process.execPath, shipped('main'), {
      env: {
        PATH: process.env.PATH,
        DATABASE_TEMPLATE: process.env.DATABASE_TEMPLATE,
        NODE_ENV: 'production',
        PORT: '0',
        STRATUM_PORT_SHA256: '0',
        STRATUM_PORT_SCRYPT: '0',
        STRATUM_HOST: '127.0.0.1',
        DEMO: '0',
        LOG_LEVEL: 'debug',
        DATA_DIR: folder,
        TELEGRAM_BOT_TOKEN: BOT_TOKEN,
        TELEGRAM_API_ROOT: botApi.root,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      let output = '';
      const ended = new Promise<number | null>((resolve) => {
        child.once('close', resolve);
      });
      const ready = new Promise<void>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (data: Buffer) => {
            output += data.toString();
            if (output.includes('Mining Pool is running')) resolve();
          });
        child.once('exit', () => reject(new Error(output)));
      });
      await ready;
      if (which === 'an API that answers') {
        await botApi.until(() => botApi.asked.includes('getUpdates'));
        botApi.write({ id: 7 }, '/help');
        await botApi.until(() => botApi.sent.some(({ text }) => text.includes('/status')));
      }
      const asked = Date.now();
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(Date.now() - asked).toBeLessThan(10_000);
      expect(output).not.toContain(BOT_TOKEN);
    } finally {
      child.kill('SIGKILL');
      if (which === 'an API that answers') await botApi.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
