-- Rows come in the order of time, so a block-range index finds the newest without reading a week, at nearly no cost.
CREATE INDEX share_1m_newest ON share_1m USING brin (at);
--> statement-breakpoint
CREATE INDEX share_10m_newest ON share_10m USING brin (at) WITH (pages_per_range = 16);
