-- The tables of version 1.0.0. Money is integer satoshis, hashrate and work are doubles, times are UTC.
-- From here on a migration is a file of its own (0002_….sql) and only adds: see CONTRIBUTING.md, "Change a table".


-- Sign-in: tables of the embedded sign-in service

create table identity_user (
  -- `user_…`
  id text primary key,
  user_name text not null constraint identity_user_user_name_unique unique,
  email text constraint identity_user_email_unique unique,
  first_name text,
  last_name text,
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Encrypted secret of the authenticator app.
  totp_secret text,
  -- When two-step sign-in was turned on; null: it is off, and a secret is one that no code has confirmed yet.
  totp_since timestamptz,
  -- The 30 seconds since 1970 of the last accepted code; it and older ones are not accepted again.
  totp_step integer not null default 0,
  -- Hashes of the backup codes that are left.
  backup_codes text[] not null default '{}'::text[],
  -- When its owner entered a code that was sent there.
  email_verified_at timestamptz,
  -- Language of the pages in which the address was entered; mails about the account are in it.
  language text,
  -- Hash of the picture.
  picture text,
  constraint identity_user_totp check (totp_since is null or totp_secret is not null)
);
comment on table identity_user is 'Users of the embedded sign-in service.';

create table identity_picture (
  user_id text primary key references identity_user (id) on delete cascade,
  bytes bytea not null
);
comment on table identity_picture is 'Pictures of users, apart from the user, whose row every call reads.';

