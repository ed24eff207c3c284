/**
 * Test helper: a miner of any hashrate in simulated time, whose habits are options. Sockets, messages and headers are
 * real; only the search is not: what each hash reaches is drawn, and noted in `luck` for whoever hashes the header.
 */
import { connect, type Socket } from 'node:net';
import { MinerConnection } from '../../demo/miner-connection';
import { headerOf, HASHES_PER_DIFFICULTY, type Job, jobOf, rolledBits } from '../../../../e2e/miner/work';

export type Habits = {
  software: string;
  /** H/s. */
  hashrate: number;
  password?: string;
  /** When a new difficulty counts. `stacked`: two before one job count one after the other. */
  applies?: 'next job' | 'at once' | 'first at once' | 'stacked';
  /** Seconds of a scan that only a clean job ends. */
  scan?: number;
  /** Seconds in which shares of the last job are still found after a new one. */
  lag?: number;
  /** Shares of an older job need to reach the new difficulty only. */
  newTargetForOldJobs?: boolean;
  /** Hashes of which only the best is looked at. */
  batch?: number;
  /** Difficulty below which the chips report nothing. */
  floor?: number;
  /** The difficulty without its fraction. */
  truncates?: boolean;
  /** Begins its extranonce2 and nonce anew with each job. */
  restarts?: boolean;
  /** A job with a known id is ignored unless it is clean. */
  ignoresKnownIds?: boolean;
  /** Seconds of silence after which it connects again. */
  silence?: number;
  /** Seconds after the last new job id from which on it stops hashing. */
  needsNewJobs?: number;
  /** Nonces without leading zeros. */
  unpadded?: boolean;
  suggests?: { difficulty: number; method?: 'target'; when?: 'first'; everySeconds?: number };
  /** Seconds from connecting until its chips hash. */
  boots?: number;
  /** Seconds (from, to) in which it is connected. */
  rented?: readonly (readonly [from: number, to: number])[];
  /** Seconds (from, to) without a connection, in which it goes on and keeps its shares. */
  offline?: readonly [from: number, to: number];
  /** Number of workers on the connection. */
  workers?: number;
};

/** The time, random numbers, and what hashes reach by header. */
export type World = { port: number; luck: Map<string, number>; random(): number; seconds(): number };

const KNOWN_IDS = 16;
const LONGEST_SUBMIT = 1023;

export class ModelMiner {
  /** Hashes for jobs of a connection. */
  done = 0;
  accepted = 0;
  refused: unknown[] = [];
  /** Refused shares of an earlier connection. */
  late: unknown[] = [];
  disconnects = 0;
  /** Lines that it received. */
  heard = 0;
  /** Seconds from its first job, or from when its chips started, to its first accepted share. */
  firstShare: number | null = null;
  readonly difficulties: number[] = [];
  /** What this software cannot stand. */
  readonly faults: string[] = [];
  private socket: Socket | null = null;
  private connection: MinerConnection | null = null;
  private mask = 0;
  private extranonce1: Buffer = Buffer.alloc(0);
  private size = 4;
  private difficulty = 1;
  private stack: number[] = [];
  private sinceNotify = 0;
  private job: Job | null = null;
  private next: Job | null = null;
  private old: { job: Job; until: number } | null = null;
  private knownIds: string[] = [];
  private takenAt = 0;
  private newJobAt = 0;
  private heardAt = 0;
  private suggestedAt = 0;
  private startedAt: number | null = null;
  private counter = 0;
  private left = 0;
  private at: number;
  /** All its hashes, with a connection or without. */
  private hashed = 0;
  private lastBatch = -1;
  /** Workers that it has named, and those that were authorised. */
  private named = 1;
  private crew = 1;
  private kept: unknown[][] = [];

  constructor(
    private readonly user: string,
    private readonly habits: Habits,
    private readonly world: World,
  ) {
    this.at = world.seconds();
  }

  stop(): void {
    const { socket } = this;
    this.socket = null;
    socket?.destroy();
  }

  /** Does what falls into the time since the last call. */
  live(): void {
    const now = this.world.seconds();
    const since = this.at;
    this.at = now;
    const { rented = [[0, Infinity]], offline, silence = Infinity, suggests } = this.habits;
    const isWanted = rented.some(([from, to]) => now >= from && now < to);
    const isOut = offline !== undefined && now >= offline[0] && now < offline[1];
    if (this.socket && (!isWanted || isOut)) this.leave(isOut);
    if (!this.socket && isWanted && !isOut) this.connect();
    if (this.socket && now - this.heardAt > silence) {
      this.disconnects += 1;
      this.leave(false);
    }
    if (suggests?.everySeconds && this.job && now - this.suggestedAt >= suggests.everySeconds) this.suggest();
    this.mine(since, now);
  }

