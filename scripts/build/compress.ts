import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { holds, writeFileWhole } from './files';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /\.(js|css|json|svg|html|txt|map)$/;

/** Writes `file` and, for text, its brotli and gzip forms. An existing file with its forms is kept. */
export async function writeCompressed(file: string, content: Buffer): Promise<void> {
  if (holds(file, content) && (!TEXT.test(file) || existsSync(`${file}.br`))) return;
  if (TEXT.test(file)) {
    const [br, gz] = await Promise.all([
      brotli(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      }),
      zip(content, { level: 9 }),
    ]);
    writeFileWhole(`${file}.br`, br);
    writeFileWhole(`${file}.gz`, gz);
  }
  writeFileWhole(file, content);
}