create table identity_passkey (
  -- `passkey_…`
  id text primary key,
  user_id text not null constraint identity_passkey_user_id_identity_user_id_fk references identity_user (id) on delete cascade,
  credential_id text not null constraint identity_passkey_credential_id_unique unique,
  public_key bytea not null,
  -- Number of its uses, as the device counts them; 0: it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table identity_passkey is
  'Another way to sign in beside the password: a key pair of a device, of which this is the public half.';
create index identity_passkey_user_id_index on identity_passkey (user_id);

create table identity_client (
  -- `client_…`
  id text primary key,
  secret_hash text not null constraint identity_client_secret_hash_unique unique,
  -- Unfinished sign-in or sign-up, in the shape the service returns.
  flow jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table identity_client is
  'One browser. The secret in the `__client` cookie is stored hashed and rotated on sign-in.';

create table identity_session (
  -- `sess_…`
  id text primary key,
  client_id text not null constraint identity_session_client_id_identity_client_id_fk references identity_client (id) on delete cascade,
  user_id text not null constraint identity_session_user_id_identity_user_id_fk references identity_user (id) on delete cascade,
  -- `active`, `ended`, `removed`, `revoked` or `expired`.
  status text not null default 'active',
  -- When the password was last entered.
  signed_in_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text,
  ip text,
  -- When a code of two-step sign-in was last entered, or a passkey used.
  second_factor_at timestamptz
);
comment on table identity_session is 'Sessions: a browser that a user has signed in from.';
create index identity_session_client_id_index on identity_session (client_id);
create index identity_session_user_id_index on identity_session (user_id);

create table identity_device (
  user_id text not null constraint identity_device_user_id_identity_user_id_fk references identity_user (id) on delete cascade,
  device_hash text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  constraint identity_device_user_id_device_hash_pk primary key (user_id, device_hash)
);
comment on table identity_device is
  'A browser that an account was signed in from, by the hash of the id in its cookie.';

create table identity_link (
  id bigserial primary key,
  token_hash text not null constraint identity_link_token_hash_unique unique,
  user_id text not null constraint identity_link_user_id_identity_user_id_fk references identity_user (id) on delete cascade,
  kind text not null,
  -- The address that it puts back.
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table identity_link is 'A link in a mail that acts without a session.';
create index identity_link_user_id_index on identity_link (user_id);

create table identity_recovery (
  user_id text primary key constraint identity_recovery_user_id_identity_user_id_fk references identity_user (id) on delete cascade,
  -- `totp_since` of the factor that was lost.
  totp_since timestamptz not null,
  ready_at timestamptz not null,
  -- Number of notices that were sent, and when the next one is.
  notices integer not null default 0,
  notice_at timestamptz not null default now()
);
comment on table identity_recovery is 'A user who has lost the second factor and waits until it is removed.';

create unlogged table attempt (
  key text primary key,
  count integer not null,
  until timestamptz not null
);
comment on table attempt is 'Number of tries of something in a window of time (limits/shared-rate-limit.ts).';
create index attempt_until_index on attempt (until);


-- Accounts

create table app_user (
  id serial primary key,
  -- The `sub` of the identity token.
  identity_id text not null constraint app_user_identity_id_unique unique,
  user_name text not null constraint app_user_user_name_unique unique,
  email text,
  role text not null default 'miner',
  is_legacy_user boolean not null default false,
  disabled boolean not null default false,
  fee_percent double precision,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  -- Where referral earnings are paid to; a change is held like a sub-account's address.
  referral_address text,
  referral_address_before text,
  referral_hold_until timestamptz,
  -- Increased by a trigger when an admin's edit changes the user: an edit names the version it has seen.
  version integer not null default 1,
  -- Until then an admin whom another one has made approves, sends and confirms nothing (accounts/second-admin.ts).
  full_admin_at timestamptz
);
comment on table app_user is 'A user of the pool. The role is decided here and nowhere else.';

create table admin_request (
  what text primary key,
  asked_by integer not null references app_user (id) on delete cascade,
  asked_at timestamptz not null default now()
);
comment on table admin_request is 'What an admin has asked for that takes another admin (accounts/second-admin.ts).';

create table sub_account (
  id serial primary key,
  user_id integer not null constraint sub_account_user_id_app_user_id_fk references app_user (id),
  name text not null constraint sub_account_name_unique unique,
  -- Algorithm name to the sub-account's own Stratum port.
  ports jsonb not null default '{}'::jsonb,
  proxy_port integer,
  btc_address text,
  threshold_sat bigint not null default 5000000,
  created_at timestamptz not null default now(),
  -- A deleted account keeps its history and its name: nobody else may get its miners.
  deleted_at timestamptz,
  -- The address before the last change, and until when nothing is paid (payouts/wallet-rules.ts).
  address_before text,
  address_hold_until timestamptz,
  payout_paused boolean not null default false,
  -- Salted hash of its miners' password (stratum/miner/miner-password.ts); null: any password.
  miner_password text,
  -- Increased by a trigger, as a user's.
  version integer not null default 1,
  -- The admin who has set the address, until its owner confirms it: that admin does not pay to it.
  address_set_by integer references app_user (id),
  constraint sub_account_miner_password check (miner_password ~ '^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$'),
  constraint sub_account_name check (name ~ '^[a-z][a-z0-9_-]{2,31}$')
);
comment on table sub_account is
  'A mining account; the one with its user''s name is the primary. Shares belong to `name.worker`.';
create index sub_account_user_id_index on sub_account (user_id);

create table wallet_change (
  id serial primary key,
  sub_account_id integer not null constraint wallet_change_sub_account_id_sub_account_id_fk references sub_account (id),
  old_address text,
  new_address text not null,
  status text not null default 'set',
  effective_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table wallet_change is
  'Every address change of a sub-account. Held until `effective_at`, unless cancelled or replaced by a later one.';
create index wallet_change_sub_account_id_id_index on wallet_change (sub_account_id, id);

create table access_token (
  id serial primary key,
  user_id integer not null constraint access_token_user_id_app_user_id_fk references app_user (id),
  kind text not null,
  name text not null,
  token_hash text not null constraint access_token_token_hash_unique unique,
  -- Its first characters, to recognise it.
  prefix text not null,
  scopes text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint access_token_kind check (kind in ('watcher', 'api_key'))
);
comment on table access_token is
  'Watcher links and API keys: access without signing in. The token itself is shown once and not stored.';
create index access_token_user_id_index on access_token (user_id);

create table worker_group (
  id serial,
  sub_account_id integer not null constraint worker_group_sub_account_id_sub_account_id_fk references sub_account (id),
  name text not null,
  created_at timestamptz not null default now(),
  constraint worker_group_key primary key (sub_account_id, id)
);
comment on table worker_group is 'Groups in which a user arranges workers.';
create unique index worker_group_sub_account_id_name_index on worker_group (sub_account_id, name);

create table worker (
  id serial,
  sub_account_id integer not null constraint worker_sub_account_id_sub_account_id_fk references sub_account (id),
  algorithm text not null,
  name text not null,
  group_id integer,
  muted boolean not null default false,
  alert_limit double precision not null default 0.7,
  created_at timestamptz not null default now(),
  -- `owned`: its owner has grouped, muted or confirmed it. `strange`: one of many new names of one day.
  standing text,
  constraint worker_key primary key (sub_account_id, id),
  constraint worker_group_fk foreign key (sub_account_id, group_id) references worker_group (sub_account_id, id),
  constraint worker_standing check (standing in ('owned', 'strange'))
);
comment on table worker is 'Workers, by the name with which they connect.';
create index worker_created_at_index on worker (created_at);
create index worker_id_index on worker (id);
create unique index worker_sub_account_id_algorithm_name_index on worker (sub_account_id, algorithm, name);


-- Nodes: processes that share this database

create table node (
  -- Id in its DATA_DIR, whose journal it counts.
  id text primary key,
  roles text[] not null,
  -- Process and machine, for people.
  place text not null,
  build text not null,
  started_at timestamptz not null default now(),
  heartbeat timestamptz not null default now(),
  -- Every share that it acknowledged before is counted, or listed in `uncounted`; null: it has no journal.
  counted_through timestamptz,
  -- Work before `counted_through` that is not counted: [{day, why, lines}].
  uncounted jsonb not null default '[]'::jsonb,
  -- The node was silent, so its miners are shown as gone: it writes all of them again.
  shown_gone boolean not null default false,
  -- What other processes show of it.
  state jsonb
);
comment on table node is
  'The processes that share this database, from their start until they have left or are retired.';


-- Shares: sums of work, partitioned by time (partition_plan, ensure_partitions)

create table share_1m (
  worker_id integer not null,
  at timestamptz not null,
  accepted double precision not null default 0,
  stale double precision not null default 0,
  rejected double precision not null default 0,
  shares integer not null default 0,
  sub_account_id integer not null
) partition by range (at);
comment on table share_1m is 'Work of each worker, by minute: sums of share difficulty.';
create table share_1m_default partition of share_1m default;
create unique index share_1m_key on share_1m (sub_account_id, worker_id, at);
create index share_1m_newest on share_1m using brin (at) with (autosummarize='on');

create table share_10m (like share_1m including defaults) partition by range (at);
comment on table share_10m is 'Work of each worker, by ten minutes.';
create table share_10m_default partition of share_10m default;
create unique index share_10m_key on share_10m (sub_account_id, worker_id, at);
create index share_10m_newest on share_10m using brin (at) with (pages_per_range='16', autosummarize='on');

create table share_1h (like share_1m including defaults) partition by range (at);
comment on table share_1h is 'Work of each worker, by hour.';
create table share_1h_default partition of share_1h default;
create unique index share_1h_key on share_1h (sub_account_id, worker_id, at);
create index share_1h_newest on share_1h using brin (at) with (pages_per_range='16');

create table share_1d (like share_1m including defaults);
comment on table share_1d is 'Work of each worker, by day.';
create unique index share_1d_key on share_1d (sub_account_id, worker_id, at);

create table account_1m (
  sub_account_id integer not null,
  algorithm text not null,
  at timestamptz not null,
  accepted double precision not null default 0,
  stale double precision not null default 0,
  rejected double precision not null default 0,
  shares integer not null default 0,
  own_accepted double precision not null default 0,
  own_shares integer not null default 0,
  constraint account_1m_sub_account_id_algorithm_at_pk primary key (sub_account_id, algorithm, at)
) partition by range (at);
comment on table account_1m is 'Accepted work of each sub-account and algorithm, by minute.';
create table account_1m_default partition of account_1m default;
create index account_1m_at on account_1m (at);

create table account_10m (
  like account_1m including defaults,
  constraint account_10m_sub_account_id_algorithm_at_pk primary key (sub_account_id, algorithm, at)
) partition by range (at);
comment on table account_10m is 'Accepted work of each sub-account and algorithm, by ten minutes.';
create table account_10m_default partition of account_10m default;
create index account_10m_at on account_10m (at);

create table account_1h (
  like account_1m including defaults,
  primary key (sub_account_id, algorithm, at)
) partition by range (at);
comment on table account_1h is 'Accepted work of each sub-account and algorithm, by hour.';
create table account_1h_default partition of account_1h default;
create index account_1h_at_idx on account_1h (at);

create table account_1d (
  like account_1m including defaults,
  constraint account_1d_sub_account_id_algorithm_at_pk primary key (sub_account_id, algorithm, at)
);
comment on table account_1d is
  'Accepted work of each sub-account and algorithm, by day. Days are closed from it; it is kept for ever.';
create index account_1d_at on account_1d (at);

create table worker_live (
  worker_id integer not null,
  last_share_at timestamptz,
  connected_at timestamptz,
  disconnected_at timestamptz,
  difficulty double precision,
  software text,
  remote text,
  -- Since when the worker mines without a break of a day: the minute of its first share.
  mining_since timestamptz,
  sub_account_id integer not null,
  -- Seconds without a share that chance explains, while it is connected; null: unknown.
  silence real,
  constraint worker_live_key primary key (sub_account_id, worker_id),
  constraint worker_live_worker_fk foreign key (sub_account_id, worker_id) references worker (sub_account_id, id) on delete cascade
);
comment on table worker_live is 'The latest state of each worker, one row each: the live list reads only this.';

create table worker_presence (
  worker_id integer not null,
  node_id text not null constraint worker_presence_node_id_node_id_fk references node (id) on delete cascade,
  sub_account_id integer not null,
  constraint worker_presence_key primary key (sub_account_id, worker_id, node_id),
  constraint worker_presence_worker_fk foreign key (sub_account_id, worker_id) references worker (sub_account_id, id) on delete cascade
);
comment on table worker_presence is 'Which worker is connected to which node; a single server writes no rows.';
create index worker_presence_node_id_index on worker_presence (node_id);

create table ingest_batch (
  proxy_id text not null,
  sequence bigint not null,
  at timestamptz not null default now(),
  -- Time of its oldest share; null: it has no shares.
  oldest timestamptz,
  constraint ingest_batch_proxy_id_sequence_pk primary key (proxy_id, sequence)
);
comment on table ingest_batch is
  'Batches of shares that were counted: a second try of (proxy, sequence) counts nothing.';
create index ingest_batch_at on ingest_batch (at);

create table upstream_day (
  day date not null,
  algorithm text not null,
  upstream text not null,
  accepted double precision not null default 0,
  credited double precision not null default 0,
  accepted_shares bigint not null default 0,
  credited_shares bigint not null default 0,
  -- Difficulty that the upstream says itself that it counted; null: it was not asked for the whole day.
  counted double precision,
  constraint upstream_day_day_algorithm_upstream_pk primary key (day, algorithm, upstream)
);
comment on table upstream_day is
  'What each of the pool''s own upstreams accepted in a UTC day and what was credited for it: sums of difficulty.';

-- The partitioned tables: how long a partition is, how long it is kept, and how far ahead it is made.
create function partition_plan() returns table (parent text, step text, keep interval, ahead interval) language sql immutable as $$
  VALUES ('share_1m', 'day', interval '3 days', interval '3 days'),
         ('account_1m', 'day', interval '3 days', interval '3 days'),
         ('share_10m', 'week', interval '40 days', interval '14 days'),
         ('account_10m', 'week', interval '40 days', interval '14 days'),
         ('share_1h', 'month', interval '1 year', interval '2 months'),
         ('account_1h', 'month', interval '1 year', interval '2 months')
$$;

-- Creates one partition. Late rows of its time move there from the default partition.
create function ensure_partition(parent text, lower_at timestamptz, upper_at timestamptz) returns boolean language plpgsql set timezone to 'UTC' as $$
DECLARE
  child text := parent || '_' || to_char(lower_at, 'YYYYMMDD');
BEGIN
  PERFORM pg_advisory_xact_lock(7001);
  IF to_regclass(child) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', parent || '_default');
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent);
  EXECUTE format('WITH late AS (DELETE FROM %I WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM late', parent || '_default', lower_at, upper_at, child);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child, lower_at, upper_at);
  RETURN true;
END $$;

-- Creates all partitions that are missing. Returns how many.
create function ensure_partitions(as_of timestamptz default now()) returns integer language plpgsql set timezone to 'UTC' as $$
DECLARE
  plan record;
  lower_at timestamptz;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7001);
  FOR plan IN SELECT * FROM partition_plan() LOOP
    lower_at := date_trunc(plan.step, as_of - plan.keep);
    WHILE lower_at <= as_of + plan.ahead LOOP
      IF ensure_partition(plan.parent, lower_at, lower_at + ('1 ' || plan.step)::interval) THEN made := made + 1; END IF;
      lower_at := lower_at + ('1 ' || plan.step)::interval;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;

-- The partitions that are missing.
create function missing_partitions(as_of timestamptz) returns table (parent text, lower_at timestamptz, upper_at timestamptz) language sql stable set timezone to 'UTC' as $$
  SELECT plan.parent, at, at + ('1 ' || plan.step)::interval
  FROM partition_plan() plan, generate_series(date_trunc(plan.step, as_of - plan.keep), as_of + plan.ahead, ('1 ' || plan.step)::interval) at
  WHERE to_regclass(plan.parent || '_' || to_char(at, 'YYYYMMDD')) IS NULL
  ORDER BY 2, 1
$$;

-- Drops partitions that have wholly left the time they are kept for. Returns how many.
create function drop_old_partitions(as_of timestamptz default now()) returns integer language plpgsql set timezone to 'UTC' as $$
DECLARE
  plan record;
  child record;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7001);
  FOR plan IN SELECT * FROM partition_plan() LOOP
    FOR child IN SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                 WHERE i.inhparent = plan.parent::regclass AND c.relname ~ '_[0-9]{8}$' LOOP
      IF to_timestamp(right(child.name, 8), 'YYYYMMDD') + ('1 ' || plan.step)::interval <= as_of - plan.keep THEN
        EXECUTE format('DROP TABLE %I', child.name);
        dropped := dropped + 1;
      END IF;
    END LOOP;
    EXECUTE format('DELETE FROM %I WHERE at < %L', plan.parent || '_default', as_of - plan.keep);
  END LOOP;
  RETURN dropped;