  private connect(): void {
    const socket = connect({ host: '127.0.0.1', port: this.world.port });
    this.socket = socket;
    this.heardAt = this.world.seconds();
    const connection = new MinerConnection(socket, {
      line: (line) => {
        this.heard += 1;
        this.heardAt = this.world.seconds();
        if (/"mining.set_difficulty".*\d[eE][-+]?\d/.test(line)) this.faults.push(`an exponent: ${line}`);
      },
      message: (method, params) => {
        if (method === 'mining.set_difficulty') this.onDifficulty(Number(params[0]));
        else if (method === 'mining.notify') this.onJob(params);
        else if (method === 'mining.set_version_mask') this.mask = connection.mask;
      },
      closed: () => {
        if (this.socket !== socket) return;
        this.disconnects += 1;
        this.leave(false);
      },
    });
    this.connection = connection;
    void this.greet(connection);
  }

  private async greet(connection: MinerConnection): Promise<void> {
    const { software, password = 'x', suggests } = this.habits;
    if (suggests?.when === 'first') this.suggest();
    await connection.configure('ffffffff');
    this.mask = connection.mask;
    if (!(await connection.subscribe(software))) return;
    const isSame = this.extranonce1.equals(connection.extranonce1);
    this.extranonce1 = connection.extranonce1;
    this.size = connection.extranonce2Size;
    if (this.size < 2 || this.size > 8) this.faults.push(`extranonce2 of ${this.size} bytes`);
    if (!(await this.authorise(this.user, password))) return;
    if (suggests && suggests.when !== 'first') this.suggest();
    const kept = isSame ? this.kept : [];
    this.kept = [];
    for (const share of kept) this.send(share, true);
  }

  private async authorise(user: string, password: string): Promise<boolean> {
    const answer = await this.connection?.call('mining.authorize', [user, password]);
    if (answer?.error) this.faults.push(`mining.authorize: ${JSON.stringify(answer.error)}`);
    return answer?.result === true;
  }

  /** `keeps`: it goes on hashing for what it has. */
  private leave(keeps: boolean): void {
    this.stop();
    this.next = null;
    this.old = null;
    this.named = 1;
    this.crew = 1;
    if (!keeps) this.job = null;
  }

  private suggest(): void {
    const { difficulty, method } = this.habits.suggests ?? { difficulty: 1 };
    this.suggestedAt = this.world.seconds();
    if (method !== 'target') return void this.connection?.call('mining.suggest_difficulty', [difficulty]);
    const target = ((0xffffn << 208n) / BigInt(difficulty)).toString(16).padStart(64, '0');
    this.connection?.send({ id: null, method: 'mining.suggest_target', params: [target] });
  }

  private onDifficulty(told: number): void {
    const { applies = 'next job', truncates = false } = this.habits;
    if (told > 1 && !Number.isInteger(told)) this.faults.push(`a fraction above 1: ${told}`);
    const difficulty = truncates ? Math.trunc(told) : told;
    if (difficulty === 0) this.faults.push(`a difficulty of ${told} is 0 for it`);
    this.sinceNotify += 1;
    if (this.sinceNotify > 1) this.faults.push('two difficulties before one job');
    const isFirst = this.difficulties.length === 0;
    this.difficulties.push(difficulty);
    this.stack.push(difficulty);
    if (this.job && (applies === 'at once' || (applies === 'first at once' && isFirst))) {
      this.job = { ...this.job, difficulty };
      this.draw();
    }
  }

  private onJob(params: unknown[]): void {
    const { applies, ignoresKnownIds, scan = 0 } = this.habits;
    const [id, clean] = [String(params[0]), params[8] === true];
    this.sinceNotify = 0;
    if (this.stack.length) {
      this.difficulty = (applies === 'stacked' ? this.stack.shift() : this.stack.at(-1)) ?? this.difficulty;
      if (applies !== 'stacked') this.stack = [];
    }
    if (ignoresKnownIds && this.knownIds.includes(id) && !clean) return;
    this.knownIds = [...this.knownIds, id].slice(-KNOWN_IDS);
    this.newJobAt = this.world.seconds();
    this.next = jobOf(params, 'sha256', this.difficulty);
    if (!this.job || clean || scan === 0) this.take();
  }

