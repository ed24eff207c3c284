/** The PostgreSQL a DATA_DIR wrote to last: an old primary that is started again has an older timeline. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../files';
import { firstRow, type Querier } from './querier';

export const LINEAGE_FILE = 'database.json';
const schema = z.object({ system: z.string(), timeline: z.number().int() });

export class OtherDatabase extends Error {
  override readonly name = 'OtherDatabase';
  readonly code = 'OTHER_DATABASE';
  constructor(file: string, known: z.output<typeof schema>, found: z.output<typeof schema>) {
    const what =
      known.system === found.system
        ? `has an older timeline (${found.timeline}) than the one written to before (${known.timeline}): an old primary was started again`
        : `is another one (${found.system}) than the one written to before (${known.system})`;
    super(`This PostgreSQL ${what}. Nothing is written to it. If it is right, remove ${file}.`);
  }
}

export class Lineage {
  private readonly file: string;
  constructor(dataDir: string) {
    this.file = join(dataDir, LINEAGE_FILE);
  }

  /** Throws `OtherDatabase` where the database behind `db` is an older or another one; else remembers it. */
  async check(db: Querier): Promise<void> {
    const row = await firstRow<{ system: string; wal: string }>(db)`
      select system_identifier::text as system, pg_walfile_name(pg_current_wal_lsn()) as wal from pg_control_system()`;
    if (!row) return;
    // The name of a file of the log begins with its timeline, eight hexadecimal digits.
    const found = { system: row.system, timeline: Number.parseInt(row.wal.slice(0, 8), 16) };
    const known = this.read();
    if (known?.system === found.system && known.timeline === found.timeline) return;
    if (known && (known.system !== found.system || known.timeline > found.timeline))
      throw new OtherDatabase(this.file, known, found);
    await writeWhole(this.file, Buffer.from(JSON.stringify(found)));
  }

  private read(): z.output<typeof schema> | null {
    try {
      return schema.parse(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