END $$;


-- Upstream pools of users

create table pool_config (
  id serial primary key,
  user_id integer not null constraint pool_config_user_id_app_user_id_fk references app_user (id),
  name text not null,
  algorithm text not null,
  -- `stratum+tcp://host:port` or `stratum+ssl://…`, the host in its canonical spelling.
  url text not null,
  user_name text not null,
  -- Encrypted (secrets.ts), `<key id>:<…>`; null: no password.
  password text,
  created_at timestamptz not null default now(),
  constraint pool_config_password check (password ~ '^[0-9a-f]{16}:[A-Za-z0-9_-]+$'),
  constraint pool_config_url check (url ~ '^stratum[+](tcp|ssl)://')
);
comment on table pool_config is 'A user''s saved upstream pool.';
create unique index pool_config_algorithm on pool_config (id, algorithm);
create unique index pool_config_name on pool_config (user_id, name);

create table sub_account_pool_config (
  id serial primary key,
  sub_account_id integer not null constraint sub_account_pool_config_sub_account_id_sub_account_id_fk references sub_account (id),
  pool_config_id integer not null,
  algorithm text not null,
  priority integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  constraint sub_account_pool_config_place unique (sub_account_id, algorithm, priority) deferrable initially deferred,
  constraint sub_account_pool_config_of foreign key (pool_config_id, algorithm) references pool_config (id, algorithm),
  constraint sub_account_pool_config_priority check (priority >= 1)
);
comment on table sub_account_pool_config is 'A place in a sub-account''s list of an algorithm, 1 the best.';
create index sub_account_pool_config_by on sub_account_pool_config (pool_config_id);
create unique index sub_account_pool_config_once on sub_account_pool_config (sub_account_id, pool_config_id);