  private take(): void {
    const { lag = 0, newTargetForOldJobs, restarts } = this.habits;
    const now = this.world.seconds();
    if (!this.next) return;
    if (this.job && lag > 0) {
      const { difficulty } = newTargetForOldJobs ? this.next : this.job;
      this.old = { job: { ...this.job, difficulty }, until: now + lag };
    }
    this.job = this.next;
    this.next = null;
    this.takenAt = now;
    this.startedAt ??= now;
    if (restarts) this.counter = 0;
    this.draw();
  }

  /** Draws after how many hashes the next share is found. */
  private draw(): void {
    const { job, reports } = this;
    this.left = job ? -Math.log(1 - this.world.random()) * reports(this.mined(job)) * HASHES_PER_DIFFICULTY.sha256 : 0;
  }

  private readonly reports = (job: Job): number => Math.max(job.difficulty, this.habits.floor ?? 0);
  private mined(job: Job): Job {
    return this.old && this.world.seconds() < this.old.until ? this.old.job : job;
  }

  private mine(since: number, now: number): void {
    const { scan = 0, needsNewJobs = Infinity, boots = 0, hashrate, batch, workers = 1 } = this.habits;
    if (this.next && now - this.takenAt >= scan) this.take();
    for (let i = 0; this.socket && this.job && i < 5 && this.named < workers; i += 1, this.named += 1)
      void this.authorise(`${this.user}-${this.named}`, 'x').then((isKnown) => {
        if (isKnown) this.crew += 1;
      });
    if (!this.job || this.startedAt === null || now < this.startedAt + boots) return;
    if (now - this.newJobAt > needsNewJobs) {
      this.faults.push('no new job for too long');
      return;
    }
    let hashes = hashrate * (now - since);
    if (this.socket) this.done += hashes;
    while (this.left <= hashes) {
      hashes -= this.left;
      this.hashed += this.left;
      const at = Math.floor(this.hashed / (batch ?? 1));
      // One of two shares in a batch is lost: the first is as good as the second, on average.
      if (batch === undefined || at !== this.lastBatch) this.submit(this.mined(this.job));
      this.lastBatch = at;
      this.draw();
    }
    this.hashed += hashes;
    this.left -= hashes;
  }

  private submit(job: Job): void {
    const { random, luck } = this.world;
    this.counter += 1;
    const extranonce2 = Buffer.alloc(this.size);
    extranonce2.writeUInt16BE(this.habits.restarts ? 0 : this.counter % 65_536, this.size - 2);
    const header = headerOf(job, this.extranonce1, extranonce2);
    const bits = rolledBits(this.mask, this.counter);
    const nonce = this.habits.restarts ? this.counter : Math.floor(random() * 2 ** 32);
    header.writeUInt32LE(((job.version & ~this.mask) | bits) >>> 0, 0);
    header.writeUInt32LE(nonce, 76);
    luck.set(header.toString('hex'), this.reports(job) / (1 - random()));
    const hex = nonce.toString(16);
    const worker = Math.floor(random() * this.crew);
    const share = [
      worker === 0 ? this.user : `${this.user}-${worker}`,
      job.id,
      extranonce2.toString('hex'),
      job.ntime.toString(16).padStart(8, '0'),
      this.habits.unpadded ? hex : hex.padStart(8, '0'),
      ...(this.mask ? [(bits >>> 0).toString(16).padStart(8, '0')] : []),
    ];
    const line = JSON.stringify({ id: this.counter, method: 'mining.submit', params: share });
    if (line.length > LONGEST_SUBMIT) this.faults.push(`a share of ${line.length} characters`);
    if (this.socket) this.send(share, false);
    else this.kept.push(share);
  }

  /** Sends a share. `kept`: of an earlier connection. */
  private send(share: unknown[], kept: boolean): void {
    const { socket } = this;
    void this.connection?.call('mining.submit', share).then((answer) => {
      if (!answer || this.socket !== socket) return;
      if (answer.result !== true) return void (kept ? this.late : this.refused).push(answer.error);
      this.accepted += 1;
      this.firstShare ??= this.world.seconds() - (this.startedAt ?? 0) - (this.habits.boots ?? 0);
    });
  }
}
