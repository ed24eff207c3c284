/**
 * Which node a DATA_DIR is: the journal in it belongs to that name, whichever process runs on it. The file also says
 * whether the name is in the register. If it is, no day is closed without this journal, so miners may be served while
 * the database is away.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const SEAT_FILE = 'node.json';
const schema = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/), joined: z.boolean() });

export class Seat {
  private constructor(
    private readonly file: string,
    private facts: z.output<typeof schema>,
  ) {}

  static open(dataDir: string): Seat {
    const file = join(dataDir, SEAT_FILE);
    try {
      return new Seat(file, schema.parse(JSON.parse(readFileSync(file, 'utf8'))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const made = new Seat(file, { id: randomBytes(6).toString('hex'), joined: false });
    made.write();
    return made;
  }

  get id(): string {
    return this.facts.id;
  }
  get joined(): boolean {
    return this.facts.joined;
  }
  setJoined(joined: boolean): void {
    if (joined === this.facts.joined) return;
    this.facts = { ...this.facts, joined };
    this.write();
  }

  private write(): void {
    const draft = `${this.file}.new`;
    writeFileSync(draft, JSON.stringify(this.facts), { mode: 0o600, flush: true });
    renameSync(draft, this.file);
  }
}

/** The name of a DATA_DIR, if a node ever ran on it. */
export const seatOf = (dataDir: string): string | null =>
  existsSync(join(dataDir, SEAT_FILE)) ? Seat.open(dataDir).id : null;