create table pool_hold (
  user_id integer primary key constraint pool_hold_user_id_app_user_id_fk references app_user (id),
  since timestamptz,
  until timestamptz,
  off_at timestamptz
);
comment on table pool_hold is
  'Users who want changes of their lists held (upstreams/pool-hold.ts): between `since` and `until` a change is held; from `off_at` on changes count at once.';

create table held_pool (
  id integer primary key,
  user_id integer not null constraint held_pool_user_id_pool_hold_user_id_fk references pool_hold (user_id) on delete cascade,
  sub_account_id integer not null,
  pool_config_id integer not null,
  algorithm text not null,
  priority integer not null,
  enabled boolean not null,
  name text not null,
  url text not null,
  user_name text not null,
  password text,
  constraint held_pool_password check (password ~ '^[0-9a-f]{16}:[A-Za-z0-9_-]+$')
);
comment on table held_pool is
  'The places of a user''s lists before the held change, with their pools; `id` is the place''s.';
create index held_pool_user_id_index on held_pool (user_id);

-- Places of all lists as their users left them.
create view edited_pool as
  select c.id, s.user_id, c.sub_account_id, c.pool_config_id, c.algorithm, c.priority, c.enabled, p.name, p.url, p.user_name, p.password
  from sub_account_pool_config c
  join pool_config p on p.id = c.pool_config_id
  join sub_account s on s.id = c.sub_account_id
  where s.deleted_at is null;

-- Places of all lists as miners use them: a held change does not count yet.
create view pool_in_force as
  select id, user_id, sub_account_id, pool_config_id, algorithm, priority, enabled, name, url, user_name, password
  from edited_pool e
  where not exists (select from pool_hold h where h.user_id = e.user_id and h.until > now())
  union all
  select p.id, p.user_id, p.sub_account_id, p.pool_config_id, p.algorithm, p.priority, p.enabled, p.name, p.url, p.user_name, p.password
  from held_pool p
  join pool_hold h on h.user_id = p.user_id and h.until > now()
  join sub_account s on s.id = p.sub_account_id
  where s.deleted_at is null;


-- Money: integer satoshis

create table day_price (
  day date not null,
  algorithm text not null,
  price_btc double precision not null,
  btc_price_usd double precision not null,
  source text not null default 'default',
  known_at timestamptz not null default now(),
  constraint day_price_day_algorithm_pk primary key (day, algorithm),
  constraint day_price_bounds check (price_btc > 0::double precision and btc_price_usd > 0::double precision),
  constraint day_price_most check (price_btc <= 1000::double precision and btc_price_usd <= 1000000000::double precision)
);
comment on table day_price is 'Price of a day: BTC per PH/s (SHA256) or TH/s (SCRYPT).';

create table term (
  name text not null,
  -- 0: all users.
  user_id integer not null default 0,
  since date not null,
  value double precision,
  constraint term_name_user_id_since_pk primary key (name, user_id, since),
  constraint term_bounds check (value is null or
case name
    when 'newbee_adjust' then value >= '-100'::integer::double precision and value <= 100::double precision
    when 'newbee_cost' then value >= 0::double precision and value <= 1::double precision
    else value >= 0::double precision and value <= 100::double precision
end)
);
comment on table term is
  'Terms from a UTC day on, until the next row: fees in percent (`user_fee`, null: the pool''s; `default_fee`: the operator''s setting), the newcomer rule.';

