-- Whether there were shares while the server was out, as every page with a mean asks (mined-time.ts).
CREATE INDEX account_1m_at ON account_1m (at);
