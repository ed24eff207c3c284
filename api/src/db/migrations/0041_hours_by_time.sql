-- As for minutes and ten minutes (0002): alerts read the last day of all workers once a minute.
CREATE INDEX share_1h_newest ON share_1h USING brin (at) WITH (pages_per_range = 16);