create table earning (
  sub_account_id integer not null constraint earning_sub_account_id_sub_account_id_fk references sub_account (id),
  algorithm text not null,
  day date not null,
  work double precision not null,
  shares integer not null,
  mean_hashrate double precision not null,
  price_btc double precision not null,
  btc_price_usd double precision not null,
  fee_percent double precision not null,
  gross_sat bigint not null,
  fee_sat bigint not null,
  referral_sat bigint not null default 0,
  net_sat bigint not null,
  status text not null default 'final',
  closed_at timestamptz not null default now(),
  -- The newcomer rule as applied; null: not applied. `poolPriceBtc`: the price it replaced, if it did.
  newcomer jsonb,
  referral_percent double precision not null default 0,
  constraint earning_sub_account_id_algorithm_day_pk primary key (sub_account_id, algorithm, day),
  constraint earning_adds_up check (gross_sat = (fee_sat + net_sat))
);
comment on table earning is 'What a sub-account earned in a finished UTC day.';

create table earning_adjustment (
  id serial primary key,
  sub_account_id integer not null,
  algorithm text not null,
  day date not null,
  gross_sat_before bigint not null,
  gross_sat bigint not null,
  note text not null,
  -- The admin who made it.
  user_id integer,
  created_at timestamptz not null default now(),
  -- The day's work that is paid after it, as a sum of difficulties; work counted beyond it is late work.
  work double precision not null,
  constraint earning_adjustment_amount check (gross_sat >= 0)
);
comment on table earning_adjustment is 'Corrections of earnings, append-only.';
create index earning_adjustment_day_index on earning_adjustment (sub_account_id, algorithm, day);

create table payment (
  id serial primary key,
  sub_account_id integer not null constraint payment_sub_account_id_sub_account_id_fk references sub_account (id),
  period_from date not null,
  period_to date not null,
  amount_sat bigint not null,
  network_fee_sat bigint not null default 0,
  address text,
  txid text,
  status text not null default 'pending',
  reason text,
  trigger text not null default 'auto',
  note text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  confirmed_at timestamptz,
  usd_at_send double precision,
  -- Increased by a trigger with every change: a change names the version it has seen.
  version integer not null default 1,
  -- The admin who approved it last.
  queued_by integer,
  -- Name of the payment for payers, never reused, also when the database is restored. A trigger keeps it.
  key uuid not null default gen_random_uuid(),
  -- When it was approved last.
  queued_at timestamptz,
  -- Satoshis given to a node and then marked as failed; they count for the bound of a run (payouts/cool-down.ts).
  given_sat bigint not null default 0,
  constraint payment_amount check (amount_sat > 0),
  constraint payment_txid check ((status <> ALL (array['sent', 'confirmed'])) or txid is not null),
  constraint payment_txid_form check (txid is null or txid ~ '^[0-9a-f]{64}$')
);
comment on table payment is
  'Payments to sub-accounts and referrers. Never deleted; a trigger allows only the steps of a payment''s life.';
create index payment_address_index on payment (address);
create unique index payment_key_index on payment (key);
create unique index payment_one_open on payment (sub_account_id, (trigger = 'referral')) where status in ('pending', 'queued', 'unknown');
create index payment_queued_at_index on payment (queued_at);
create index payment_status_id_index on payment (status, id);
create index payment_sub_account_id_id_index on payment (sub_account_id, id);
create index payment_txid_index on payment (txid) where txid is not null;

create table ledger (
  id bigint generated always as identity primary key,
  sub_account_id integer constraint ledger_sub_account_id_sub_account_id_fk references sub_account (id),
  kind text not null,
  amount_sat bigint not null,
  -- What the row is about: `SHA256_ASICBOOST/2026-11-19`, a payment id; rows of other parties start with the account;
  -- `#2` for a second time.
  ref text not null,
  at timestamptz not null default now(),
  party text not null default 'account',
  -- The referrer.
  user_id integer constraint ledger_user_id_app_user_id_fk references app_user (id),
  constraint ledger_party check ((party in ('account', 'referrer', 'pool', 'mined', 'chain')) and (party = 'account') = (sub_account_id is not null) and (party = 'referrer') = (user_id is not null))
);
comment on table ledger is
  'Append-only (a trigger refuses UPDATE and DELETE). Each statement''s rows sum to zero over the parties: `mined` (value of the work, negative), `account` and `referrer` (what they are owed), `pool` (its fees), `chain` (what was paid out). The balance of a sub-account or referrer is the sum of its rows; a trigger keeps it in `balance`.';
create index ledger_at_index on ledger using brin (at);
create unique index ledger_others on ledger (party, kind, ref) where party <> 'account';
create unique index ledger_sub_account_id_kind_ref_index on ledger (sub_account_id, kind, ref);
create index ledger_user_id_index on ledger (user_id) where user_id is not null;

create table balance (
  party text not null,
  -- A sub-account's id, or a referring user's.
  owner_id integer not null,
  owed_sat bigint not null,
  paid_sat bigint not null,
  payouts integer not null,
  constraint balance_pk primary key (party, owner_id),
  constraint balance_party check (party in ('account', 'referrer'))
);
comment on table balance is
  'Sums of the ledger''s rows by owner, kept by the trigger `ledger_balances`: never written by hand.';

-- What `balance` has to be.
create view ledger_balance as
  select party,
         coalesce(sub_account_id, user_id) as owner_id,
         sum(amount_sat) as owed_sat,
         coalesce(-sum(amount_sat) filter (where kind in ('payout', 'payout_reversal')), 0) as paid_sat,
         (count(*) filter (where kind = 'payout') - count(*) filter (where kind = 'payout_reversal'))::integer as payouts
  from ledger
  where party in ('account', 'referrer')
  group by party, coalesce(sub_account_id, user_id);

create table bonus_request (
  id serial primary key,
  email text not null,
  -- Sender's address; the /64 network of an IPv6 address.
  source text not null,
  day date not null,
  created_at timestamptz not null default now(),
  status text not null default 'new',
  note text,
  -- The account that got a granted bonus.
  sub_account_id integer,
  amount_sat bigint,
  -- The admin who decided.
  handled_by integer,
  handled_at timestamptz,
  constraint bonus_request_status check ((status in ('new', 'granted', 'refused')) and (status = 'granted') = (amount_sat is not null))
);
comment on table bonus_request is 'Requests for a welcome bonus: one a day per e-mail address and per source.';
create unique index bonus_request_email_day_index on bonus_request (email, day);
create unique index bonus_request_source_day_index on bonus_request (source, day);

create table idempotency (
  user_id integer not null,
  key text not null,
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  constraint idempotency_user_id_key_pk primary key (user_id, key)
);
comment on table idempotency is
  'Responses of money writes, so that a repeated request gets the same one. Kept for a day.';


-- Referral

create table referral_code (
  code text primary key,
  user_id integer not null constraint referral_code_user_id_unique unique constraint referral_code_user_id_app_user_id_fk references app_user (id),
  created_at timestamptz not null default now()
);
comment on table referral_code is 'Codes by which users refer others.';

create table referral (
  user_id integer primary key constraint referral_user_id_app_user_id_fk references app_user (id),
  referrer_id integer not null constraint referral_referrer_id_app_user_id_fk references app_user (id),
  activated_at timestamptz not null default now(),
  constraint referral_not_own check (user_id <> referrer_id)
);
comment on table referral is 'Referred users and their referrers; at most one referrer per user.';
create index referral_referrer_id_index on referral (referrer_id);

create table referral_accrual (
  user_id integer not null,
  referrer_id integer not null,
  sub_account_id integer not null,
  algorithm text not null,
  day date not null,
  base_fee_sat bigint not null,
  rate_percent double precision not null,
  amount_sat bigint not null,
  status text not null default 'accrued',
  payment_id integer constraint referral_accrual_payment_id_payment_id_fk references payment (id),
  constraint referral_accrual_sub_account_id_algorithm_day_pk primary key (sub_account_id, algorithm, day)
);
comment on table referral_accrual is 'The referrer''s share of one earning''s fee.';
create index referral_accrual_payment_id_index on referral_accrual (payment_id);
create index referral_accrual_referrer_id_index on referral_accrual (referrer_id);


-- Messages

create table notification (
  id serial primary key,
  user_id integer not null constraint notification_user_id_app_user_id_fk references app_user (id),
  kind text not null,
  values jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- When its Telegram messages were made (telegram/forward.ts).
  forwarded_at timestamptz,
  -- Key of its subject, for notifications that must not repeat.
  once text,
  -- When its mail was made (mail/alerts.ts).
  mailed_at timestamptz,
  -- When it was made for browsers (push/forward.ts).
  pushed_at timestamptz
);
comment on table notification is
  'Notifications in the bell, from which mails, Telegram messages, webhooks and pushes are made.';
create unique index notification_once on notification (user_id, once) where once is not null;
create index notification_to_forward on notification (id) where forwarded_at is null;
create index notification_to_mail on notification (id) where mailed_at is null;
create index notification_to_push on notification (id) where pushed_at is null;
create index notification_user_id_id_index on notification (user_id, id);

create table alert_setting (
  user_id integer primary key constraint alert_setting_user_id_app_user_id_fk references app_user (id),
  mail_events text[] not null default '{}'::text[],
  quiet_from smallint,
  quiet_to smallint,
  time_zone text not null default 'UTC',
  constraint alert_setting_quiet check ((quiet_from is null) = (quiet_to is null))
);
comment on table alert_setting is
  'The alerts a user gets by mail, and the hours without alerts, in minutes of the day of `time_zone` (outbox/pending.ts).';

create table telegram_connection (
  id serial primary key,
  user_id integer not null constraint telegram_connection_user_id_app_user_id_fk references app_user (id),
  chat_id bigint,
  username text,
  language text not null default 'en',
  status text not null default 'pending',
  -- Empty: all of the user's, future ones included.
  sub_account_ids integer[] not null default '{}'::integer[],
  events text[] not null,
  -- Hash of the deep link's token, which works once, until `expiresAt`, for the session that made it.
  token_hash text not null constraint telegram_connection_token_hash_unique unique,
  session_id text not null,
  expires_at timestamptz not null,
  linked_at timestamptz,
  created_at timestamptz not null default now(),
  -- Telegram's id of the person who opened the link in the chat: in a group that person may stop it.
  linked_by bigint,
  constraint telegram_connection_status check (status = 'pending' or (status in ('linked', 'blocked')) and chat_id is not null and linked_at is not null)
);
comment on table telegram_connection is
  'A Telegram chat that gets messages about a user''s accounts. `pending` until the page that made the link confirms the chat that opened it.';
create unique index telegram_connection_chat on telegram_connection (user_id, chat_id) where status <> 'pending';
create index telegram_connection_chat_id_index on telegram_connection (chat_id);
create index telegram_connection_user_id_index on telegram_connection (user_id);

create table webhook (
  id serial primary key,
  user_id integer not null constraint webhook_user_id_app_user_id_fk references app_user (id),
  url text not null,
  -- Encrypted (secrets.ts).
  secret text not null,
  events text[] not null,
  -- The address has answered that it is gone.
  stopped_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table webhook is 'Addresses that get a user''s notifications by POST (webhooks/webhooks.ts).';
create index webhook_user_id_index on webhook (user_id);

create table push_subscription (
  id serial primary key,
  user_id integer not null constraint push_subscription_user_id_app_user_id_fk references app_user (id),
  -- Address at the browser's push service, with the keys that messages are encrypted with.
  endpoint text not null constraint push_subscription_endpoint_unique unique,
  p256dh text not null,
  auth text not null,
  language text not null,
  events text[] not null,
  created_at timestamptz not null default now()
);
comment on table push_subscription is 'Browsers that show a user''s notifications (push/).';
create index push_subscription_user_id_index on push_subscription (user_id);

create table outbox (
  id bigserial primary key,
  -- Id of a chat, a webhook or a browser, or an e-mail address.
  target text not null,
  -- The linked chat a message goes to: it is not sent after the link has ended.
  connection_id integer constraint outbox_connection_id_telegram_connection_id_fk references telegram_connection (id) on delete cascade,
  dedupe text not null,
  -- Text as its channel reads it; a webhook's becomes null once it is sent or given up: it may contain a code.
  content text,
  status text not null default 'waiting',
  attempts integer not null default 0,
  next_at timestamptz not null,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  channel text not null,
  expires_at timestamptz not null,
  -- Last answer of a webhook: `status`, `ms`, `body`.
  answer jsonb,
  -- Part of the Message-ID of a mail: a bounce that has it is about that mail.
  token uuid not null default gen_random_uuid(),
  constraint outbox_channel check (channel in ('telegram', 'mail', 'webhook', 'push'))
);
comment on table outbox is
  'Messages to people, sent in order per target. Ended ones stay a week: a target gets a `dedupe` once.';
create unique index outbox_channel_target_dedupe_index on outbox (channel, target, dedupe);
create index outbox_waiting on outbox (channel, target, id) where status = 'waiting';


-- Alerts

create table worker_alert (
  worker_id integer not null,
  kind text not null,
  -- When the fault began, or ended; null: it did not.
  since timestamptz,
  clear_since timestamptz,
  -- The fault lasted long enough. `told`: an alert was sent, so its end is sent too.
  active boolean not null default false,
  told boolean not null default false,
  told_at timestamptz,
  sub_account_id integer not null,
  constraint worker_alert_key primary key (sub_account_id, worker_id, kind),
  constraint worker_alert_worker_fk foreign key (sub_account_id, worker_id) references worker (sub_account_id, id) on delete cascade,
  constraint worker_alert_kind check (kind in ('offline', 'low', 'rejects'))
);
comment on table worker_alert is
  'State of a worker''s alert: faults that began, exist or ended recently (alerts/transitions.ts); most workers have no row.';

create table worker_event (
  id bigserial,
  worker_id integer not null,
  kind text not null,
  at timestamptz not null,
  sub_account_id integer not null,
  constraint worker_event_key primary key (sub_account_id, id),
  constraint worker_event_worker_fk foreign key (sub_account_id, worker_id) references worker (sub_account_id, id) on delete cascade,
  constraint worker_event_kind check (kind ~ '^(offline|low|rejects)(_over)?$')
);
comment on table worker_event is 'Faults of workers that began or ended (`_over`), told or not; kept 90 days.';
create index worker_event_by_worker on worker_event (sub_account_id, worker_id, at);

create table account_limit (
  sub_account_id integer not null constraint account_limit_sub_account_id_sub_account_id_fk references sub_account (id) on delete cascade,
  algorithm text not null,
  hashrate double precision not null,
  since timestamptz,
  clear_since timestamptz,
  active boolean not null default false,
  told boolean not null default false,
  told_at timestamptz,
  constraint account_limit_sub_account_id_algorithm_pk primary key (sub_account_id, algorithm)
);
comment on table account_limit is
  'The hashrate, H/s, below which an account''s owner is told, and the state of that alert.';


-- Operation

create table pool_outage (
  id serial primary key,
  algorithm text not null,
  why text not null,
  since timestamptz not null,
  until timestamptz,
  constraint pool_outage_why check (why in ('server', 'upstream', 'miners'))
);
comment on table pool_outage is 'When the pool itself was out, by algorithm. `until`: null while it lasts.';
create unique index pool_outage_open on pool_outage (algorithm) where until is null;
create index pool_outage_since_index on pool_outage (since);

create table upstream_switch (
  id serial primary key,
  algorithm text not null,
  sub_account_id integer,
  from_url text,
  to_url text,
  why text not null,
  at timestamptz not null default now()
);
comment on table upstream_switch is 'Every switch from an upstream pool to another.';
create index upstream_switch_at_index on upstream_switch (at);

create table audit (
  id bigint generated always as identity primary key,
  user_id integer,
  action text not null,
  subject text,
  before jsonb,
  after jsonb,
  ip text,
  at timestamptz not null default now()
);
comment on table audit is 'Every write: the user, the action, the address it came from. Append-only.';
create index audit_action_index on audit (action text_pattern_ops, id);
create index audit_at_id_index on audit (at, id);
create index audit_subject_index on audit (subject, id) where subject is not null;
create index audit_user_id_id_index on audit (user_id, id);

create table audit_chain (
  seq bigint primary key,
  audit_id bigint not null,
  hash text not null
);
comment on table audit_chain is
  'The hash of each audit row and all before it, in the order of their commits; written by a trigger.';
create unique index audit_chain_audit_id_index on audit_chain (audit_id);

create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
comment on table setting is 'Named settings of the installation: signing key, seed flags.';


-- Triggers

-- Makes a table append-only.
create function refuse_change() returns trigger language plpgsql as $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
create trigger earning_adjustment_append_only before delete or update or truncate on earning_adjustment
  for each statement execute function refuse_change();
create trigger payment_never_deleted before delete or truncate on payment
  for each statement execute function refuse_change();
create trigger ledger_append_only before delete or update or truncate on ledger
  for each statement execute function refuse_change();
create trigger audit_append_only before delete or update or truncate on audit
  for each statement execute function refuse_change();
create trigger audit_chain_append_only before delete or update or truncate on audit_chain
  for each statement execute function refuse_change();

-- Counts edits, and changes of a payment.
create function count_version() returns trigger language plpgsql as $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
create trigger app_user_version before update of role, is_legacy_user, disabled, fee_percent on app_user
  for each row when (new.role is distinct from old.role or new.is_legacy_user is distinct from old.is_legacy_user or new.disabled is distinct from old.disabled or new.fee_percent is distinct from old.fee_percent) execute function count_version();
create trigger sub_account_version before update of ports, proxy_port, threshold_sat on sub_account
  for each row when (new.ports is distinct from old.ports or new.proxy_port is distinct from old.proxy_port or new.threshold_sat is distinct from old.threshold_sat) execute function count_version();
create trigger payment_version before update on payment for each row execute function count_version();

-- Allows only the steps of a payment's life.
create function check_payment_change() returns trigger language plpgsql as $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status NOT IN ('pending', 'queued') THEN
      RAISE EXCEPTION 'a payment starts as pending or queued, not %', NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.status <> OLD.status AND NOT (
       (OLD.status = 'pending' AND NEW.status IN ('queued', 'cancelled'))
    OR (OLD.status = 'queued' AND NEW.status IN ('unknown', 'sent', 'failed', 'cancelled', 'pending'))
    OR (OLD.status = 'unknown' AND NEW.status IN ('sent', 'failed'))
    OR (OLD.status = 'sent' AND NEW.status IN ('confirmed', 'failed'))
    OR (OLD.status = 'failed' AND NEW.status = 'queued' AND NEW.note IS DISTINCT FROM OLD.note AND NEW.note <> '')
    OR (OLD.status = 'failed' AND NEW.status = 'cancelled' AND OLD.sent_at IS NULL)) THEN
    RAISE EXCEPTION 'a payment cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.id <> OLD.id OR NEW.sub_account_id <> OLD.sub_account_id OR NEW.trigger <> OLD.trigger
     OR (OLD.status <> 'pending' AND NEW.amount_sat <> OLD.amount_sat)
     OR (OLD.status NOT IN ('pending', 'failed') AND NEW.status <> 'pending' AND NEW.address IS DISTINCT FROM OLD.address)
     OR ((OLD.status = 'confirmed' OR (OLD.status = 'sent' AND NEW.status <> 'sent'))
         AND NEW.txid IS DISTINCT FROM OLD.txid) THEN
    RAISE EXCEPTION 'amount, address and transaction of a payment under way do not change' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
create trigger payment_change before insert or update on payment for each row execute function check_payment_change();

-- A payment keeps its key.
create function keep_payment_key() returns trigger language plpgsql as $$
BEGIN
  RAISE EXCEPTION 'the key of a payment does not change' USING ERRCODE = 'check_violation';
END $$;
create trigger payment_key before update on payment
  for each row when (new.key <> old.key) execute function keep_payment_key();

-- The rows of one statement sum to zero.
create function check_ledger_sum() returns trigger language plpgsql as $$
BEGIN
  IF (SELECT sum(amount_sat) FROM made) <> 0 THEN
    RAISE EXCEPTION 'the entries of one statement must sum to zero' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
create trigger ledger_sums_to_zero after insert on ledger referencing new table as made
  for each statement execute function check_ledger_sum();

-- Keeps `balance`, the sums of the ledger's rows by owner.
create function keep_balances() returns trigger language plpgsql as $$
BEGIN
  INSERT INTO balance AS b (party, owner_id, owed_sat, paid_sat, payouts)
  SELECT party, coalesce(sub_account_id, user_id), sum(amount_sat),
    coalesce(-sum(amount_sat) FILTER (WHERE kind IN ('payout', 'payout_reversal')), 0),
    count(*) FILTER (WHERE kind = 'payout') - count(*) FILTER (WHERE kind = 'payout_reversal')
  FROM made WHERE party IN ('account', 'referrer') GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party, owner_id) DO UPDATE
    SET owed_sat = b.owed_sat + excluded.owed_sat, paid_sat = b.paid_sat + excluded.paid_sat, payouts = b.payouts + excluded.payouts;
  RETURN NULL;
END $$;
create trigger ledger_balances after insert on ledger referencing new table as made
  for each statement execute function keep_balances();

-- Keeps a user's fee in `term`, from tomorrow on.
create function keep_user_fee() returns trigger language plpgsql as $$
BEGIN
  INSERT INTO term (name, user_id, since, value) SELECT 'user_fee', NEW.id, date '0001-01-01', OLD.fee_percent
    WHERE NOT EXISTS (SELECT 1 FROM term WHERE name = 'user_fee' AND user_id = NEW.id);
  INSERT INTO term (name, user_id, since, value) VALUES ('user_fee', NEW.id, (now() AT TIME ZONE 'UTC')::date + 1, NEW.fee_percent)
    ON CONFLICT (name, user_id, since) DO UPDATE SET value = excluded.value;
  RETURN NULL;
END $$;
create trigger user_fee_kept after update of fee_percent on app_user
  for each row when (new.fee_percent is distinct from old.fee_percent) execute function keep_user_fee();

-- A changed address takes approved payments back.
create function hold_queued_payments() returns trigger language plpgsql as $$
BEGIN
  IF TG_TABLE_NAME = 'sub_account' THEN
    UPDATE payment SET status = 'pending', reason = 'address_hold' WHERE sub_account_id = NEW.id AND trigger <> 'referral' AND status = 'queued';
  ELSE
    UPDATE payment p SET status = 'pending', reason = 'address_hold' FROM sub_account s WHERE s.user_id = NEW.id AND p.sub_account_id = s.id AND p.trigger = 'referral' AND p.status = 'queued';
  END IF;
  RETURN NULL;
END $$;
create trigger referral_wallet_change_holds after update of referral_address on app_user
  for each row when (new.referral_address is distinct from old.referral_address) execute function hold_queued_payments();
create trigger wallet_change_holds after update of btc_address on sub_account
  for each row when (new.btc_address is distinct from old.btc_address) execute function hold_queued_payments();

-- Chains each audit row to all before it, in the order of their commits.
create function chain_audit() returns trigger language plpgsql as $$
DECLARE
  head audit_chain;
BEGIN
  PERFORM pg_advisory_xact_lock(7011);
  SELECT * INTO head FROM audit_chain ORDER BY seq DESC LIMIT 1;
  INSERT INTO audit_chain (seq, audit_id, hash) VALUES (
    coalesce(head.seq, 0) + 1,
    NEW.id,
    encode(sha256(convert_to(coalesce(head.hash, repeat('0', 64)) || chr(10) || json_build_array(
      NEW.id, NEW.user_id, NEW.action, NEW.subject, NEW.before, NEW.after, NEW.ip,
      to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))::text, 'UTF8')), 'hex'));
  RETURN NULL;
END $$;
create constraint trigger audit_chained after insert on audit deferrable initially deferred
  for each row execute function chain_audit();
